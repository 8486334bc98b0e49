"""A net at work without any kernel: what it says of a position, summed up by NumPy.

The same sums as in ``nets.forward``, several times as slow, and at once: nothing is compiled.
"""

import numpy as np

from skerry.core.game import Game
from skerry.nets.file import Net
from skerry.nets.forward import Codes, survey
from skerry.nets.matrices import Floats
from skerry.nets.shape import hears

AROUND = 9  # a cell and its neighbours on the grid
# Products of more than this are shared among threads by OpenBLAS, which wait for each other for
# longer than the product takes where other work goes on beside.
ALONE = 1 << 18


class PlainNet:
    """A net that looks at positions of one game, one at a time."""

    def __init__(self, game: Game, net: Net) -> None:
        self.ground = survey(game)
        self.net, w = net, net.weights
        kinds = net.shape.planes
        planes = w["enter.weight"].transpose(2, 3, 1, 0).reshape(AROUND, -1, net.shape.channels)
        board = planes[:, kinds : kinds + 1]
        # By what stands there: nothing, a kind of piece, and last what is off the board.
        self.enter = np.concatenate([board, planes[:, :kinds] + board, 0 * board], 1)
        self.layers = {
            name.removesuffix(".weight"): _turn(w[name]) for name in w if name.endswith(".weight")
        }
        parts = -(-len(self.ground.near) * net.shape.channels**2 // ALONE)
        self.parts = np.array_split(self.ground.near.T, parts, 1)

    def look(
        self, codes: Codes, seat: int, counter: int, strangers: int = 0
    ) -> tuple[Floats, Floats]:
        """Logits of all actions, and the chances of the mover, the next seats, and a draw."""
        ground = self.ground
        labels = np.append(ground.labels[seat, codes], self.net.shape.planes + 1)
        told = self._combine("told", self._list_facts(seat, counter, strangers))
        stream = self.enter[np.arange(AROUND), labels[ground.near]].sum(1)
        stream += self.net.weights["enter.bias"] + told
        for number in range(self.net.shape.blocks):
            branch = self._convolve(f"blocks.{number}.first", stream)
            if hears(number):
                branch += self._combine(f"blocks.{number}.hears", _pool(np.maximum(branch, 0)))
            stream = stream + self._convolve(f"blocks.{number}.second", branch)
        return self._speak(np.maximum(stream, 0))

    def _list_facts(self, seat: int, counter: int, strangers: int) -> Floats:
        """What a net is told of the game as a whole, as ``nets.sight`` says."""
        seats = len(self.ground.labels)
        flags = [strangers >> (seat + place) % seats & 1 for place in range(seats)]
        moves = [place == seat for place in range(seats)]
        told = [*moves, counter / 100, min(counter, 1), *self.ground.options, *flags]
        return np.array(told[: self.net.shape.facts], np.float32)

    def _convolve(self, name: str, board: Floats) -> Floats:
        """A convolution of what is above 0 on the cells of a board."""
        rim = np.zeros((1, board.shape[1]), np.float32)
        cells = np.concatenate([np.maximum(board, 0), rim])
        sums = [(cells[part] @ self.layers[name]).sum(0) for part in self.parts]
        return np.concatenate(sums) + self.net.weights[f"{name}.bias"]

    def _combine(self, name: str, inputs: Floats) -> Floats:
        """A linear layer."""
        total: Floats = inputs @ self.layers[name] + self.net.weights[f"{name}.bias"]
        return total

    def _speak(self, stream: Floats) -> tuple[Floats, Floats]:
        policy = np.maximum(self._combine("policy_in", stream), 0)
        heard = _pool(policy)
        policy = np.maximum(policy + self._combine("policy_hears", heard), 0)
        extras = self._combine("policy_extras", heard)[: self.net.shape.extras]
        logits = np.concatenate([self._combine("policy_out", policy).ravel(), extras])
        seen = _pool(np.maximum(self._combine("outlook_in", stream), 0))
        inner = np.maximum(self._combine("outlook_inner", seen), 0)
        outlook = self._combine("outlook_out", inner)
        chances = np.exp(outlook - outlook.max())
        return logits, chances / chances.sum()


def _turn(weights: Floats) -> Floats:
    """[inputs, outputs], of convolutions for each neighbour; ``weights`` have outputs first."""
    if weights.ndim == 2 or weights.shape[2:] == (1, 1):
        return np.ascontiguousarray(weights.reshape(len(weights), -1).T)
    turned = weights.transpose(2, 3, 1, 0)
    return np.ascontiguousarray(turned.reshape(AROUND, *turned.shape[2:]))


def _pool(cells: Floats) -> Floats:
    """Of each channel the mean and the root mean square; nothing is below 0."""
    square: Floats = np.sqrt((cells * cells).mean(0) + np.float32(1e-4))
    return np.concatenate([cells.mean(0), square])
