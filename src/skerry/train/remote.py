"""Self-play on a Ray cluster, which feeds the learner here.

A *self-player* is a process of the cluster with a GPU or a core of its own. It plays some rounds
with the weights it is handed, and is handed the next before the learner looks at what it played, so
that both work at the same time. Whoever is ready is heard; nobody waits for the slowest.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from skerry.core.game import Game
from skerry.lab.work.cluster import Cluster
from skerry.lab.work.executor import Warn
from skerry.nets.file import Net
from skerry.nets.shape import Shape
from skerry.train.forest import Round
from skerry.train.learner import Learner
from skerry.train.practice import Practice, choose_board, split_batch
from skerry.train.recipe import Recipe
from skerry.train.selfplay import SelfPlay, plant_forests

ROUNDS = 4  # that are played with the same weights
PATIENCE = 1.0  # seconds after which the learner looks up, though nobody is ready
SILENCE = 60  # times that it does so before it says that it waits

Arrays = Sequence[NDArray[Any]]


class SelfPlayer:
    """What a process of the cluster keeps: games that are played on with whatever weights come."""

    def __init__(
        self,
        boards: Sequence[tuple[Game, int]],
        recipe: Recipe,
        shape: Shape,
        device: str,
        seed: int,
        rival: Net | None,
        number: int,
    ) -> None:
        torch.set_num_threads(1)  # it was given a core
        own = int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
        forests = plant_forests(boards, recipe, device, own, 1)
        self.selfplay = SelfPlay(forests, shape, device, rival)

    def __call__(self, board: int, rounds: int, weights: Arrays) -> list[Arrays]:
        """Rounds on a board; their parts as arrays, which travel."""
        self.selfplay.follow(_copy(weights))
        return [_pack(self.selfplay.play(board)) for _ in range(rounds)]


class RemotePlay:
    """Self-play on a cluster; a context that ends it.

    ``players`` is how many self-players there are to be: by default one for each GPU of the
    cluster, or if it has none, for each core but one. Those beyond the GPUs have a core, and those
    that there is no room for wait until machines join. ``batches`` is how many games are played at
    a time on a core and on a GPU.
    """

    def __init__(
        self,
        games: Sequence[Game],
        recipe: Recipe,
        device: str,
        site: Cluster,
        players: int | None,
        batches: Mapping[str, int],
        warn: Warn,
        rival: Net | None = None,
    ) -> None:
        self.games, self.recipe, self.site, self.warn = games, recipe, site, warn
        self.rival = rival
        gpus = site.count("GPU")
        # Without GPUs one core is left to the learner.
        count = players or gpus or max(1, site.count("CPU") - 1)
        self.devices = ["cuda" if player < gpus else "cpu" for player in range(count)]
        self.boards = [split_batch(games, batches[there]) for there in self.devices]
        self.practices = [
            Practice(game, batch, recipe.steps_kept, device)
            for boards in self.boards
            for game, batch in boards
        ]
        self.handed_out = 0  # tasks
        self._playing: dict[int, int] = {}  # the boards that self-players are at
        self._first: tuple[int, list[Arrays] | None] | None = None  # whom warming up waited for
        self._crew = site.employ(SelfPlayer, warn)

    def __enter__(self) -> "RemotePlay":
        return self

    def __exit__(self, *_: object) -> None:
        self._crew.__exit__()

    def warm_up(self, learner: Learner) -> None:
        """Have trees compiled on every machine, and wait for the first self-player."""
        self.site.prepare(grow_once, list(self.games), self.recipe)
        self._begin(learner)
        waited = 0
        while self._first is None:
            self._first = self._crew.wait(PATIENCE)
            waited += 1
            if waited == SILENCE:
                self.warn("no self-player is ready: the cluster starts them, or has no room")

    def _begin(self, learner: Learner) -> None:
        """Hire all self-players, unless that is done."""
        if self._playing:
            return
        for player, there in enumerate(self.devices):
            self._crew.hire(
                player,
                1 if there == "cuda" else 0,
                self.boards[player],
                self.recipe,
                learner.net.shape,
                there,
                self.recipe.seed + learner.steps,
                self.rival,
            )
            self._hand_out(player, learner)

    def _hand_out(self, player: int, learner: Learner) -> None:
        board = choose_board(self.handed_out, len(self.games), self.recipe.others_every)
        self.handed_out += 1
        self._playing[player] = board
        weights = [part.detach().cpu().numpy() for part in learner.average.parameters()]
        self._crew.start(player, board, ROUNDS, weights)

    def play(self, learner: Learner) -> Sequence[tuple[Practice, Round]]:
        self._begin(learner)
        heard, self._first = self._first or self._crew.wait(PATIENCE), None
        if heard is None:
            return []
        player, played = heard
        start = player * len(self.games)
        practice = self.practices[start + self._playing[player]]
        if played is None:  # its games are lost on all boards
            for each in self.practices[start : start + len(self.games)]:
                each.replay.cut_off()
        if player in self._crew:
            self._hand_out(player, learner)
        return [(practice, _unpack(parts, practice)) for parts in played or ()]


def grow_once(games: Sequence[Game], recipe: Recipe) -> None:
    """Have compiled what it takes to walk trees, and to have guests."""
    boards, tiny = [(game, 1) for game in games], replace(recipe, simulations=2)
    for forest in plant_forests(boards, tiny, "cpu", 0):
        game = forest.game
        logits = torch.zeros(1, game.num_actions)
        outlooks = torch.zeros(1, game.num_seats + 1)
        forest.plant()
        for number in range(forest.simulations + 1):
            forest.simulate(number, logits, outlooks)
        forest.conclude(logits)
        forest.play()


def _pack(played: Round) -> Arrays:
    """The parts of a round, copied from where the next will be; chances need only 16 bits."""
    short = played._replace(targets=played.targets.half())
    return [part.cpu().numpy().copy() for part in short]


def _unpack(parts: Arrays, practice: Practice) -> Round:
    return Round(*(part.to(practice.replay.codes.device) for part in _copy(parts)))


def _copy(parts: Arrays) -> Iterable[torch.Tensor]:
    """Tensors of arrays, which lie in Ray's memory and must not be written to."""
    return (torch.from_numpy(part.copy()) for part in parts)
