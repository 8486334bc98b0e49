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
from skerry.nets.file import Net, write_net
from skerry.nets.shape import Shape
from skerry.nets.sight import shape_for
from skerry.train import checkpoint
from skerry.train.forest import Forest
from skerry.train.learner import Learner, Turner, judge
from skerry.train.net import NetModule, Said, SightModule
from skerry.train.replay import ReplayBuffer

CHECKPOINT = "checkpoint.pt"
LATEST = "latest.net"
CURVE = "curve.jsonl"
FIRST_MINUTE = 0.25  # of which the net is kept; the next is twice as late, and so on
SAVE_EVERY = 30.0  # seconds
LOSSES_EVERY = 20  # steps of learning: reading a number waits for the device
ROUNDS_AHEAD = 16  # before there is enough to learn from


@dataclass(frozen=True)
class Recipe:
    """How to train. The defaults suit a large GPU; ``small`` is for the cores of a laptop."""

    batch: int = 8192  # games at a time
    simulations: int = 16
    steps_kept: int = 256
    lesson: int = 8192  # positions that a step of learning takes
    uses: float = 3.0  # how often a position is learnt from
    channels: int = 64
    blocks: int = 6
    rate: float = 2e-3
    seed: int = 0
    others_every: int = 4  # one round in so many is played on a smaller or larger board

    @classmethod
    def small(cls, seed: int = 0) -> "Recipe":
        return cls(batch=128, steps_kept=128, lesson=256, channels=24, blocks=3, seed=seed)


@dataclass
class Headway:
    """How far a run has come, over all times that it was taken up."""

    minutes: float = 0.0
    rounds: int = 0
    positions: int = 0
    games: int = 0


def precision_of(device: str) -> torch.dtype:
    """What nets play with: half as many bits where that is quicker."""
    return torch.float32 if device == "cpu" else torch.bfloat16


class Practice:
    """A board of the game: its trees, what they have shown lately, and how the net sees it."""

    def __init__(self, game: Game, recipe: Recipe, batch: int, device: str, seed: int) -> None:
        self.game, self.batch = game, batch
        self.sight = SightModule(game).to(device)
        self.playing_sight = SightModule(game).to(device, precision_of(device))
        self.forest = Forest(game, batch, recipe.simulations, device, seed)
        self.replay = ReplayBuffer(game, batch, recipe.steps_kept, device)
        self.turner = Turner(game, device)
        self.owed = 0.0  # lessons


