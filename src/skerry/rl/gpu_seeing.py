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
from skerry.rl.gpu import (
    BLOCKS,
    as_callable,
    find_room,
    lay_play,
    lay_records,
    mark_words,
    record_bytes,
    short_of,
    spaced,
)
from skerry.rl.spread import lay_masks, lay_planes
from skerry.rl.stepping import MARK_BITS

NUMBER_BYTES = 4
SMALLER = 32  # threads in a block: observations of large boards leave room for no more


class Sizes(NamedTuple):
    """What kernels that see have to know of a game before they are compiled."""

    num_actions: int
    num_cells: int
    length: int  # of an observation
    counter: int  # where its numbers begin, or -1


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
    play, mark_seen = lay_play(dtype, num_actions), as_callable(seeing.mark_seen)
    write_masks = lay_masks(block, num_actions)
    write_planes = lay_planes(block, length, counter)

    @cuda.jit
    def step_seen(
        tables: Any,
        games: Any,
        blank: Any,
        actions: Any,
        restart: Any,
        rngs: Any,
        marks: Any,
        masks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
        viewers: Any,
        seats: Any,
        start_of: Any,
        place_of: Any,
        board: Any,
        out: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, marked), numba.uint32)
        planes = cuda.shared.array((block, row), numba.uint32)
        numbers = cuda.shared.array(block, numba.uint32)
        if is_shared:
            room = cuda.shared.array((block, apart), word)
            mine = room[thread][:words]
        else:
            mine = cuda.local.array(words, word)
        if k < games.shape[1]:
            scratch = cuda.local.array(num_actions, short)
            cells = cuda.local.array(num_cells, numba.uint8)
            play(
                tables,
                games,
                blank,
                actions,
                restart,
                rngs,
                marks,
                to_move,
                rewards,
                done,
                illegal,
                k,
                mine,
                bits[thread],
                scratch,
            )
            held = mine.view(dtype)
            numbers[thread] = mark_seen(
                tables[0],
                held[0],
                viewers[k],
                seats,
                start_of,
                place_of,
                board,
                counter,
                cells,
                planes[thread],
            )
        cuda.syncthreads()
        write_masks(bits, cuda.blockIdx.x, thread, games.shape[1], masks)
        write_planes(planes, numbers, cuda.blockIdx.x, thread, games.shape[1], out)

    @cuda.jit
    def show(
        tables: Any,
        games: Any,
        viewers: Any,
        seats: Any,
        start_of: Any,
        place_of: Any,
        board: Any,
        out: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        planes = cuda.shared.array((block, row), numba.uint32)
        numbers = cuda.shared.array(block, numba.uint32)
        if k < games.shape[1]:
            mine = cuda.local.array(words, word)
            cells = cuda.local.array(num_cells, numba.uint8)
            fetch(games, k, mine)
            held = mine.view(dtype)
            numbers[thread] = mark_seen(
                tables[0],
                held[0],
                viewers[k],
                seats,
                start_of,
                place_of,
                board,
                counter,
                cells,
                planes[thread],
            )
        cuda.syncthreads()
        write_planes(planes, numbers, cuda.blockIdx.x, thread, games.shape[1], out)

    return SeeingKernels(block, step_seen, show)
