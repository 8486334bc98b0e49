"""Kernels for GPUs: one thread for every game, running the same functions as the CPU does.

Threads that work side by side should read and write side by side. So the records of a batch lie
word by word, the first words of all games before the second ones; a thread fetches its game into
fast memory, works on it there, and stores it again, all but its scratch space. Legal actions are
marked as bits in memory that the threads of a block share, which then write the masks of all their
games together.

With ``NUMBA_ENABLE_CUDASIM=1`` Numba simulates the GPU by Python threads, slowly. It cannot compile
there, so that its kernels call the functions as they are compiled for the CPU.
"""

import os
from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import cuda

from skerry.rl import stepping
from skerry.rl.stepping import MARK_BITS

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
SHARED_BYTES = 46_000  # of what a block may share
SMALL_BYTES = 24_000  # up to which random games share: they want many threads even more
BLOCKS = (128, 64)  # threads in a block: the more, the better, as long as their games fit
PACKED = 8  # bytes of masks that are written at a time
HALF = np.uint32(0xF)
# Four bits become four bytes: copies of them that do not meet, of each of which one bit is taken.
COPIES = np.uint32(0x0020_4081)
ONES = np.uint32(0x0101_0101)


def bare(value: Any) -> Any:
    """The NumPy array inside what the simulator gives to kernels."""
    value = getattr(value, "_item", value)
    return getattr(value, "_ary", value)


def as_callable(function: Any) -> Any:
    """A compiled function as kernels can call it."""
    if not SIMULATED:
        return function
    return lambda *args: function(*map(bare, args))


def unit_of(dtype: np.dtype[np.void]) -> np.dtype[Any]:
    """The widest word that a record is a whole number of."""
    return next(np.dtype(f"u{size}") for size in (8, 4, 2, 1) if dtype.itemsize % size == 0)


