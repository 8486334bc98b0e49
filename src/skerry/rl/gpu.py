"""Kernels for GPUs: one thread for every game, running the same functions as the CPU does.

Threads that work side by side should read and write side by side. So the records of a batch lie
word by word, the first words of all games before the second ones; a thread fetches its game into
fast memory, works on it there, and stores it again. Legal actions are marked as bits in memory that
the threads of a block share, which then write the masks of all their games together.

With ``NUMBA_ENABLE_CUDASIM=1`` Numba simulates the GPU by Python threads, slowly. It cannot compile
there, so that its kernels call the functions as they are compiled for the CPU.
"""

import os
from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import cuda

from skerry.core import stepping

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
SHARED_BYTES = 46_000  # of what a block may share
BLOCKS = (128, 64)  # threads in a block: the more, the better, as long as their games fit
PACKED = 4  # bytes of masks that are written at a time
BITS = 32


def bare(value: Any) -> Any:
    """The NumPy array inside what the simulator gives to kernels."""
    value = getattr(value, "_item", value)
    return getattr(value, "_ary", value)


def _callable(function: Any) -> Any:
    """A compiled function as kernels can call it."""
    if not SIMULATED:
        return function
    return lambda *args: function(*map(bare, args))


def unit_of(dtype: np.dtype[np.void]) -> np.dtype[Any]:
    """The widest word that a record is a whole number of."""
    return next(np.dtype(f"u{size}") for size in (8, 4, 2, 1) if dtype.itemsize % size == 0)


class Kernels(NamedTuple):
    """What a GPU runs, compiled for games of one layout of records and number of actions."""

    block: int  # threads
    clear: Any
    reset: Any
    step: Any
    choose: Any
    play_out: Any
    show: Any


