"""A corpus: very many games of one kind in one file, as the actions that were made in them."""

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.state import State
from skerry.games import make
from skerry.records.folders import replace

FORMAT = "skerry-corpus-1"
NONE = -1  # in place of actions after the last
DTYPES = {"seeds": "int64", "actions": "int16", "outcomes": "int8", "seating": "int8"}


@dataclass(frozen=True, eq=False)
class Corpus:
    """Games by their actions; ``card`` tells who played them, and how."""

    game: Game
    seeds: NDArray[np.int64]  # [games] of the deals; it matters in dealt games only
    actions: NDArray[np.int16]  # [games, plies] openings included, NONE after the last
    outcomes: NDArray[np.int8]  # [games] the winning seat, or the number of seats for a draw
    seating: NDArray[np.int8]  # [games, seats] which of the players had each seat
    card: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """[games] plies."""
        return np.asarray((self.actions != NONE).sum(1), np.int64)

    @property
    def shares(self) -> NDArray[np.float64]:
        """[games, seats] shares of a win: all for the winner, equal parts in a draw."""
        seats = self.game.num_seats
        rows = np.vstack([np.eye(seats), np.full(seats, 1 / seats)])
        return rows[self.outcomes]

    def replay(self, k: int) -> Iterator[State]:
        """The positions of a game, from its start to its end."""
        state = self.game.initial(int(self.seeds[k]))
        yield state
        for action in self.actions[k, : self.lengths[k]]:
            state = state.play(state.move(int(action)))
            yield state


def line_up(games: Sequence[Sequence[int]]) -> NDArray[np.int16]:
    """The actions [games, plies] of games of different lengths."""
    actions = np.full((len(games), max(map(len, games), default=0)), NONE, np.int16)
    for row, made in zip(actions, games, strict=True):
        row[: len(made)] = made
    return actions


def tell_outcome(state: State) -> int:
    """How a finished game is noted: the winning seat, or the number of seats for a draw."""
    winner = state.outcome.winner if state.outcome else None
    return state.game.num_seats if winner is None else winner


def write_corpus(path: Path, corpus: Corpus) -> None:
    """Write a file as a whole or not at all."""
    head = {
        "format": FORMAT,
        "game": corpus.game.name,
        "options": corpus.game.options,
        "card": corpus.card,
    }
    content = io.BytesIO()
    arrays = {name: getattr(corpus, name).astype(dtype) for name, dtype in DTYPES.items()}
    np.savez_compressed(content, head=np.array(json.dumps(head)), **arrays)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, content.getvalue(), alone=True)


def read_corpus(path: Path) -> Corpus:
    """The games of a file; OptionsError in one line if it is none of ours."""
    try:
        # Opened here, since NumPy leaves a damaged file open.
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            head = json.loads(str(file["head"]))
            arrays = {name: file[name] for name in DTYPES}
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise OptionsError(f"{path} is no corpus of games: {error}") from None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise OptionsError(f"{path} is no corpus of games that this version can read")
    game = make(head["game"], **head["options"])
    _check(path, game, arrays)
    return Corpus(game, **arrays, card=head["card"])


def _check(path: Path, game: Game, arrays: dict[str, NDArray[Any]]) -> None:
    """OptionsError unless all arrays are of one number of games, and of this game."""
    count = len(arrays["outcomes"])
    shapes = [arrays["seeds"].shape, arrays["actions"].shape[:1], arrays["seating"].shape]
    is_sound = shapes == [(count,), (count,), (count, game.num_seats)]
    is_sound &= all(arrays[name].dtype == dtype for name, dtype in DTYPES.items())
    for name, least, most in (
        ("actions", NONE, game.num_actions - 1),
        ("outcomes", 0, game.num_seats),
    ):
        values = arrays[name]
        is_sound &= not values.size or bool(values.min() >= least and values.max() <= most)
    if not is_sound:
        raise OptionsError(f"{path} is no corpus of games of {game.title}")
