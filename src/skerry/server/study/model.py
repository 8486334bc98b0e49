"""Studies: records that people go through, with variations and comments of their own.

A study is kept as a record in JSON, in two parts: the ``frame`` says how it starts and who played,
the ``line`` what was played and said. The plies of the line also carry their seat and the number of
their turn, so that a page can be written from it without playing anything.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from skerry.core.errors import SkerryError
from skerry.core.game import Game
from skerry.core.state import State
from skerry.records import Line, Record, find_result, from_json, read, to_json
from skerry.records.jsonform import annotations_to_json
from skerry.records.tree import RESULT_HEADER, Track, find_start, retrace
from skerry.render.themes import THEMES, ink_of
from skerry.server.play.boards import name_seats
from skerry.server.web.errors import Refusal, Stale
from skerry.server.web.text import tidy

LARGEST_STUDY = 65_536  # bytes of a record that is sent
LARGEST_LINE = 500_000  # bytes that the line of a study comes to
LARGEST_CHANGE = LARGEST_LINE + 12_000  # bytes of a line that is sent to be saved, with its title
MOST_ENTRIES = 3000  # moves, comments and variations
TITLE_LENGTH = 80
NOTED = ("seat", "turn")  # what a ply of a study has beyond that of a record

Json = dict[str, Any]


@dataclass(frozen=True)
class Study:
    """A study as it stands; without an id it is kept nowhere yet."""

    title: str
    frame: Json
    line: Json
    id: str | None = None
    secret: str = ""  # the hash of what lets somebody change it
    version: int = 0
    review: Json | None = None
    created: int = 0
    updated: int = 0

    @property
    def moves(self) -> list[str]:
        """The main line."""
        return [ply["move"] for ply in self.line["moves"]]

    @property
    def length(self) -> int:
        """How many moves it has, with all variations."""
        waiting, count = [self.line], 0
        while waiting:
            moves = waiting.pop()["moves"]
            count += len(moves)
            waiting += [line for ply in moves for line in ply["variations"]]
        return count

    def start(self, game: Game) -> State:
        return find_start(game, self.frame.get("seed"), self.frame.get("position"))

    def players(self, game: Game) -> list[str]:
        """Who played, by seats; nothing where that is not known."""
        said = self.frame.get("headers", {})
        return [str(said.get(title, "")) for title in game.seats]

    @property
    def task(self) -> Json:
        """The main line, for a process that is to go through it."""
        return {
            "game": self.frame["game"],
            "options": self.frame["options"],
            "start": self.frame.get("position"),
            "seed": self.frame.get("seed"),
            "moves": self.moves,
        }

    @property
    def record(self) -> Record:
        """The record itself, replayed."""
        return from_json(self.frame | _strip(self.line))


def study_of(record: Record, title: str = "") -> Study:
    """A record made a study; a Refusal if it is too much for one."""
    headers = {key: said for key, said in record.headers.items() if key != RESULT_HEADER}
    content = to_json(replace(record, headers=headers, line=Line()))
    content.pop("moves")
    line = _note(retrace(record))
    _check_size(line)
    if len(json.dumps(line, ensure_ascii=False).encode()) > LARGEST_LINE:
        raise Refusal("this is too much for one study: leave out comments, or make it two")
    return Study(tidy(title, TITLE_LENGTH) or _name(record), content, line)


def study_of_content(content: str | Json, title: str = "") -> Study:
    """The study of a record that somebody sent: its text, or JSON."""
    if isinstance(content, str):
        return study_of(read(content), title)
    _check_size(content)
    return study_of(from_json(content), title)


def expect(study: Study, version: int) -> None:
    """See that a visitor changes the study as it is."""
    if version != study.version:
        raise Stale("the study has been changed elsewhere; look at it again")


def edit(study: Study, version: int, line: Json, title: str | None, now: int) -> Study:
    """The study with another line; Stale if it is not the one that was meant any more."""
    expect(study, version)
    _check_size(line)
    content = study.frame | _strip(line)
    if isinstance(line.get("moves"), list):
        content["result"] = _settle_result(study, content)
    changed = study_of(from_json(content), study.title if title is None else title)
    return replace(
        study,
        title=changed.title,
        frame=changed.frame,
        line=changed.line,
        version=study.version + 1,
        updated=now,
    )


def _settle_result(study: Study, content: Json) -> str:
    """What the record says of its end stays, unless the main line is another one now."""
    moves: list[Any] = [
        ply.get("move") if isinstance(ply, dict) else ply for ply in content["moves"]
    ]
    if moves == study.moves:
        return str(study.frame["result"])
    try:
        state = from_json(study.frame | {"moves": [], "result": "*"}).start
        for move in moves:
            state = state.play(move)
        return find_result(state)
    except SkerryError:  # whoever reads the line says where it is wrong
        return "*"


def _strip(line: Mapping[str, Any]) -> Json:
    """A line as records have it."""
    bare: Json = {key: said for key, said in line.items() if key in ("comments", "moves")}
    if isinstance(bare.get("moves"), list):
        bare["moves"] = [_strip_ply(ply) for ply in bare["moves"]]
    return bare


def _strip_ply(ply: Any) -> Any:
    if not isinstance(ply, dict):
        return ply
    bare = {key: said for key, said in ply.items() if key not in NOTED}
    if isinstance(bare.get("variations"), list):
        bare["variations"] = [
            _strip(line) if isinstance(line, dict) else line for line in bare["variations"]
        ]
    return bare


def _note(track: Track) -> Json:
    """A line with the seat and the turn of every ply."""
    return {
        "comments": list(track.comments),
        "moves": [
            {
                "move": step.text,
                "seat": step.before.state.to_move,
                "turn": step.before.number,
                **annotations_to_json(step.ply),
                "comments": list(step.ply.comments),
                "variations": [_note(variation) for variation in step.variations],
            }
            for step in track.steps
        ],
    }


def _check_size(content: object) -> None:
    """See that there is not too much to replay; whatever was sent may be anything."""
    waiting, entries = [content], 0
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            waiting.extend(found.values())
        elif isinstance(found, list):
            entries += len(found)
            waiting.extend(found)
        if entries > MOST_ENTRIES:
            raise Refusal(
                f"a study has at most {MOST_ENTRIES} moves, comments and variations: make it two"
            )


def _name(record: Record) -> str:
    """What a study is called by itself."""
    players = [player for player in record.players if player]
    title = record.game.title
    return tidy(f"{title}: {', '.join(players)}" if players else title, TITLE_LENGTH)


def document(study: Study, game: Game, start: State) -> Json:
    """Everything about a study that everybody gets to see."""
    return {
        "id": study.id,
        "version": study.version,
        "title": study.title,
        "yours": False,
        "origin": {"study": study.id},
        "game": game.name,
        "options": game.options,
        "start": start.position,
        "seats": name_seats(game),
        "inks": {
            name: [
                [ink_of(theme, seat, game.seats).body, ink_of(theme, seat, game.seats).rim]
                for seat in range(game.num_seats)
            ]
            for name, theme in THEMES.items()
        },
        "frame": study.frame,
        "line": study.line,
        "review": study.review,
    }
