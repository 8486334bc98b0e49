"""The net: one for all boards of a game.

It is made of convolutions over the board's grid, which fit boards of any size, and of sums over the
whole board, by which far corners hear of each other. What lies off the board stays 0. There is no
normalisation: each block begins as nothing at all and grows from there, which trains as well and
leaves nothing but sums and products to whoever plays with it.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from skerry.core.game import Game
from skerry.rl.planes import lay_out


@dataclass(frozen=True)
class Shape:
    """How large a net is, and what it takes and gives."""

    planes: int  # what may stand on a cell
    facts: int  # numbers about the game as a whole
    ways: int  # actions per cell
    extras: int  # actions of no cell
    seats: int
    channels: int = 64
    blocks: int = 6

    def write(self) -> dict[str, int]:
        return asdict(self)


class Said(NamedTuple):
    """What a net says: logits of actions, of who wins, and of what will stand where at the end."""

    policy: Tensor  # [positions, actions]
    outlook: Tensor  # [positions, seats + 1] the mover, the next ..., a draw
    finals: Tensor  # [positions, cells, planes + 1]


class Sight(nn.Module):
    """How a net sees the positions of one game: from codes to planes, and from places to cells."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        layout = lay_out(game)
        _, height, width = layout.shape
        self.height, self.width = height, width
        area = height * width
        kinds = int(layout.start_of[:, 1:-1].max()) // area + 1
        self.planes = kinds
        # By who looks: 0 for what is empty, else 1 and the number of its plane.
        seen = 1 + layout.start_of[:, : game.num_codes].astype(np.int64) // area
        seen[:, 0] = 0
        for code in set(range(1, game.num_codes)) - set(_seen_codes(game)):
            seen[:, code] = 0
        cell_at = np.full(area, len(game.board), np.int64)
        cell_at[layout.place_of] = np.arange(len(game.board))
        # The plane behind those of pieces tells what is board.
        one_hot = np.zeros((kinds + 2, pad(kinds + 1)), np.float32)
        one_hot[np.arange(1, kinds + 1), np.arange(kinds)] = 1
        one_hot[:-1, kinds] = 1
        options = np.array([game.options[s.name] / s.default for s in game.option_specs])
        self.options: Tensor
        for name, value in {
            "seen": seen,
            "cell_at": cell_at,
            "place_of": layout.place_of.astype(np.int64),
            "one_hot": one_hot,
            "mask": layout.board.astype(np.float32).reshape(1, 1, height, width),
            "options": options.astype(np.float32),
        }.items():
            self.register_buffer(name, torch.from_numpy(np.ascontiguousarray(value)))

    @property
    def facts(self) -> int:
        """How many numbers tell of the game as a whole."""
        return self.game.num_seats + 2 + len(self.game.option_specs)

    def relabel(self, codes: Tensor, seats: Tensor) -> Tensor:
        """[positions, cells] codes as whoever moves sees them."""
        return torch.gather(self.seen[seats.long()], 1, codes.long())

    def look(self, codes: Tensor, seats: Tensor, counters: Tensor) -> tuple[Tensor, Tensor]:
        """The planes and the facts of positions; ``codes`` are [positions, cells]."""
        labels = functional.pad(self.relabel(codes, seats), (0, 1), value=self.planes + 1)
        planes = self.one_hot[labels[:, self.cell_at]]
        planes = planes.view(-1, self.height, self.width, planes.shape[-1]).permute(0, 3, 1, 2)
        counted = counters.float()[:, None]
        facts = torch.cat(
            [
                functional.one_hot(seats.long(), self.game.num_seats),
                counted / 100,
                counted.clamp(max=1),
                self.options.expand(len(seats), -1),
            ],
            1,
        )
        return planes, facts.to(planes.dtype)

    def ask(
        self,
        speak: Callable[..., Said],
        codes: Tensor,
        seats: Tensor,
        counters: Tensor,
        finals: bool = False,
    ) -> Said:
        """What a net says of positions."""
        planes, facts = self.look(codes, seats, counters)
        return speak(self.mask, self.place_of, planes, facts, finals)


def _seen_codes(game: Game) -> list[int]:
    """Codes that a plane shows: all but those of pieces that never change."""
    fixed = set(game.fixtures.values())
    letters = [1 + n for n, letter in enumerate(game.letters) if letter not in fixed]
    return letters + list(range(1 + len(game.letters), game.num_codes))


