"""Kernels that see: one thread for every game, which marks its planes as bits in shared memory.

Then the threads of a block write the bytes of all their games together. A step that is seen is one
kernel, since the record is at hand already.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import cuda

from skerry.rl import seeing
from skerry.rl.gpu.kernels import (
    BLOCKS,
    as_callable,
    find_room,
    lay_records,
    lay_work,
    mark_words,
    record_bytes,
    short_of,
    spaced,
)
from skerry.rl.gpu.spread import lay_masks, lay_planes
from skerry.rl.stepping import MARK_BITS

NUMBER_BYTES = 4
SMALLER = 32  # threads in a block: observations of large boards leave room for no more


class Sizes(NamedTuple):
    """What kernels that see have to know of a game before they are compiled."""

    num_actions: int
    num_cells: int
    length: int  # of an observation
    counter: int  # where its numbers begin, or -1


class Viewing(NamedTuple):
    """Who looks at each game, what observations need besides, and where they are written."""

    viewers: Any  # [games]
    seats: Any
    start_of: Any
    place_of: Any
    board: Any
    out: Any


class SeeingKernels(NamedTuple):
    """What a GPU runs, compiled for games of one layout of records and these sizes."""

    block: int  # threads
    step_seen: Any
    show: Any


@lru_cache
def build_seeing(dtype: np.dtype[np.void], sizes: Sizes) -> SeeingKernels:
    """The kernels; what they keep at hand has to have a fixed size."""
    num_actions, num_cells, length, counter = sizes
    words, word, fetch, _ = lay_records(dtype)
    apart, marked, row = spaced(words), mark_words(num_actions), spaced(mark_words(length))
    rest = (marked + row) * MARK_BITS // 8 + NUMBER_BYTES
    block, is_shared = find_room(record_bytes(dtype), rest, (*BLOCKS, SMALLER))
    short = short_of(num_actions)
    play, mark_seen = lay_work(dtype, num_actions).play, as_callable(seeing.mark_seen)
    write_masks = lay_masks(block, num_actions)
    write_planes = lay_planes(block, length, counter)
    device: Any = cuda.jit

    @device(device=True)
    def see(batch: Any, viewing: Any, k: Any, held: Any, cells: Any, planes: Any) -> Any:
        """Mark what is to be seen of a game; returns the number that its counter shows."""
        return mark_seen(
            batch.tables[0],
            held[0],
            viewing.viewers[k],
            viewing.seats,
            viewing.start_of,
            viewing.place_of,
            viewing.board,
            counter,
            cells,
            planes,
        )

    @cuda.jit
    def step_seen(batch: Any, actions: Any, viewing: Any) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, marked), numba.uint32)
        planes = cuda.shared.array((block, row), numba.uint32)
        numbers = cuda.shared.array(block, numba.uint32)
        if is_shared:
            room = cuda.shared.array((block, apart), word)
            mine = room[thread][:words]
        else:
            mine = cuda.local.array(words, word)
        if k < batch.games.shape[1]:
            scratch = cuda.local.array(num_actions, short)
            cells = cuda.local.array(num_cells, numba.uint8)
            play(batch, actions, k, mine, bits[thread], scratch)
            numbers[thread] = see(batch, viewing, k, mine.view(dtype), cells, planes[thread])
        cuda.syncthreads()
        write_masks(bits, cuda.blockIdx.x, thread, batch.games.shape[1], batch.masks)
        write_planes(planes, numbers, cuda.blockIdx.x, thread, batch.games.shape[1], viewing.out)

    @cuda.jit
    def show(batch: Any, viewing: Any) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        planes = cuda.shared.array((block, row), numba.uint32)
        numbers = cuda.shared.array(block, numba.uint32)
        if k < batch.games.shape[1]:
            mine = cuda.local.array(words, word)
            cells = cuda.local.array(num_cells, numba.uint8)
            fetch(batch.games, k, mine)
            numbers[thread] = see(batch, viewing, k, mine.view(dtype), cells, planes[thread])
        cuda.syncthreads()
        write_planes(planes, numbers, cuda.blockIdx.x, thread, batch.games.shape[1], viewing.out)

    return SeeingKernels(block, step_seen, show)
