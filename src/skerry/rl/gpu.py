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
from skerry.rl.spread import lay_masks
from skerry.rl.stepping import MARK_BITS

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
SHARED_BYTES = 48_000  # of what a block may share
SMALL_BYTES = 24_000  # up to which random games share: they want many threads even more
BLOCKS = (128, 64)  # threads in a block: the more, the better, as long as their games fit


def describe(array: Any) -> Any:
    """Where an array lies on the GPU, by the CUDA array interface; None if it does not."""
    if SIMULATED:
        return array._ary.__array_interface__ if hasattr(array, "_ary") else None
    return getattr(array, "__cuda_array_interface__", None)


def take(array: Any) -> Any:
    """An array on the GPU, whosoever it is, as kernels take it."""
    api: Any = cuda
    return array if SIMULATED else api.as_cuda_array(array)


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


def find_room(record: int, rest: int, blocks: tuple[int, ...] = BLOCKS) -> tuple[int, bool]:
    """How many threads make a block, and whether they share their records besides the rest, where
    a game takes so many bytes of each."""
    for block in blocks:
        if block * (record + rest) <= SHARED_BYTES:
            return block, True
    return next(block for block in blocks[1:] if block * rest <= SHARED_BYTES), False


def record_bytes(dtype: np.dtype[np.void]) -> int:
    """What a record takes of shared memory, with its distance to the next."""
    return spaced(dtype.itemsize // unit_of(dtype).itemsize) * unit_of(dtype).itemsize


def spaced(words: int) -> int:
    """An odd distance keeps neighbours out of each other's way."""
    return words | 1


def mark_words(length: int) -> int:
    """How many words hold so many marks."""
    return -(-length // MARK_BITS)


def short_of(num_actions: int) -> Any:
    """What scratch holds: actions, or cells, of which there may be somewhat more."""
    return numba.uint8 if 2 * num_actions <= 256 else numba.int16


@lru_cache
def lay_play(dtype: np.dtype[np.void], num_actions: int) -> Any:
    """What plays one action in one game, of which ``mine``, ``bits`` and ``scratch`` are room."""
    marked = mark_words(num_actions)
    fetch, store = lay_records(dtype).fetch, lay_records(dtype).store
    move_on, mark_legal = as_callable(stepping.move_on), as_callable(stepping.mark_legal)
    is_marked, is_refused = as_callable(stepping.is_marked), as_callable(stepping.is_refused)
    device: Any = cuda.jit

    @device(device=True)
    def play(
        tables: Any,
        games: Any,
        blank: Any,
        actions: Any,
        restart: Any,
        rngs: Any,
        marks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
        k: Any,
        mine: Any,
        bits: Any,
        scratch: Any,
    ) -> None:
        fetch(games, k, mine)
        held = mine.view(dtype)
        action = actions[k]
        allowed = is_marked(marks[:, k], action)
        illegal[k] = is_refused(held[0], allowed)
        done[k], rngs[k] = move_on(
            tables[0], held, 0, blank, action, allowed, restart, rngs[k], rewards[k]
        )
        to_move[k] = mark_legal(tables[0], held[0], bits, scratch)
        store(games, k, mine)
        for i in range(marked):
            marks[i, k] = bits[i]

    return play


class Kernels(NamedTuple):
    """What a GPU runs, compiled for games of one layout of records and number of actions."""

    block: int  # threads
    reset: Any
    step: Any
    choose: Any
    play_out: Any


@lru_cache
def build_kernels(  # noqa: PLR0915  # kernels are closures over the sizes
    dtype: np.dtype[np.void], num_actions: int
) -> Kernels:
    """The kernels; what they keep at hand has to have a fixed size."""
    words, word, fetch, store = lay_records(dtype)
    apart, marked = spaced(words), mark_words(num_actions)
    rest = marked * MARK_BITS // 8
    block, is_shared = find_room(record_bytes(dtype), rest)
    is_small = BLOCKS[0] * (record_bytes(dtype) + rest) <= SMALL_BYTES
    short = short_of(num_actions)
    begin, choosing = as_callable(stepping.begin), as_callable(stepping.choosing)
    play_out, mark_legal = as_callable(stepping.play_out), as_callable(stepping.mark_legal)
    choose = as_callable(stepping.choose)
    play, write_masks = lay_play(dtype, num_actions), lay_masks(block, num_actions)

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
        bits = cuda.shared.array((block, marked), numba.uint32)
        if k < games.shape[1]:
            mine = cuda.local.array(words, word)
            scratch = cuda.local.array(num_actions, short)
            held = mine.view(dtype)
            choosers[k] = choosing(seeds[k])
            done[k], rngs[k] = begin(tables[0], held, 0, blank, seeds[k], restart, rewards[k])
            illegal[k] = False
            to_move[k] = mark_legal(tables[0], held[0], bits[thread], scratch)
            store(games, k, mine)
            for i in range(marked):
                marks[i, k] = bits[thread, i]
        cuda.syncthreads()
        write_masks(bits, cuda.blockIdx.x, thread, games.shape[1], masks)

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
        bits = cuda.shared.array((block, marked), numba.uint32)
        if is_shared:
            room = cuda.shared.array((block, apart), word)
            mine = room[thread][:words]
        else:
            mine = cuda.local.array(words, word)
        if k < games.shape[1]:
            scratch = cuda.local.array(num_actions, short)
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
        cuda.syncthreads()
        write_masks(bits, cuda.blockIdx.x, thread, games.shape[1], masks)

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
        bits = cuda.shared.array((block, marked), numba.uint32)
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
            for i in range(marked):
                marks[i, k] = bits[thread, i]
        cuda.syncthreads()
        write_masks(bits, cuda.blockIdx.x, thread, games.shape[1], masks)

    return Kernels(block, reset, step, choose_actions, play_out_games)
