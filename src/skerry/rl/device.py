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
from skerry.rl.planes import Layout

BLOCK = 128  # threads that share a part of the GPU
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
        self.blocks = -(-batch // BLOCK)
        self.tables = self.cuda.to_device(game.tables)
        self.blank = self.cuda.to_device(np.zeros(1, game.dtype))
        self.states = self.cuda.device_array(batch, game.dtype)
        self.rngs = self.cuda.device_array(batch, np.uint64)
        self.choosers = self.cuda.device_array(batch, np.uint64)
        self.legal = self.cuda.device_array((batch, game.num_actions), np.bool_)
        self.to_move = self.cuda.device_array(batch, np.int8)
        self.rewards = self.cuda.device_array((batch, game.num_seats), np.float32)
        self.done = self.cuda.device_array(batch, np.bool_)
        self.illegal = self.cuda.device_array(batch, np.bool_)
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

    def reset(self, seeds: NDArray[np.int64]) -> None:
        self._clear(self.legal)
        self.kernels.reset[self.blocks, BLOCK](
            self.tables,
            self.states,
            self.blank,
            self.cuda.to_device(seeds),
            self.restart,
            self.rngs,
            self.choosers,
            self.legal,
            self.to_move,
            self.rewards,
            self.done,
            self.illegal,
        )

    def step(self, actions: Any) -> None:
        if hasattr(actions, "__cuda_array_interface__"):
            actions = self.cuda.as_cuda_array(actions)
        else:
            actions = self.cuda.to_device(np.ascontiguousarray(self.gpu.bare(actions)))
        # Before the mask is cleared: what is not set in it is illegal.
        self.kernels.check[self.blocks, BLOCK](self.states, actions, self.legal, self.illegal)
        self._clear(self.legal)
        self.kernels.step[self.blocks, BLOCK](
            self.tables,
            self.states,
            self.blank,
            actions,
            self.restart,
            self.rngs,
            self.legal,
            self.to_move,
            self.rewards,
            self.done,
            self.illegal,
        )

    def sample(self) -> Any:
        self.kernels.choose[self.blocks, BLOCK](
            self.tables, self.states, self.choosers, self.actions
        )
        return self.actions

    def playout(self) -> Any:
        self._clear(self.legal)
        self.kernels.play_out[self.blocks, BLOCK](
            self.tables,
            self.states,
            self.blank,
            self.restart,
            self.rngs,
            self.choosers,
            self.legal,
            self.to_move,
            self.rewards,
            self.done,
            self.illegal,
            self.plies,
        )
        return self.plies

    def observe(self, viewers: NDArray[np.int8], out: Any = None) -> Any:
        if out is None:
            out = self.cuda.device_array((self.batch, *self.layout.shape), np.uint8)
        elif not self.cuda.is_cuda_array(out):
            raise OptionsError("observations of a GPU stay there: use an array of an earlier call")
        self._clear(out)
        self.kernels.show[self.blocks, BLOCK](
            self.tables,
            self.states,
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
        found: NDArray[np.void] = self.states[k : k + 1].copy_to_host()
        return found