def kept_of(dtype: np.dtype[np.void]) -> int:
    """How many words of a record are kept: all before its scratch space."""
    names = dtype.names or ()
    size = dtype.fields["work"][1] if dtype.fields and names[-1] == "work" else dtype.itemsize
    return -(-size // unit_of(dtype).itemsize)


class Records(NamedTuple):
    """How threads keep a game at hand: in so many words, copied from and to its column."""

    words: int
    word: Any
    fetch: Any
    store: Any


@lru_cache
def lay_records(dtype: np.dtype[np.void]) -> Records:
    """How kernels hold records of this kind."""
    unit, kept = unit_of(dtype), kept_of(dtype)
    device: Any = cuda.jit

    @device(device=True)
    def fetch(games: Any, k: Any, mine: Any) -> None:
        for i in range(kept):
            mine[i] = games[i, k]

    @device(device=True)
    def store(games: Any, k: Any, mine: Any) -> None:
        for i in range(kept):
            games[i, k] = mine[i]

    word = unit if SIMULATED else numba.from_dtype(unit)
    return Records(dtype.itemsize // unit.itemsize, word, fetch, store)


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
    words, word, fetch, store = lay_records(dtype)
    apart = words | 1  # an odd distance keeps neighbours out of each other's way
    mark_words = -(-num_actions // MARK_BITS)
    needed = apart * unit_of(dtype).itemsize + mark_words * MARK_BITS // 8
    fitting = [block for block in BLOCKS if block * needed <= SHARED_BYTES]
    is_shared = bool(fitting)
    is_small = BLOCKS[0] * needed <= SMALL_BYTES
    block = fitting[0] if is_shared else BLOCKS[-1]
    # Scratch holds actions or cells, of which there may be somewhat more.
    short = numba.uint8 if 2 * num_actions <= 256 else numba.int16

    begin, choosing = as_callable(stepping.begin), as_callable(stepping.choosing)
    move_on, play_out = as_callable(stepping.move_on), as_callable(stepping.play_out)
    mark_legal, choose = as_callable(stepping.mark_legal), as_callable(stepping.choose)
    is_marked, is_refused = as_callable(stepping.is_marked), as_callable(stepping.is_refused)
    show = as_callable(stepping.show)
    device: Any = cuda.jit

    @device(device=True)
    def tell(bits: Any, games: Any, k: Any, marks: Any, masks: Any) -> None:
        """Store a game's marks, and write the masks of a block's games, all threads together."""
        if k < games.shape[1]:
            for i in range(mark_words):
                marks[i, k] = bits[cuda.threadIdx.x, i]
        cuda.syncthreads()
        first = np.int64(cuda.blockIdx.x) * block
        count = np.uint32(min(block, games.shape[1] - first))
        start = first * num_actions // PACKED
        at: Any = np.uint32(cuda.threadIdx.x)
        while at * np.uint32(PACKED) < count * np.uint32(num_actions):
            row = np.uint32(at * np.uint32(PACKED) // np.uint32(num_actions))
            action = np.uint32(at * np.uint32(PACKED) - row * np.uint32(num_actions))
            word, shift = np.uint32(action >> np.uint32(5)), np.uint32(action & np.uint32(31))
            eight = np.uint32(bits[row, word] >> shift)
            if shift > MARK_BITS - PACKED and word + 1 < mark_words:
                eight |= np.uint32(bits[row, word + 1] << np.uint32(MARK_BITS - shift))
            ahead = num_actions - np.int64(action)
            while ahead < PACKED and row + 1 < block:  # the mask of the next game begins
                row += np.uint32(1)
                eight |= np.uint32(bits[row, 0] << np.uint32(ahead))
                ahead += num_actions
            low = np.uint32((eight & HALF) * COPIES) & ONES
            high = np.uint32((eight >> np.uint32(4) & HALF) * COPIES) & ONES
            masks[start + at] = np.uint64(low) | np.uint64(high) << np.uint64(32)
            at += np.uint32(block)

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
        marks: Any,
        masks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, mark_words), numba.uint32)
        if k < games.shape[1]:
            mine = cuda.local.array(words, word)
            scratch = cuda.local.array(num_actions, short)
            held = mine.view(dtype)
            choosers[k] = choosing(seeds[k])
            done[k], rngs[k] = begin(tables[0], held, 0, blank, seeds[k], restart, rewards[k])
            illegal[k] = False
            to_move[k] = mark_legal(tables[0], held[0], bits[thread], scratch)
            store(games, k, mine)
        tell(bits, games, k, marks, masks)

    @cuda.jit
    def step(
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
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, mark_words), numba.uint32)
        if is_shared:
            room = cuda.shared.array((block, apart), word)
            mine = room[thread][:words]
        else:
            mine = cuda.local.array(words, word)
        if k < games.shape[1]:
            scratch = cuda.local.array(num_actions, short)
            fetch(games, k, mine)
            held = mine.view(dtype)
            action = actions[k]
            allowed = is_marked(marks[:, k], action)
            illegal[k] = is_refused(held[0], allowed)
            done[k], rngs[k] = move_on(
                tables[0], held, 0, blank, action, allowed, restart, rngs[k], rewards[k]
            )
            to_move[k] = mark_legal(tables[0], held[0], bits[thread], scratch)
            store(games, k, mine)
        tell(bits, games, k, marks, masks)

    @cuda.jit
    def choose_actions(marks: Any, choosers: Any, actions: Any) -> None:
        k = cuda.grid(1)
        if k < marks.shape[1]:
            actions[k], choosers[k] = choose(marks[:, k], choosers[k])

    @cuda.jit
    def play_out_games(
        tables: Any,
        games: Any,
        blank: Any,
        restart: Any,
        rngs: Any,
        choosers: Any,
        marks: Any,
        masks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
        plies: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, mark_words), numba.uint32)
        if is_small:
            room = cuda.shared.array((block, apart), word)
            mine = room[thread][:words]
        else:
            mine = cuda.local.array(words, word)
        if k < games.shape[1]:
            scratch = cuda.local.array(num_actions, short)
            fetch(games, k, mine)
            held = mine.view(dtype)
            plies[k], rngs[k], choosers[k] = play_out(
                tables[0], held, 0, blank, restart, rngs[k], choosers[k], rewards[k], scratch
            )
            done[k] = True
            illegal[k] = False
            to_move[k] = mark_legal(tables[0], held[0], bits[thread], scratch)
            store(games, k, mine)
        tell(bits, games, k, marks, masks)

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
