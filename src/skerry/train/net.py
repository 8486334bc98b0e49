"""The net: one for all boards of a game.

It is made of convolutions over the board's grid, which fit boards of any size, and of sums over the
whole board, by which far corners hear of each other. What lies off the board stays 0. There is no
normalisation: each block begins as nothing at all and grows from there, which trains as well and
leaves nothing but sums and products to whoever plays with it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from skerry.core.game import Game
from skerry.core.state import State
from skerry.nets.file import Net
from skerry.nets.shape import HEAD, Shape, count_flags, hears, pad
from skerry.nets.sight import look_at

POSITIONS = 2048  # that an appraiser asks a net about at a time


class Said(NamedTuple):
    """What a net says: logits of actions, of who wins, and of what will stand where at the end."""

    policy: Tensor  # [positions, actions]
    outlook: Tensor  # [positions, seats + 1] the mover, the next ..., a draw
    finals: Tensor  # [positions, cells, planes + 1]


class SightModule(nn.Module):
    """How a net sees the positions of one game: from codes to planes, and from places to cells."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        seen = look_at(game)
        self.height, self.width, self.planes = seen.height, seen.width, seen.kinds
        cells, area = len(game.board), seen.height * seen.width
        cell_at = np.full(area, cells, np.int64)
        cell_at[seen.places] = np.arange(cells)
        # The plane behind those of pieces tells what is board.
        one_hot = np.zeros((seen.kinds + 2, pad(seen.kinds + 1)), np.float32)
        one_hot[np.arange(1, seen.kinds + 1), np.arange(seen.kinds)] = 1
        one_hot[:-1, seen.kinds] = 1
        mask = (cell_at < cells).astype(np.float32)
        self.options: Tensor
        for name, value in {
            "labels": seen.labels,
            "cell_at": cell_at,
            "places": seen.places,
            "one_hot": one_hot,
            "mask": mask.reshape(1, 1, seen.height, seen.width),
            "options": seen.options,
        }.items():
            self.register_buffer(name, torch.from_numpy(np.ascontiguousarray(value)))

    def relabel(self, codes: Tensor, seats: Tensor) -> Tensor:
        """[positions, cells] codes as whoever moves sees them."""
        return torch.gather(self.labels[seats.long()], 1, codes.long())

    def look(
        self, codes: Tensor, seats: Tensor, counters: Tensor, strangers: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """The planes and the facts of positions; ``codes`` are [positions, cells], and
        ``strangers`` have a bit for every seat that others than the net are known to have."""
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
                self._flag(seats, strangers),
            ],
            1,
        )
        return planes, facts.to(planes.dtype)

    def _flag(self, seats: Tensor, strangers: Tensor | None) -> Tensor:
        """Whether the mover is a stranger, whether the next is ...; nobody is if nothing is known.

        Nets for two seats are not told."""
        flags = count_flags(self.game.num_seats)
        if strangers is None or not flags:
            return torch.zeros((len(seats), flags), device=seats.device)
        places = (seats.long()[:, None] + torch.arange(flags, device=seats.device)) % flags
        return strangers.long()[:, None] >> places & 1

    def ask(
        self,
        speak: Callable[..., Said],
        codes: Tensor,
        seats: Tensor,
        counters: Tensor,
        strangers: Tensor | None = None,
        finals: bool = False,
    ) -> Said:
        """What a net says of positions."""
        planes, facts = self.look(codes, seats, counters, strangers)
        return speak(self.mask, self.places, planes, facts, finals)


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

    def __init__(self, channels: int, blocks: int, listens: bool) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.hears = nn.Linear(2 * channels, channels) if listens else None
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


class NetModule(nn.Module):
    """A net of a shape, which takes what any ``SightModule`` of its game shows."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape, channels, head = shape, shape.channels, HEAD
        self.enter = nn.Conv2d(pad(shape.planes + 1), channels, 3, padding=1)
        self.told = nn.Linear(shape.facts, channels)
        self.blocks = nn.ModuleList(
            Block(channels, shape.blocks, hears(number)) for number in range(shape.blocks)
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
        told = self.told(facts[:, : self.shape.facts])  # some nets know no strangers
        x = (self.enter(planes) + told[:, :, None, None]) * mask
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


def load_net(net: Net) -> NetModule:
    """A net of a file, in torch."""
    module = NetModule(net.shape)
    # What only learning needs, players' nets do not have.
    module.load_state_dict(
        {name: torch.from_numpy(value) for name, value in net.weights.items()}, strict=False
    )
    return module


class Appraiser:
    """A net that looks once at each position of a game."""

    def __init__(self, net: Net, game: Game, device: str) -> None:
        self.seats, self.device = game.num_seats, device
        self.module = load_net(net).to(device)
        self.sight = SightModule(game).to(device)

    @torch.inference_mode()
    def expect(self, states: Sequence[State]) -> NDArray[np.float32]:
        """[states, seats] the share of the points that every seat can expect."""
        found = [np.zeros((0, self.seats), np.float32)]
        for first in range(0, len(states), POSITIONS):
            part = states[first : first + POSITIONS]
            codes = torch.from_numpy(np.stack([state.codes for state in part])).to(self.device)
            movers = torch.tensor([state.turn for state in part], device=self.device)
            counters = torch.tensor([state.counter for state in part], device=self.device)
            said = self.sight.ask(self.module, codes, movers, counters)
            shares = said.outlook.float().softmax(1)
            # The mover comes first, then whoever is next; draws are last.
            places = (torch.arange(self.seats, device=self.device) - movers[:, None]) % self.seats
            own = torch.gather(shares, 1, places) + shares[:, self.seats :] / self.seats
            found.append(own.cpu().numpy())
        return np.concatenate(found)
