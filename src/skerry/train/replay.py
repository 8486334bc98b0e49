"""What self-play has seen lately, kept where the learner is.

Positions lie in a ring of steps, a round each, with a row for every game of a batch. How a game
ends is known later: a position names its game, whose end is looked up when it is learnt from.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from skerry.core.game import Game
from skerry.train.forest import Round
from skerry.train.tree import UNTOLD


class Lesson(NamedTuple):
    """Positions to learn from."""

    codes: Tensor  # [positions, cells]
    seats: Tensor  # [positions]
    counters: Tensor  # [positions]
    strangers: Tensor  # [positions] a bit for every seat known to be a guest's
    targets: Tensor  # [positions, actions] -1 for what is illegal; all for guests nobody knew
    outcomes: Tensor  # [positions] the winner, the number of seats for a draw, or UNTOLD
    finals: Tensor  # [positions, cells]


class ReplayBuffer:
    """The last ``steps`` steps of a batch of games."""

    def __init__(self, game: Game, batch: int, steps: int, device: str) -> None:
        self.batch, self.steps = batch, steps
        cells = len(game.board)
        self.codes = torch.zeros((steps, batch, cells), dtype=torch.uint8, device=device)
        self.seats = torch.zeros((steps, batch), dtype=torch.int8, device=device)
        self.counters = torch.zeros((steps, batch), dtype=torch.int32, device=device)
        self.strangers = torch.zeros((steps, batch), dtype=torch.int8, device=device)
        self.targets = torch.zeros(
            (steps, batch, game.num_actions), dtype=torch.float16, device=device
        )
        self.foretold = torch.full((steps, batch), UNTOLD, dtype=torch.int8, device=device)
        # The number of a game is its column and how many were played there before. A step ends one
        # game of a column at most, so the endings of a whole ring fit into as many rows.
        self.games = torch.zeros((steps, batch), dtype=torch.int64, device=device)
        self.begun = torch.zeros(batch, dtype=torch.int64, device=device)
        self.columns = torch.arange(batch, device=device)
        self.rows = steps + 1
        self.outcomes = torch.full((self.rows, batch), UNTOLD, dtype=torch.int8, device=device)
        self.finals = torch.zeros((self.rows, batch, cells), dtype=torch.uint8, device=device)
        self.seen = 0  # steps so far
        self._counted = 0

    def keep(self, played: Round) -> None:
        """Keep a round, and note how the games ended that it has ended."""
        row, game = self.seen % self.steps, self.begun % self.rows
        self.codes[row] = played.codes
        self.seats[row] = played.seats
        self.counters[row] = played.counters
        self.strangers[row] = played.strangers
        self.targets[row] = played.targets
        self.foretold[row] = played.foretold
        self.games[row] = game
        self.outcomes[game, self.columns] = played.outcomes
        self.finals[game, self.columns] = played.finals
        self.begun += played.outcomes != UNTOLD
        self.seen += 1

    def cut_off(self) -> None:
        """Nobody plays these games any more: their ends stay untold, and what is kept from now on
        is of others."""
        if self.seen:
            last = self.games[(self.seen - 1) % self.steps]
            is_open = last == self.begun % self.rows
            self.begun += is_open
            self._counted += int(is_open.sum())

    def count_ended(self) -> int:
        """How many games have ended since this was asked last."""
        ended = int(self.begun.sum())
        counted, self._counted = self._counted, ended
        return ended - counted

    def draw(self, count: int, generator: torch.Generator) -> Lesson:
        """Positions at random."""
        filled = min(self.seen, self.steps) * self.batch
        device = self.codes.device
        at = torch.randint(filled, (count,), generator=generator, device=device)
        row, column = at // self.batch, at % self.batch
        game = self.games[row, column]
        outcomes, foretold = self.outcomes[game, column], self.foretold[row, column]
        # The last position of a game is known when it has ended, so believers wait for that, too.
        is_believed = (outcomes != UNTOLD) & (foretold != UNTOLD)
        return Lesson(
            self.codes[row, column],
            self.seats[row, column],
            self.counters[row, column],
            self.strangers[row, column],
            self.targets[row, column].float(),
            torch.where(is_believed, foretold, outcomes),
            self.finals[game, column],
        )
