"""Where the rounds that a run learns from come from, and what it keeps of them."""

from collections.abc import Sequence
from typing import Protocol

from skerry.core.game import Game
from skerry.nets.file import Net
from skerry.nets.shape import Shape
from skerry.train.forest import Round
from skerry.train.learner import Learner, Turner
from skerry.train.net import SightModule
from skerry.train.recipe import Recipe
from skerry.train.replay import ReplayBuffer
from skerry.train.selfplay import SelfPlay, plant_forests


class Practice:
    """A batch of games on one board, as the learner knows it: what they have shown lately, and how
    the net sees the board."""

    def __init__(self, game: Game, batch: int, steps_kept: int, device: str) -> None:
        self.game, self.batch = game, batch
        self.sight = SightModule(game).to(device)
        self.replay = ReplayBuffer(game, batch, steps_kept, device)
        self.turner = Turner(game, device)
        self.owed = 0.0  # lessons


class Feed(Protocol):
    """Whoever plays the games that a run learns from."""

    practices: list[Practice]  # the first ones are those of all boards, in order

    def warm_up(self, learner: Learner) -> None:
        """Get ready to play, which is no time of training."""

    def play(self, learner: Learner) -> Sequence[tuple[Practice, Round]]:
        """Rounds played by the learner's average, or by what it was not long ago, each with the
        practice it belongs to; none if nobody is ready."""


class LocalPlay:
    """Self-play where the learner is: a round, then what is to be learnt from it, and so on."""

    def __init__(
        self,
        games: Sequence[Game],
        recipe: Recipe,
        shape: Shape,
        device: str,
        seed: int,
        rival: Net | None = None,
    ) -> None:
        boards = split_batch(games, recipe.batch)
        forests = plant_forests(boards, recipe, device, seed)
        self.selfplay = SelfPlay(forests, shape, device, rival)
        self.practices = [
            Practice(game, batch, recipe.steps_kept, device) for game, batch in boards
        ]
        self.others_every = recipe.others_every
        self.rounds = 0

    def warm_up(self, learner: Learner) -> None:
        for board in range(len(self.practices)):
            self.selfplay.think(board)

    def play(self, learner: Learner) -> Sequence[tuple[Practice, Round]]:
        board = choose_board(self.rounds, len(self.practices), self.others_every)
        self.rounds += 1
        self.selfplay.follow(learner.average.parameters())
        return [(self.practices[board], self.selfplay.play(board))]


def split_batch(games: Sequence[Game], batch: int) -> list[tuple[Game, int]]:
    """How many games there are on each board: on the first, which matters, the most."""
    return [(game, max(1, batch // 2) if number else batch) for number, game in enumerate(games)]


def choose_board(turn: int, boards: int, others_every: int) -> int:
    """Mostly the board that matters; now and then another, by turns."""
    number, rest = divmod(turn + 1, others_every)
    return 0 if rest or boards == 1 else 1 + number % (boards - 1)
