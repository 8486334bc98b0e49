"""Self-play: games on all boards of a run, played by one net, an action in each at a time."""

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor

from skerry.core.game import Game
from skerry.nets.shape import Shape
from skerry.train.forest import Forest, Round
from skerry.train.net import NetModule, Said, SightModule


class SelfPlay:
    """Games that a net of some shape plays with itself, in forests on one device."""

    def __init__(self, forests: Sequence[Forest], shape: Shape, device: str) -> None:
        is_gpu = device != "cpu"
        # In as few bits as the device is quick with.
        precision = torch.bfloat16 if is_gpu else torch.float32
        self.net = NetModule(shape).to(device, precision)
        self.speak: Callable[..., Said] = self.net
        if is_gpu:
            self.net.to(memory_format=torch.channels_last)
            self.speak = torch.compile(self.net, dynamic=False)
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
        roots, outlooks = self.ask(board)
        forest.simulate(0, roots, outlooks)
        for number in range(1, forest.simulations + 1):
            forest.simulate(number, *self.ask(board))
        forest.conclude(roots)

    def ask(self, board: int) -> tuple[Tensor, Tensor]:
        """What the net says of the leaves: logits, and chances of who wins."""
        forest, sight = self.forests[board], self.sights[board]
        asked = forest.cells.T, forest.seats, forest.counters, forest.strangers
        said = sight.ask(self.speak, *asked)
        return said.policy.float().contiguous(), said.outlook.float().softmax(1).contiguous()


def plant_forests(
    boards: Sequence[tuple[Game, int]],
    simulations: int,
    device: str,
    seed: int,
    threads: int | None = None,
    guests: float = 0.0,
) -> list[Forest]:
    """A forest for every board; ``boards`` are the games and how many of each there are.

    On a CPU so many threads walk trees, or as many as there are cores.
    """
    return [
        Forest(game, batch, simulations, device, seed, threads, guests) for game, batch in boards
    ]
