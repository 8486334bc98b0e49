"""A batch on a GPU.

Arrays stay on the GPU. They carry ``__cuda_array_interface__``, so that torch, JAX and CuPy take
them without a copy, and arrays of those are taken as actions.
"""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.kernels import open_gpu
from skerry.nets.layout import Layout

BLOCK = 256  # threads of kernels that only fill memory
MOST_BLOCKS = 1 << 14  # of kernels that go round
WORD = 8  # bytes that are cleared at a time


def load_gpu() -> Any:
    """The module ``skerry.rl.gpu``, ready for use; OptionsError says what is missing."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda asks for what NumPy 2.5 has dropped
    try:
        gpu: Any = import_module("skerry.rl.gpu")  # slow to import, and not possible everywhere
        if not gpu.SIMULATED:
            open_gpu()
    except ImportError as error:
        raise OptionsError(
            f"device 'cuda' needs the package numba-cuda ({error}): pip install 'skerry[cuda]'"
        ) from None
    if not gpu.cuda.is_available():
        raise OptionsError("device 'cuda' needs an NVIDIA GPU and its driver: none was found")
    return gpu


class Device:
    """The arrays of a batch on the GPU and what may be done to them."""

    def __init__(self, game: Game, batch: int, layout: Layout, restart: bool) -> None:
        self.game, self.layout, self.restart, self.batch = game, layout, restart, batch
        self.gpu = load_gpu()
        self.cuda = self.gpu.cuda
        self.kernels = self.gpu.build_kernels(game.dtype, game.num_actions, len(game.board))
        self.grid = (-(-batch // self.kernels.block), self.kernels.block)
        self.tables = self.cuda.to_device(game.tables)
        self.blank = self.cuda.to_device(np.zeros(1, game.dtype))
        shape = (self.gpu.kept_of(game.dtype), batch)
        self.games = self.cuda.device_array(shape, self.gpu.unit_of(game.dtype))  # word by word
        self.rngs = self.cuda.device_array(batch, np.uint64)
        self.choosers = self.cuda.device_array(batch, np.uint64)
        # Masks are written in words, the last of which may reach beyond them.
        words = -(-batch * game.num_actions // self.gpu.PACKED)
        self.masks = self.cuda.device_array(words, np.uint64)
        self.marks = self.cuda.device_array(
            (-(-game.num_actions // self.gpu.MARK_BITS), batch), np.uint32
        )
        self.to_move = self.cuda.device_array(batch, np.int8)
        self.rewards = self.cuda.device_array((batch, game.num_seats), np.float32)
        self.done = self.cuda.device_array(batch, np.bool_)
        self.illegal = self.cuda.device_array(batch, np.bool_)
        # What is told of every game.
        self.told = (self.marks, self.masks, self.to_move, self.rewards, self.done, self.illegal)
        self.actions = self.cuda.device_array(batch, np.int32)
        self.plies = self.cuda.device_array(batch, np.int32)
        self.start_of = self.cuda.to_device(layout.start_of)
        self.place_of = self.cuda.to_device(layout.place_of)
        self.board = self.cuda.to_device(layout.board)

    def _clear(self, array: Any) -> None:
        """Fill an array of bytes with zeros, eight at a time if they can be divided so."""
        flat = array.reshape(array.size)
        words = flat.view(np.uint64 if flat.size % WORD == 0 else np.uint8)
        blocks = min(-(-words.size // BLOCK), MOST_BLOCKS)
        self.kernels.clear[blocks, BLOCK](words)

    @property
    def legal(self) -> Any:
        marked = self.masks.view(np.bool_)[: self.batch * self.game.num_actions]
        return marked.reshape((self.batch, self.game.num_actions))

    def reset(self, seeds: NDArray[np.int64]) -> None:
        self.kernels.reset[self.grid](
            self.tables,
            self.games,
            self.blank,
            self.cuda.to_device(seeds),
            self.restart,
            self.rngs,
            self.choosers,
            *self.told,
        )

    def step(self, actions: Any, viewers: NDArray[np.int8] | None = None, seen: Any = None) -> None:
        if hasattr(actions, "__cuda_array_interface__"):
            actions = self.cuda.as_cuda_array(actions)
        else:
            actions = self.cuda.to_device(np.ascontiguousarray(self.gpu.bare(actions)))
        self.kernels.step[self.grid](
            self.tables,
            self.games,
            self.blank,
            actions,
            self.restart,
            self.rngs,
            *self.told,
        )
        if viewers is not None:
            self.observe(viewers, seen)

    def sample(self) -> Any:
        self.kernels.choose[self.grid](self.marks, self.choosers, self.actions)
        return self.actions

    def playout(self) -> Any:
        self.kernels.play_out[self.grid](
            self.tables,
            self.games,
            self.blank,
            self.restart,
            self.rngs,
            self.choosers,
            *self.told,
            self.plies,
        )
        return self.plies

    def observe(self, viewers: NDArray[np.int8], out: Any = None) -> Any:
        if out is None:
            out = self.cuda.device_array((self.batch, *self.layout.shape), np.uint8)
        elif isinstance(out, np.ndarray):
            raise OptionsError(
                "observations on a GPU stay there: pass an array from an earlier call"
            )
        self._clear(out)
        self.kernels.show[self.grid](
            self.tables,
            self.games,
            self.cuda.to_device(viewers),
            self.game.num_seats,
            self.start_of,
            self.place_of,
            self.board,
            self.layout.counter,
            out.reshape((self.batch, out.size // self.batch)),
        )
        return out

    def record(self, k: int) -> NDArray[np.void]:
        """A copy of one game's record, [1]."""
        return read_record(self.games, k, self.game.dtype)


def read_record(games: Any, k: int, dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """A copy of one record, [1], of those that lie word by word on a GPU."""
    record = np.zeros(1, dtype)
    words = record.view(games.dtype)
    for i in range(games.shape[0]):
        words[i] = games[i, k]
    return record
