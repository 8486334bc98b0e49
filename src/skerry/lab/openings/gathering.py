"""Games gathered: how often each position was come to, what was done there, and who won then."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.lab.corpus import Corpus
from skerry.lab.openings.replay import SOUND, outline, replay_games

PLIES = 40  # of each game that are looked at
AT_ONCE = 8192  # games that are replayed together
PENDING = 2_000_000  # rows that wait to be added up


@dataclass(frozen=True, eq=False)
class Tally:
    """What was done in positions, ordered by both; none occurs twice."""

    keys: NDArray[np.uint64]  # [rows] of positions
    labels: NDArray[np.int32]  # [rows] of what was done there
    games: NDArray[np.int64]  # [rows]
    wins: NDArray[np.int64]  # [rows, seats]; other games were draws

    def __len__(self) -> int:
        return len(self.keys)


class Gathering:
    """Games of one kind, added up while they are read."""

    def __init__(self, game: Game, plies: int = PLIES) -> None:
        self.game, self.plies = game, plies
        self.games = 0
        self._outlines = outline(game)
        self._parts: list[Tally] = []

    def add(self, corpus: Corpus, name: str) -> None:
        """Add all games of a corpus; OptionsError if one is not as the rules have it."""
        if corpus.game != self.game:
            raise OptionsError(f"{name} has games of {corpus.game!r}, not of {self.game!r}")
        for first in range(0, len(corpus), AT_ONCE):
            self._parts.append(self._replay(corpus, slice(first, first + AT_ONCE), name))
            if sum(map(len, self._parts[1:])) > PENDING:
                self.total()
        self.games += len(corpus)

    def _replay(self, corpus: Corpus, some: slice, name: str) -> Tally:
        actions, outcomes = corpus.actions[some], corpus.outcomes[some]
        shape = len(actions), min(self.plies, actions.shape[1])
        keys, labels = np.zeros(shape, np.uint64), np.zeros(shape, np.int32)
        arrays = corpus.seeds[some], actions, outcomes, keys, labels
        flawed = replay_games(self.game, self._outlines, *arrays)
        if flawed != SOUND:
            raise OptionsError(
                f"{name}: game {some.start + flawed + 1} is not as the rules of "
                f"{self.game.title} have it"
            )
        games, plies = np.nonzero(keys)
        won = outcomes[games][:, None] == np.arange(self.game.num_seats)
        ones = np.ones(len(games), np.int64)
        return _add_up(keys[games, plies], labels[games, plies], ones, won.astype(np.int64))

    def total(self) -> Tally:
        """All games so far."""
        if not self._parts:
            nothing = np.zeros(0, np.int64)
            none = nothing.astype(np.uint64), nothing.astype(np.int32), nothing
            return Tally(*none, np.zeros((0, self.game.num_seats), np.int64))
        if len(self._parts) > 1:
            parts = self._parts
            self._parts = [
                _add_up(
                    np.concatenate([part.keys for part in parts]),
                    np.concatenate([part.labels for part in parts]),
                    np.concatenate([part.games for part in parts]),
                    np.concatenate([part.wins for part in parts]),
                )
            ]
        return self._parts[0]


def _add_up(
    keys: NDArray[np.uint64],
    labels: NDArray[np.int32],
    games: NDArray[np.int64],
    wins: NDArray[np.int64],
) -> Tally:
    order = np.lexsort((labels, keys))
    keys, labels = keys[order], labels[order]
    is_new = np.ones(len(keys), bool)
    is_new[1:] = (keys[1:] != keys[:-1]) | (labels[1:] != labels[:-1])
    starts = np.flatnonzero(is_new)
    if not len(starts):
        return Tally(keys, labels, games, wins)
    return Tally(
        keys[starts],
        labels[starts],
        np.add.reduceat(games[order], starts),
        np.add.reduceat(wins[order], starts, axis=0),
    )
