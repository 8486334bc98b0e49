"""What a net expects of positions at a look, very many at a time."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from skerry.core.game import Game
from skerry.core.state import State
from skerry.nets.file import Net
from skerry.train.net import NetModule, SightModule

POSITIONS = 2048  # that a net is asked about at a time


class Appraiser:
    """A net that looks once at each position of a game."""

    def __init__(self, net: Net, game: Game, device: str) -> None:
        self.seats, self.device = game.num_seats, device
        self.module = NetModule(net.shape)
        # What only learning needs, players' nets do not have.
        self.module.load_state_dict(
            {name: torch.from_numpy(value) for name, value in net.weights.items()}, strict=False
        )
        self.module.to(device)
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
