"""Nets for variants of a game: each is trained for a while, and then plays in bulk."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from skerry.core.state import State
from skerry.lab.corpus import Corpus
from skerry.lab.variants.choices import list_followers, share_of, weigh
from skerry.lab.variants.rules import Variant
from skerry.nets.file import LATEST, Net, read_net, write_net
from skerry.nets.shipped import has_net, shipped_net
from skerry.train.bulk import Bulk, Contender
from skerry.train.net import Appraiser
from skerry.train.recipe import BATCHES, Recipe
from skerry.train.run import Run

TRAINED = "trained.net"
RUN = "run"
FEWER = 8  # times as many simulations has a player as the weaker one
LEAST_SIMULATIONS = 2
GENTLE = 5e-4  # the learning rate of nets that know a game already

Show = Callable[[str], None]


class Trained:
    """Nets that were trained for so many minutes each, from the one that comes with skerry on."""

    def __init__(self, minutes: float, simulations: int, device: str, recipe: Recipe) -> None:
        self.minutes, self.simulations, self.device = minutes, simulations, device
        self.recipe = recipe

    @property
    def fewer(self) -> int:
        """The simulations of the weaker player."""
        return max(LEAST_SIMULATIONS, self.simulations // FEWER)

    @property
    def players(self) -> tuple[str, str]:
        return f"net:simulations={self.simulations}", f"net:simulations={self.fewer}"

    @property
    def settings(self) -> dict[str, Any]:
        return {"minutes": self.minutes, "simulations": self.simulations}

    def play(
        self, variant: Variant, seating: NDArray[np.int8], seed: int, folder: Path, show: Show
    ) -> Corpus:
        net = self._find_net(variant, folder, show)
        show("compiling")
        contenders = [Contender(net, self.simulations), Contender(net, self.fewer)]
        bulk = Bulk(variant.game, contenders, self.device, min(BATCHES[self.device], len(seating)))
        played = bulk.play(
            seating, seed=seed, tell=lambda done: show(f"{done:,} of {len(seating):,} games")
        )
        self._let_go()
        return played

    def _find_net(self, variant: Variant, folder: Path, show: Show) -> Net:
        """The net of a variant, which is trained unless that has been done."""
        path = folder / TRAINED
        if path.exists():
            return read_net(path, variant.game)
        start = shipped_net(variant.game) if has_net(variant.game) else None
        if self.minutes == 0 and start is not None:
            net = start
        else:
            show("compiling")
            net = self._train(variant, folder / RUN, start, show)
        write_net(path, net)
        return net

    def _train(self, variant: Variant, folder: Path, start: Net | None, show: Show) -> Net:
        recipe, before = self.recipe, 0.0
        if start is not None:
            shape = start.shape
            recipe = replace(recipe, rate=GENTLE, channels=shape.channels, blocks=shape.blocks)
            before = start.card.get("headway", {}).get("minutes", 0.0)
        run = Run(variant.game, [], recipe, self.device, folder, start=start)
        run.warm_up()
        left = self.minutes - (run.headway.minutes - before)
        if left > 0 or not (folder / LATEST).exists():
            run.train(max(left, 0.0) or 1e-3, lambda told: show(_say(told, before)))
        del run
        self._let_go()
        return read_net(folder / LATEST, variant.game)

    def _let_go(self) -> None:
        """Forget what was compiled for one variant: there is a limit to how much may be."""
        torch.compiler.reset()
        gc.collect()
        if self.device != "cpu":
            torch.cuda.empty_cache()

    def weigh(
        self, variant: Variant, states: Sequence[State], seed: int, folder: Path, show: Show
    ) -> list[float]:
        net = read_net(folder / TRAINED, variant.game)
        appraiser = Appraiser(net, variant.game, self.device)
        return [_weigh_one(appraiser, state) for state in states]


def _say(told: dict[str, Any], before: float) -> str:
    return f"{told['minutes'] - before:.1f} minutes of training, {told['games']:,} games"


def _weigh_one(appraiser: Appraiser, state: State) -> float:
    """Which share of the moves cost something, by what they are worth to whoever makes them."""
    seat, followers = state.to_move or 0, list_followers(state)
    known = [share_of(after, seat) for after in followers]
    asked = [after for after, value in zip(followers, known, strict=True) if value is None]
    hoped = iter(appraiser.expect(asked)[:, seat].tolist())
    return weigh([next(hoped) if value is None else value for value in known])
