"""The loop: play, remember, learn; from nothing, or from where it was left."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any

import torch

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.nets.file import LATEST, OF_MINUTE, Net, write_net
from skerry.nets.shape import Shape
from skerry.nets.sight import shape_for
from skerry.train import checkpoint
from skerry.train.learner import Learner, judge
from skerry.train.net import NetModule
from skerry.train.practice import Feed, LocalPlay, Practice
from skerry.train.recipe import Recipe

CHECKPOINT = "checkpoint.pt"
CURVE = "curve.jsonl"
FIRST_MINUTE = 1 / 16  # of which the net is kept; the next is twice as late, and so on
COLDEST = 0.1  # of the learning rate, at the end of a run
SAVE_EVERY = 30.0  # seconds
LOSSES_EVERY = 20  # steps of learning: reading a number waits for the device
ROUNDS_AHEAD = 16  # before there is enough to learn from


@dataclass
class Headway:
    """How far a run has come, over all times that it was taken up."""

    minutes: float = 0.0
    rounds: int = 0
    positions: int = 0
    games: int = 0


class Run:
    """A run of training, which can be left and taken up again.

    It learns from games that are played here, some of them against a ``rival`` if the recipe says
    so, or from those of a ``feed``. A new run begins with random weights, or with those of
    another's net.
    """

    def __init__(
        self,
        game: Game,
        others: list[Game],
        recipe: Recipe,
        device: str,
        folder: Path,
        feed: Feed | None = None,
        start: Net | None = None,
        rival: Net | None = None,
    ) -> None:
        self.games, self.recipe, self.device, self.folder = [game, *others], recipe, device, folder
        torch.manual_seed(recipe.seed)
        net = NetModule(shape_for(game, recipe.channels, recipe.blocks)).to(device)
        is_gpu = device != "cpu"
        if is_gpu:
            net.to(memory_format=torch.channels_last)
        self.learner = Learner(net, recipe.rate, compiled=is_gpu)
        self.headway = Headway()
        self.last: dict[str, Any] = {}  # what was told last
        if (folder / CHECKPOINT).exists():
            self._read(folder / CHECKPOINT)
        elif start is not None:
            self._begin_with(start)
        seed = recipe.seed + self.headway.rounds
        self.generator = torch.Generator(device).manual_seed(seed)
        self.feed = feed or LocalPlay(self.games, recipe, net.shape, device, seed, rival)
        self.rival = rival

    def _read(self, path: Path) -> None:
        kept = checkpoint.read(path, self.games[0], self.device)
        if not self._fits(Shape(**kept["shape"])):
            shape = f"{kept['shape']['blocks']} blocks of {kept['shape']['channels']} channels"
            raise OptionsError(f"{path} has a net of another shape: {shape}")
        self.learner.read(kept)
        self.headway = Headway(**kept["headway"])

    def _fits(self, shape: Shape) -> bool:
        """Whether a net of some shape can go on here; some were not told of strangers."""
        ours = self.learner.net.shape
        return shape in (ours, ours.without_strangers)

    def _begin_with(self, start: Net) -> None:
        if not self._fits(start.shape):
            shape = f"{start.shape.blocks} blocks of {start.shape.channels} channels"
            raise OptionsError(f"a run here cannot begin with a net of another shape: {shape}")
        self.learner.take({name: torch.from_numpy(value) for name, value in start.weights.items()})
        self.headway = Headway(**start.card.get("headway", {}))

    def warm_up(self) -> None:
        """Compile all that will be needed, which is no time of training."""
        self.feed.warm_up(self.learner)
        for practice in self.feed.practices[: len(self.games)]:
            practice.replay.seen = 1
            lesson = practice.replay.draw(self.recipe.lesson, self.generator)
            judge(self.learner.speak, practice.sight, lesson).total.backward()
            practice.replay.seen = 0

    def train(
        self, minutes: float, tell: Callable[[dict[str, Any]], None], every: float = 10.0
    ) -> None:
        """Train for so long; ``tell`` hears how it goes."""
        began = told = saved = perf_counter()
        told_positions = self.headway.positions
        before = self.headway.minutes
        marks = _list_marks(before)
        mark = next(marks)
        losses: list[dict[str, float]] = []
        is_over = False
        while not is_over:
            self.learner.warmth = self._cool((perf_counter() - began) / (minutes * 60))
            losses += self._round()
            now = perf_counter()
            self.headway.minutes = before + (now - began) / 60
            is_over = now - began >= minutes * 60
            if self.headway.minutes >= mark:
                self._write_net(OF_MINUTE.format(f"{mark:g}"))
                mark = next(marks)
            if now - told >= every or is_over:
                speed = (self.headway.positions - told_positions) / (now - told)
                self._tell(losses, speed, tell)
                told, told_positions, losses = now, self.headway.positions, []
            if now - saved >= SAVE_EVERY or is_over:
                checkpoint.write(self.folder / CHECKPOINT, self.learner.net.shape, self._content())
                self._write_net(LATEST)
                saved = now

    def _cool(self, passed: float) -> float:
        """What is left of the learning rate when so much of a run has passed. Towards its end steps
        become smaller: large ones find their way sooner, small ones arrive."""
        left = (1 - passed) / self.recipe.cooling if self.recipe.cooling else 1.0
        return min(1.0, max(COLDEST, left))

    def _tell(
        self, losses: list[dict[str, float]], speed: float, tell: Callable[[dict[str, Any]], None]
    ) -> None:
        names = losses[0] if losses else ()
        means = {name: sum(each[name] for each in losses) / len(losses) for name in names}
        if not all(map(isfinite, means.values())):
            raise ArithmeticError(f"the net has broken down: {means}")
        self.headway.games += sum(each.replay.count_ended() for each in self.feed.practices)
        self.last = entry = asdict(self.headway) | {"speed": speed} | means
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / CURVE).open("a") as file:
            file.write(json.dumps(entry) + "\n")
        tell(entry)

    def _round(self) -> Iterator[dict[str, float]]:
        """The next rounds that are played, and what is to be learnt from them."""
        for practice, played in self.feed.play(self.learner):
            practice.replay.keep(played)
            self.headway.rounds += 1
            self.headway.positions += practice.batch
            yield from self._learn(practice)

    def _learn(self, practice: Practice) -> Iterator[dict[str, float]]:
        """As many lessons as a round is worth."""
        practice.owed += self.recipe.uses * practice.batch / self.recipe.lesson
        if practice.replay.seen < ROUNDS_AHEAD:
            practice.owed = 0.0
        while practice.owed >= 1:
            practice.owed -= 1
            drawn = practice.replay.draw(self.recipe.lesson, self.generator)
            losses = judge(
                self.learner.speak, practice.sight, practice.turner.turn(drawn, self.generator)
            )
            self.learner.learn(losses)
            if self.learner.steps % LOSSES_EVERY == 0:
                yield losses.write()

    def _write_net(self, name: str) -> None:
        card: dict[str, Any] = {"recipe": asdict(self.recipe), "headway": asdict(self.headway)}
        if self.rival is not None:
            card["rival"] = self.rival.digest
        weights = self.learner.average.state_dict().items()
        write_net(
            self.folder / name,
            Net(
                self.games[0].name,
                self.learner.net.shape,
                {key: value.float().cpu().numpy() for key, value in weights},
                card | {"boards": [game.options for game in self.games]},
            ),
        )

    def _content(self) -> dict[str, Any]:
        return {
            "game": self.games[0].name,
            "options": self.games[0].options,
            "recipe": asdict(self.recipe),
            "headway": asdict(self.headway),
            **self.learner.write(),
        }


def _list_marks(after: float) -> Iterator[float]:
    """The minutes of which a net is kept: 1/16, 1/8 and so on up to 1, 2, 4, 8 ..."""
    mark = FIRST_MINUTE
    while True:
        if mark > after:
            yield mark
        mark *= 2
