"""Studies opened in the processes of the pool: all that has to be played or drawn for it.

Little is imported here, so that processes start quickly.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from skerry.core.playthrough import Playthrough
from skerry.records import Record, write_json, write_text
from skerry.records.tree import find_start
from skerry.render.card import Card, make_legible
from skerry.server.play.boards import board, words
from skerry.server.positions.tracing import trials
from skerry.server.showing.players import list_players
from skerry.server.study.model import Json, Study, document, study_of
from skerry.server.workers.warm import Key, key_of, name_game, open_game


@dataclass(frozen=True)
class OpenedStudy:
    """A study with all that a page shows of it."""

    study: Study
    key: Key
    shown: Json
    words: str
    boards: Mapping[str, str]  # by theme
    players: tuple[tuple[str, str], ...]  # titles of seats, and names


def open_study(study: Study, line: Playthrough | None = None) -> OpenedStudy:
    """A study for somebody who looks at it."""
    line = line or _follow(study)
    game = line.state.game
    return OpenedStudy(
        study,
        key_of(game),
        document(study, game, line.start),
        words(line, line.state.outcome),
        {theme: board(line, theme, prefix=f"{theme}-") for theme in ("light", "dark")},
        tuple(zip(game.seats, study.players(game), strict=True)),
    )


def open_record(record: Record) -> OpenedStudy:
    """The study that a game on this server would be."""
    return open_study(study_of(record), record.play)


def open_position(key: Key, position: str | None) -> OpenedStudy:
    """The study that a position would be."""
    return open_study(draft_position(key, position))


def draft_position(
    key: Key, position: str | None, seed: int | None = None, title: str = ""
) -> Study:
    """A study of a position, by default the first of a game."""
    game = open_game(key)
    if seed is None and position is None and game.has_chance:
        seed = 0
    return study_of(Record(find_start(game, seed, position), seed=seed), title)


def describe_study(study: Study) -> Json:
    """What the API tells of a study."""
    game = open_game(_key_of(study))
    return document(study, game, study.start(game))


def write_study(study: Study, ending: str) -> str:
    """The record of a study."""
    return write_text(study.record) if ending == "skr" else write_json(study.record)


def card_study(study: Study) -> Card:
    """The end of the main line of a study."""
    line = _follow(study)
    game = line.state.game
    moves = f"{line.plies} move{'s' if line.plies != 1 else ''}"
    drawn = board(line, "light", live=True)
    title = make_legible(study.title) or game.title
    return Card((drawn,), title, list_players(game, study.players(game)), f"Analysis, {moves}")


def card_record(record: Record) -> Card:
    """The same for the study that a game would be."""
    return card_study(study_of(record))


def card_position(key: Key, position: str | None) -> Card:
    """The same for a position."""
    return card_study(draft_position(key, position))


def _key_of(study: Study) -> Key:
    return name_game(study.frame["game"], study.frame["options"])


def _follow(study: Study) -> Playthrough:
    game = open_game(_key_of(study))
    return trials().find(study.start(game), study.moves)
