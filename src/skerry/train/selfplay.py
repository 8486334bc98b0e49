"""Self-play: games on all boards of a run, played by one net, an action in each at a time."""

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor

from skerry.core.game import Game
from skerry.nets.file import Net
from skerry.nets.shape import Shape
from skerry.train.forest import Forest, Round
from skerry.train.net import NetModule, Said, SightModule, load_net
from skerry.train.recipe import Recipe

PARTS = 4  # of a batch: as many positions are asked about at a time where rivals play, too

Speak = Callable[..., Said]


class SelfPlay:
    """Games that a net of some shape plays with itself, and with a rival if forests have such, in
    forests on one device."""

    def __init__(
        self, forests: Sequence[Forest], shape: Shape, device: str, rival: Net | None = None
    ) -> None:
        # In as few bits as the device is quick with.
        precision = torch.float32 if device == "cpu" else torch.bfloat16
        self.net = NetModule(shape).to(device, precision)
        self.speak = _make_speak(self.net)
        self.rival: Speak | None = None
        if rival is not None:
            self.rival = _make_speak(load_net(rival).to(device, precision))
        self.forests = forests
        self.sights = [SightModule(forest.game).to(device, precision) for forest in forests]

    @torch.no_grad()
    def follow(self, weights: Iterable[Tensor]) -> None:
        """Play with these weights from now on."""
        torch._foreach_copy_(list(self.net.parameters()), list(weights))

    @torch.inference_mode()
    def play(self, board: int) -> Round:
        """Search and play in every game on a board; what is told holds until the next call."""
        self.think(board)
        self.forests[board].play()
        return self.forests[board].tell()

    @torch.inference_mode()
    def think(self, board: int) -> None:
        """Search in every game on a board."""
        forest = self.forests[board]
        forest.plant()
        self.shares = self._share_out(forest)
        roots, outlooks = self.ask(board)
        forest.simulate(0, roots, outlooks)
        for number in range(1, forest.simulations + 1):
            forest.simulate(number, *self.ask(board))
        forest.conclude(roots)

    def ask(self, board: int) -> tuple[Tensor, Tensor]:
        """What the net says of the leaves: logits, and chances of who wins."""
        forest, sight = self.forests[board], self.sights[board]
        asked = forest.cells.T, forest.seats, forest.counters, forest.strangers
        if not self.shares:
            return _read(sight.ask(self.speak, *asked))
        logits = torch.empty_like(forest.targets)
        outlooks = logits.new_empty(forest.batch, forest.game.num_seats + 1)
        for speak, places in self.shares:
            said = sight.ask(speak, *(part[places] for part in asked))
            logits[places], outlooks[places] = _read(said)
        return logits, outlooks

    def _share_out(self, forest: Forest) -> list[tuple[Speak, Tensor]]:
        """Who is asked about which games: whoever moves there thinks about the whole tree. Parts
        are of one size, for which nets are compiled; nothing if the net has all games."""
        if self.rival is None or not forest.has_rivals:
            return []
        size = -(-forest.batch // PARTS)
        shares = []
        for speak, is_theirs in ((self.speak, ~forest.is_rival), (self.rival, forest.is_rival)):
            for places in is_theirs.nonzero()[:, 0].split(size):
                spare = places[:1].expand(size - len(places))  # asked about twice
                shares.append((speak, torch.cat([places, spare])))
        return shares


def _make_speak(net: NetModule) -> Speak:
    """A net as its device runs it quickest."""
    if next(net.parameters()).device.type == "cpu":
        return net
    return torch.compile(net.to(memory_format=torch.channels_last), dynamic=False)


def _read(said: Said) -> tuple[Tensor, Tensor]:
    """Logits, and chances of who wins."""
    return said.policy.float().contiguous(), said.outlook.float().softmax(1).contiguous()


def plant_forests(
    boards: Sequence[tuple[Game, int]],
    recipe: Recipe,
    device: str,
    seed: int,
    threads: int | None = None,
) -> list[Forest]:
    """A forest for every board; ``boards`` are the games and how many of each there are.

    On a CPU so many threads walk trees, or as many as there are cores.
    """
    company = recipe.guests, recipe.rivals, recipe.believer
    return [
        Forest(game, batch, recipe.simulations, device, seed, threads, *company)
        for game, batch in boards
    ]