@lru_cache
def build_kernels(  # noqa: PLR0915  # kernels are closures over the sizes
    dtype: np.dtype[np.void], num_actions: int, num_cells: int
) -> Kernels:
    """The kernels; what they keep at hand has to have a fixed size."""
    unit = unit_of(dtype)
    words = dtype.itemsize // unit.itemsize
    apart = words | 1  # an odd distance keeps neighbours out of each other's way
    marks = -(-num_actions // BITS)
    needed = apart * unit.itemsize + marks * BITS // 8
    fitting = [block for block in BLOCKS if block * needed <= SHARED_BYTES]
    is_shared = bool(fitting)
    block = fitting[0] if is_shared else BLOCKS[-1]
    word = unit if SIMULATED else numba.from_dtype(unit)

    begin, choosing = _callable(stepping.begin), _callable(stepping.choosing)
    move_on, play_out = _callable(stepping.move_on), _callable(stepping.play_out)
    mark_bits, choose = _callable(stepping.mark_bits), _callable(stepping.choose)
    show, is_refused = _callable(stepping.show), _callable(stepping.is_refused)
    device: Any = cuda.jit

    @device(device=True)
    def fetch(games: Any, k: Any, mine: Any) -> None:
        for i in range(words):
            mine[i] = games[i, k]

    @device(device=True)
    def store(games: Any, k: Any, mine: Any) -> None:
        for i in range(words):
            games[i, k] = mine[i]

    @device(device=True)
    def is_marked(masks: Any, k: Any, action: Any) -> Any:
        at = np.int64(k) * num_actions + action
        return (masks[at // PACKED] >> np.uint32(8 * (at % PACKED))) & np.uint32(1) != 0

    @device(device=True)
    def write_masks(bits: Any, games: Any, masks: Any) -> None:
        """Write the masks of a block's games, which lie side by side, all threads together."""
        cuda.syncthreads()
        first = np.int64(cuda.blockIdx.x) * block
        count = min(block, games.shape[1] - first)
        start = first * num_actions // PACKED
        for i in range(cuda.threadIdx.x, -(-count * num_actions // PACKED), block):
            row = i * PACKED // num_actions
            action = i * PACKED - row * num_actions
            packed = np.uint32(0)
            for byte in range(PACKED):
                if row < count:
                    marked = bits[row, action // BITS] >> np.uint32(action % BITS)
                    packed |= (marked & np.uint32(1)) << np.uint32(8 * byte)
                action += 1
                if action == num_actions:
                    action = 0
                    row += 1
            masks[start + i] = packed

    @cuda.jit
    def clear(array: Any) -> None:
        k = cuda.grid(1)
        while k < array.shape[0]:
            array[k] = 0
            k += cuda.gridsize(1)

    @cuda.jit
    def reset(
        tables: Any,
        games: Any,
        blank: Any,
        seeds: Any,
        restart: Any,
        rngs: Any,
        choosers: Any,
        masks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, marks), numba.uint32)
        for i in range(marks):
            bits[thread, i] = 0
        if k < games.shape[1]:
            mine = cuda.local.array(words, word)
            scratch = cuda.local.array(num_actions, numba.int16)
            held = mine.view(dtype)
            choosers[k] = choosing(seeds[k])
            done[k], rngs[k] = begin(tables[0], held, 0, blank, seeds[k], restart, rewards[k])
            illegal[k] = False
            to_move[k] = mark_bits(tables[0], held[0], bits[thread], scratch)
            store(games, k, mine)
        write_masks(bits, games, masks)

    @cuda.jit
    def step(
        tables: Any,
        games: Any,
        blank: Any,
        actions: Any,
        restart: Any,
        rngs: Any,
        masks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, marks), numba.uint32)
        if is_shared:
            room = cuda.shared.array((block, apart), word)
            mine = room[thread][:words]
        else:
            mine = cuda.local.array(words, word)
        for i in range(marks):
            bits[thread, i] = 0
        if k < games.shape[1]:
            scratch = cuda.local.array(num_actions, numba.int16)
            fetch(games, k, mine)
            held = mine.view(dtype)
            action = actions[k]
            allowed = 0 <= action < num_actions and is_marked(masks, k, action)
            illegal[k] = is_refused(held[0], allowed)
            done[k], rngs[k] = move_on(
                tables[0], held, 0, blank, action, allowed, restart, rngs[k], rewards[k]
            )
            to_move[k] = mark_bits(tables[0], held[0], bits[thread], scratch)
            store(games, k, mine)
        write_masks(bits, games, masks)

    @cuda.jit
    def choose_actions(tables: Any, games: Any, choosers: Any, actions: Any) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        if is_shared:
            room = cuda.shared.array((block, apart), word)
            mine = room[thread][:words]
        else:
            mine = cuda.local.array(words, word)
        if k < games.shape[1]:
            fetch(games, k, mine)
            held = mine.view(dtype)
            actions[k], choosers[k] = choose(tables[0], held[0], choosers[k])

    @cuda.jit
    def play_out_games(
        tables: Any,
        games: Any,
        blank: Any,
        restart: Any,
        rngs: Any,
        choosers: Any,
        masks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
        plies: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, marks), numba.uint32)
        if is_shared:
            room = cuda.shared.array((block, apart), word)
            mine = room[thread][:words]
        else:
            mine = cuda.local.array(words, word)
        for i in range(marks):
            bits[thread, i] = 0
        if k < games.shape[1]:
            scratch = cuda.local.array(num_actions, numba.int16)
            fetch(games, k, mine)
            held = mine.view(dtype)
            plies[k], rngs[k], choosers[k] = play_out(
                tables[0], held, 0, blank, restart, rngs[k], choosers[k], rewards[k], scratch
            )
            done[k] = True
            illegal[k] = False
            to_move[k] = mark_bits(tables[0], held[0], bits[thread], scratch)
            store(games, k, mine)
        write_masks(bits, games, masks)

    @cuda.jit
    def show_planes(
        tables: Any,
        games: Any,
        viewers: Any,
        seats: Any,
        start_of: Any,
        place_of: Any,
        board: Any,
        counter: Any,
        out: Any,
    ) -> None:
        k = cuda.grid(1)
        if k < games.shape[1]:
            mine = cuda.local.array(words, word)
            cells = cuda.local.array(num_cells, numba.uint8)
            fetch(games, k, mine)
            held = mine.view(dtype)
            show(
                tables[0],
                held[0],
                viewers[k],
                seats,
                start_of,
                place_of,
                board,
                counter,
                cells,
                out[k],
            )

    return Kernels(block, clear, reset, step, choose_actions, play_out_games, show_planes)