class Run:
    """A run of training, which can be left and taken up again."""

    def __init__(self, game: Game, others: list[Game], recipe: Recipe, device: str, folder: Path):
        self.game, self.recipe, self.device, self.folder = game, recipe, device, folder
        torch.manual_seed(recipe.seed)
        net = NetModule(shape_for(game, recipe.channels, recipe.blocks)).to(device)
        # Who plays: the average, in as few bits as the device is quick with.
        self.player = NetModule(net.shape).to(device, precision_of(device))
        self.speak: Callable[..., Said] = self.player
        is_gpu = device != "cpu"
        if is_gpu:
            for each in (net, self.player):
                each.to(memory_format=torch.channels_last)
            self.speak = torch.compile(self.player, dynamic=False)
        self.learner = Learner(net, recipe.rate, compiled=is_gpu)
        self.headway = Headway()
        self.last: dict[str, Any] = {}  # what was told last
        if (folder / CHECKPOINT).exists():
            self._read(folder / CHECKPOINT)
        seed = recipe.seed + self.headway.rounds
        self.generator = torch.Generator(device).manual_seed(seed)
        sizes = [(game, recipe.batch), *((other, recipe.batch // 2) for other in others)]
        self.boards = [Practice(board, recipe, batch, device, seed) for board, batch in sizes]

    def _read(self, path: Path) -> None:
        kept = checkpoint.read(path, self.game, self.device)
        if Shape(**kept["shape"]) != self.learner.net.shape:
            shape = f"{kept['shape']['blocks']} blocks of {kept['shape']['channels']} channels"
            raise OptionsError(f"{path} has a net of another shape: {shape}")
        self.learner.read(kept)
        self.headway = Headway(**kept["headway"])

    def warm_up(self) -> None:
        """Compile all that will be needed, which is no time of training."""
        for practice in self.boards:
            self._think(practice)
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
            losses += self._round(self._choose_practice())
            now = perf_counter()
            self.headway.minutes = before + (now - began) / 60
            is_over = now - began >= minutes * 60
            if self.headway.minutes >= mark:
                self._write_net(f"minute-{mark:g}.net")
                mark = next(marks)
            if now - told >= every or is_over:
                speed = (self.headway.positions - told_positions) / (now - told)
                self._tell(losses, speed, tell)
                told, told_positions, losses = now, self.headway.positions, []
            if now - saved >= SAVE_EVERY or is_over:
                checkpoint.write(self.folder / CHECKPOINT, self.learner.net.shape, self._content())
                self._write_net(LATEST)
                saved = now

    def _tell(
        self, losses: list[dict[str, float]], speed: float, tell: Callable[[dict[str, Any]], None]
    ) -> None:
        names = losses[0] if losses else ()
        means = {name: sum(each[name] for each in losses) / len(losses) for name in names}
        if not all(map(isfinite, means.values())):
            raise ArithmeticError(f"the net has broken down: {means}")
        self.last = entry = asdict(self.headway) | {"speed": speed} | means
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / CURVE).open("a") as file:
            file.write(json.dumps(entry) + "\n")
        tell(entry)

    def _choose_practice(self) -> Practice:
        """Mostly the board that matters; now and then another, by turns."""
        self.headway.rounds += 1
        number, rest = divmod(self.headway.rounds, self.recipe.others_every)
        if rest or len(self.boards) == 1:
            return self.boards[0]
        return self.boards[1 + number % (len(self.boards) - 1)]

    def _round(self, practice: Practice) -> Iterator[dict[str, float]]:
        """One action in every game of a practice, and what is to be learnt from it."""
        self._play(practice)
        self.headway.positions += practice.batch
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
                self.headway.games += practice.replay.count_ended()
                yield losses.write()

    @torch.inference_mode()
    def _think(self, practice: Practice) -> None:
        """Search in every game of a practice."""
        forest = practice.forest
        forest.plant()
        roots, outlooks = self._ask(practice)
        forest.simulate(0, roots, outlooks)
        for number in range(1, self.recipe.simulations + 1):
            forest.simulate(number, *self._ask(practice))
        forest.conclude(roots)

    @torch.inference_mode()
    def _play(self, practice: Practice) -> None:
        self.learner.show(self.player)
        self._think(practice)
        practice.replay.see(practice.forest)
        practice.forest.play()
        practice.replay.end(practice.forest)

    def _ask(self, practice: Practice) -> tuple[torch.Tensor, torch.Tensor]:
        """What the averaged net says of the leaves: logits, and chances of who wins."""
        forest, sight = practice.forest, practice.playing_sight
        said = sight.ask(self.speak, forest.cells.T, forest.seats, forest.counters)
        return said.policy.float().contiguous(), said.outlook.float().softmax(1).contiguous()

    def _write_net(self, name: str) -> None:
        card = {"recipe": asdict(self.recipe), "headway": asdict(self.headway)}
        weights = self.learner.average.state_dict().items()
        write_net(
            self.folder / name,
            Net(
                self.game.name,
                self.learner.net.shape,
                {key: value.float().cpu().numpy() for key, value in weights},
                card | {"boards": [practice.game.options for practice in self.boards]},
            ),
        )

    def _content(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "options": self.game.options,
            "recipe": asdict(self.recipe),
            "headway": asdict(self.headway),
            **self.learner.write(),
        }


def _list_marks(after: float) -> Iterator[float]:
    """The minutes of which a net is kept: a quarter, a half, 1, 2, 4 and so on."""
    mark = FIRST_MINUTE
    while True:
        if mark > after:
            yield mark
        mark *= 2