def shape_for(game: Game, channels: int = 64, blocks: int = 6) -> Shape:
    """The shape of a net for all boards of a game."""
    sight = Sight(game)
    ways = game.num_actions // len(game.board)
    extras = game.num_actions - ways * len(game.board)
    return Shape(sight.planes, sight.facts, ways, extras, game.num_seats, channels, blocks)


def pad(channels: int) -> int:
    """So many channels as GPUs like: a whole number of eights."""
    return -(-channels // 8) * 8


def pool(x: Tensor, mask: Tensor) -> Tensor:
    """What is true of a board on the whole: the mean of every channel, and its root mean square,
    in which single high values show. (The gradient of a maximum divides by how many places have
    it, which compiled in few bits may come to none.)"""
    seen = (x * mask).float()
    mean = seen.sum((2, 3)) / mask.sum()
    square = (seen * seen).sum((2, 3)) / mask.sum()
    return torch.cat([mean, (square + 1e-4).sqrt()], 1).to(x.dtype)


class Block(nn.Module):
    """Two convolutions beside a shortcut; some hear of the whole board between them."""

    def __init__(self, channels: int, blocks: int, hears: bool) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.hears = nn.Linear(2 * channels, channels) if hears else None
        nn.init.kaiming_normal_(self.first.weight)
        with torch.no_grad():
            self.first.weight *= blocks**-0.5
        nn.init.zeros_(self.second.weight)
        for layer in (self.first, self.second):
            nn.init.zeros_(layer.bias)
        if self.hears is not None:
            nn.init.zeros_(self.hears.weight)
            nn.init.zeros_(self.hears.bias)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        inner = self.first(functional.relu(x))
        if self.hears is not None:
            inner = inner + self.hears(pool(functional.relu(inner), mask))[:, :, None, None]
        return x + self.second(functional.relu(inner) * mask) * mask


class Net(nn.Module):
    """A net of a shape, which takes what any ``Sight`` of its game shows."""

    HEAD = 32

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape, channels, head = shape, shape.channels, self.HEAD
        self.enter = nn.Conv2d(pad(shape.planes + 1), channels, 3, padding=1)
        self.told = nn.Linear(shape.facts, channels)
        self.blocks = nn.ModuleList(
            Block(channels, shape.blocks, number % 2 == 1) for number in range(shape.blocks)
        )
        self.policy_in = nn.Conv2d(channels, head, 1)
        self.policy_hears = nn.Linear(2 * head, head)
        self.policy_out = nn.Conv2d(head, shape.ways, 1)
        self.policy_extras = nn.Linear(2 * head, max(1, shape.extras))
        self.outlook_in = nn.Conv2d(channels, head, 1)
        self.outlook_inner = nn.Linear(2 * head, 2 * head)
        self.outlook_out = nn.Linear(2 * head, shape.seats + 1)
        self.finals_out = nn.Conv2d(channels, shape.planes + 1, 1)
        for layer in (self.policy_out, self.policy_extras, self.outlook_out, self.finals_out):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(
        self, mask: Tensor, places: Tensor, planes: Tensor, facts: Tensor, finals: bool = False
    ) -> Said:
        """What is to be said of positions; ``mask`` and ``places`` tell where cells are."""
        x = (self.enter(planes) + self.told(facts)[:, :, None, None]) * mask
        for block in self.blocks:
            x = block(x, mask)
        x = functional.relu(x)
        p = functional.relu(self.policy_in(x))
        heard = pool(p, mask)
        p = functional.relu(p + self.policy_hears(heard)[:, :, None, None])
        policy = _by_cell(self.policy_out(p), places).flatten(1)
        if self.shape.extras:
            policy = torch.cat([policy, self.policy_extras(heard)], 1)
        v = pool(functional.relu(self.outlook_in(x)), mask)
        outlook = self.outlook_out(functional.relu(self.outlook_inner(v)))
        last = _by_cell(self.finals_out(x), places) if finals else outlook
        return Said(policy, outlook, last)


def _by_cell(x: Tensor, places: Tensor) -> Tensor:
    """[positions, cells, channels]."""
    return x.flatten(2)[:, :, places].transpose(1, 2)


def list_images(game: Game) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """By symmetry: from which cell each cell's code comes, what codes become, and from which action
    each action's chance comes."""
    cells, codes, actions = [], [], []
    for number, symmetry in enumerate(game.symmetries):
        cells.append(np.argsort(symmetry.cells))
        codes.append(game.map_codes(symmetry).astype(np.int64))
        images = [game.transform_action(action, number) for action in range(game.num_actions)]
        actions.append(np.argsort(images))
    return np.array(cells), np.array(codes), np.array(actions)
