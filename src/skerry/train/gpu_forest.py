"""The trees of a batch of games where a GPU walks them; needs one, or Numba's simulation."""

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from skerry.rl.device import load_gpu, read_record
from skerry.train import gpu_guests
from skerry.train.gpu import BLOCK, build_kernels

if TYPE_CHECKING:
    from skerry.train.forest import Forest


class OnGPU:
    """Trees on a GPU; records of nodes lie word by word, as those of batches do."""

    def __init__(self, forest: "Forest") -> None:
        gpu: Any = load_gpu()
        self.forest, game, self.cuda = forest, forest.game, gpu.cuda
        self.is_simulated: bool = gpu.SIMULATED
        self.kernels = build_kernels(game.dtype, game.num_actions, game.num_seats)
        self.grid = (-(-forest.batch // BLOCK), BLOCK)
        unit, kept = gpu.unit_of(game.dtype), gpu.kept_of(game.dtype)
        self.tables = self.cuda.to_device(game.tables)
        self.blank = self.cuda.to_device(np.zeros(1, game.dtype))
        self.games = self.cuda.device_array((kept, forest.batch), unit)
        nodes = forest.simulations + 1
        self.records = self.cuda.device_array((kept, nodes * forest.batch), unit)
        self.nodes = self.cuda.device_array((forest.batch, nodes), forest.node_dtype)
        self.visits = self.cuda.to_device(forest.plan)
        self.asked = tuple(map(self._take, (forest.cells, forest.seats, forest.counters)))
        self.concluded = tuple(map(self._take, (forest.targets, forest.actions, forest.worths)))
        self.ended = tuple(map(self._take, (forest.outcomes, forest.finals)))
        self.strangers, self.rivals = map(self._take, (forest.strangers, forest.rivals))
        self.foretold = self._take(forest.foretold)

    def _take(self, tensor: torch.Tensor) -> Any:
        """A tensor as kernels take it."""
        if self.is_simulated:
            return tensor.numpy()
        return self.cuda.as_cuda_array(tensor.detach())

    def record(self, k: int) -> Any:
        return read_record(self.games, k, self.forest.game.dtype)

    def begin(self, searches: Any) -> None:
        self.searches = self.cuda.to_device(searches)
        self.kernels.begin[self.grid](
            self.tables, self.games, self.blank, self.searches, self.forest.longest
        )

    def put(self, records: Any, places: Any) -> None:
        words = records.view(self.games.dtype).reshape(len(records), -1).T[: self.games.shape[0]]
        if self.is_simulated:
            self.games[:, places] = words
            return
        # torch writes to single columns of what is Numba's, in its signed words of that width.
        signed = np.dtype(f"i{words.itemsize}")
        word = getattr(torch, signed.name)
        held = torch.as_tensor(self.games, device=self.forest.cells.device).view(word)
        given = torch.from_numpy(np.ascontiguousarray(words).view(signed))
        held[:, torch.from_numpy(places).to(held.device)] = given.to(held.device)

    def take(self, places: Any) -> Any:
        words = self.games.copy_to_host()[:, places]
        records = np.zeros(len(places), self.forest.game.dtype)
        records.view(self.games.dtype).reshape(len(places), -1)[:, : len(words)] = words.T
        return records

    def plant(self) -> None:
        self.kernels.plant[self.grid](
            self.tables, self.games, self.nodes, self.records, self.searches, *self.asked
        )

    def simulate(self, number: int, logits: torch.Tensor, outlooks: torch.Tensor) -> None:
        self.kernels.simulate[self.grid](
            self.tables,
            self.nodes,
            self.records,
            self.searches,
            self._take(logits),
            self._take(outlooks),
            self.visits,
            number,
            self.strangers,
            *self.asked,
        )

    def conclude(self, logits: torch.Tensor) -> None:
        self.kernels.conclude[self.grid](
            self.tables,
            self.games,
            self.nodes,
            self.searches,
            self._take(logits),
            *self.concluded,
        )

    def foretell(self) -> None:
        self.kernels.foretell[self.grid](
            self.tables, self.games, self.nodes, self.searches, self.foretold
        )

    def play(self, restart: bool) -> None:
        self.kernels.play[self.grid](
            self.tables,
            self.games,
            self.blank,
            self.searches,
            self.concluded[1],
            self.forest.longest,
            restart,
            *self.ended,
        )

    def welcome(self, seated: Any) -> None:
        game = self.forest.game
        self.guests = self.cuda.to_device(seated)
        self.hosts = gpu_guests.build_guests(game.dtype, game.num_actions, game.num_seats)
        self.blocks = (self.forest.batch, gpu_guests.BLOCK)

    def effort(self) -> Any:
        return self.guests.copy_to_host()["effort"]

    def move_guests(self) -> None:
        told = self.strangers, *self.concluded[:2]
        self.hosts.move[self.blocks](self.tables, self.games, self.guests, *told)

    def seat_guests(self) -> None:
        told = self.ended[0], self.strangers, self.rivals
        self.hosts.seat[self.grid](self.guests, *self.forest.invited, *told)
