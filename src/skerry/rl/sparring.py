"""Games in which a learner has one seat, and an engine plays all the others."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.agents.python import Agent
from skerry.core.errors import Forfeit, OptionsError
from skerry.core.game import Game
from skerry.core.options import LARGEST_INTEGER, whole_number
from skerry.rl.batch import BatchEnv
from skerry.rl.rows import Numbers
from skerry.search.players import SEEDS, RandomPlayer, dismiss, player

NO_ACTION = -1  # is never legal, and so loses
MOST_FORFEITS = 3  # of games in which a learner has no move
MOST_DEALS = 1000  # that may be over before the learner moves


class Sparring:
    """A batch of such games; in each the learner is to move, or it is over.

    Rows have generators of their own, so that one row of many is what a batch of one would be.
    """

    def __init__(
        self,
        game: Game,
        batch: int,
        opponent: "str | Agent",
        seat: int | None,
        random_plies: int | tuple[int, int],
    ) -> None:
        self.game = game
        self.seat = None if seat is None else whole_number("seat", seat, game.num_seats - 1)
        self.opponent = player(opponent)
        self.env = BatchEnv(game, batch, auto_reset=False, random_plies=random_plies)
        self.sits = np.full(batch, self.seat or 0, np.int8)  # where the learner sits
        self.rewards = np.zeros(batch)  # what the last actions brought it
        self.forfeits: list[str | None] = [None] * batch  # why the opponent lost a game

    @property
    def done(self) -> NDArray[np.bool_]:
        return self.env.done  # type: ignore[no-any-return]

    def begin(self, rows: Numbers, dice: list[np.random.Generator], starts: Any = None) -> None:
        """Start games in some rows, of which ``dice`` are the generators of all.

        Deals without a move, and openings that end it all, leave nothing to learn: they are
        followed by others.
        """
        seats, tries = self.game.num_seats, 0
        for k in rows:
            self.sits[k] = dice[k].integers(seats) if self.seat is None else self.seat
        for _ in range(MOST_DEALS):
            seeds = np.array([dice[k].integers(LARGEST_INTEGER) for k in rows], np.int64)
            self.env.reset(seeds, starts, rows)
            for k in rows:
                self.forfeits[k] = None
            self._let_others_play(rows, dice)
            self.rewards[rows] = 0
            rows = rows[self.done[rows]]
            if not len(rows):
                return
            why = next((said for k in rows if (said := self.forfeits[k])), None)
            tries += why is not None
            if tries == MOST_FORFEITS:
                raise OptionsError(f"the opponent has no first move to make: {why}")
        raise OptionsError(
            f"{MOST_DEALS} games of {self.game!r} in a row were over before seat "
            f"{self.sits[rows[0]]} had a move: choose other options"
        )

    def play(self, actions: NDArray[Any], rows: Numbers, dice: list[np.random.Generator]) -> None:
        """Play the learner's actions in some rows, and what is answered."""
        self.rewards[rows] = 0
        self._step(actions, rows)
        self._let_others_play(rows, dice)

    def _let_others_play(self, rows: Numbers, dice: list[np.random.Generator]) -> None:
        """Until it is the learner's turn in all rows."""
        while True:
            to_move = self.env.to_move[rows]
            rows = rows[~self.done[rows] & (to_move != self.sits[rows])]
            if not len(rows):
                return
            if isinstance(self.opponent, RandomPlayer):
                draws = np.array([dice[k].random() for k in rows])
                actions = draw_legal(self.env.legal[rows], draws)
            else:
                seeds = [int(dice[k].integers(SEEDS)) for k in rows]
                chosen = [self._choose(k, seed) for k, seed in zip(rows, seeds, strict=True)]
                actions = np.array(chosen)
            self._step(actions, rows)

    def _choose(self, row: int, seed: int) -> int:
        """What the opponent plays in a row; where it forfeits the game, that loses."""
        try:
            return int(self.opponent.choose(self.env.state(row), seed))
        except Forfeit as forfeit:
            self.forfeits[row] = forfeit.story
            return NO_ACTION

    def close(self) -> None:
        """Let an opponent go that is a program."""
        dismiss(self.opponent)

    def _step(self, actions: NDArray[Any], rows: Numbers) -> None:
        self.env.step(actions, rows=rows if len(rows) < self.env.batch else None)
        self.rewards[rows] += self.env.rewards[rows, self.sits[rows]]

    def legal(self) -> NDArray[np.bool_]:
        """Which actions are legal [B, actions]."""
        return self.env.legal.copy()  # type: ignore[no-any-return]

    def observe(self) -> NDArray[np.uint8]:
        """What the learners see [B, planes, height, width]."""
        return self.env.observe(self.sits)  # type: ignore[no-any-return]


def draw_legal(legal: NDArray[np.bool_], draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """A legal action of every row, all equally likely; draws are from 0 to 1."""
    wanted = (draws * legal.sum(axis=1)).astype(np.int64)
    chosen: NDArray[np.int64] = (legal.cumsum(axis=1) > wanted[:, None]).argmax(axis=1)
    return chosen
