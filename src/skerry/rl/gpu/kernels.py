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
from skerry.rl.gpu import simulator
from skerry.rl.gpu.spread import lay_masks
from skerry.rl.stepping import MARK_BITS

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
SHARED_BYTES = 48_000  # of what a block may share
SMALL_BYTES = 24_000  # up to which random games share: they want many threads even more
BLOCKS = (128, 64)  # threads in a block: the more, the better, as long as their games fit

if SIMULATED:
    simulator.mend()


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


class AllGames(NamedTuple):
    """All games of a batch and what is told of them, as kernels take them."""

    tables: Any
    games: Any  # [words, games]
    blank: Any
    restart: Any
    rngs: Any
    choosers: Any
    marks: Any  # [words, games]
    masks: Any
    to_move: Any
    rewards: Any
    done: Any
    illegal: Any


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


class Work(NamedTuple):
    """What a thread does to game ``k`` of a batch, with what it is given for that; ``mine``,
    ``bits`` and ``scratch`` are its room for a record, marks and actions."""

    tell: Any
    begin: Any
    play: Any


@lru_cache
def lay_work(dtype: np.dtype[np.void], num_actions: int) -> Work:
    """What several kernels do."""
    marked = mark_words(num_actions)
    fetch, store = lay_records(dtype).fetch, lay_records(dtype).store
    begin_game, choosing = as_callable(stepping.begin), as_callable(stepping.choosing)
    move_on, mark_legal = as_callable(stepping.move_on), as_callable(stepping.mark_legal)
    is_marked, is_refused = as_callable(stepping.is_marked), as_callable(stepping.is_refused)
    device: Any = cuda.jit

    @device(device=True)
    def tell(batch: Any, k: Any, mine: Any, bits: Any, scratch: Any) -> None:
        """Keep a game, and say what is legal in it and who is to move."""
        held = mine.view(dtype)
        batch.to_move[k] = mark_legal(batch.tables[0], held[0], bits, scratch)
        store(batch.games, k, mine)
        for i in range(marked):
            batch.marks[i, k] = bits[i]

    @device(device=True)
    def begin(batch: Any, seeds: Any, k: Any, mine: Any, bits: Any, scratch: Any) -> None:
        batch.choosers[k] = choosing(seeds[k])
        batch.done[k], batch.rngs[k] = begin_game(
            batch.tables[0],
            mine.view(dtype),
            0,
            batch.blank,
            seeds[k],
            batch.restart,
            batch.rewards[k],
        )
        batch.illegal[k] = False
        tell(batch, k, mine, bits, scratch)

    @device(device=True)
    def play(batch: Any, actions: Any, k: Any, mine: Any, bits: Any, scratch: Any) -> None:
        fetch(batch.games, k, mine)
        held = mine.view(dtype)
        action = actions[k]
        allowed = is_marked(batch.marks[:, k], action)
        batch.illegal[k] = is_refused(held[0], allowed)
        batch.done[k], batch.rngs[k] = move_on(
            batch.tables[0],
            held,
            0,
            batch.blank,
            action,
            allowed,
            batch.restart,
            batch.rngs[k],
            batch.rewards[k],
        )
        tell(batch, k, mine, bits, scratch)

    return Work(tell, begin, play)


def lay_kernel(
    dtype: np.dtype[np.void], num_actions: int, block: int, work: Any, is_shared: bool = False
) -> Any:
    """A kernel whose threads do some work on a game each, and write the masks of all together."""
    words, word = lay_records(dtype)[:2]
    apart, marked, short = spaced(words), mark_words(num_actions), short_of(num_actions)
    write_masks = lay_masks(block, num_actions)

    @cuda.jit
    def kernel(batch: Any, given: Any) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, marked), numba.uint32)
        if is_shared:
            room = cuda.shared.array((block, apart), word)
            mine = room[thread][:words]
        else:
            mine = cuda.local.array(words, word)
        if k < batch.games.shape[1]:
            scratch = cuda.local.array(num_actions, short)
            work(batch, given, k, mine, bits[thread], scratch)
        cuda.syncthreads()
        write_masks(bits, cuda.blockIdx.x, thread, batch.games.shape[1], batch.masks)

    return kernel


class Kernels(NamedTuple):
    """What a GPU runs, compiled for games of one layout of records and number of actions."""

    block: int  # threads
    reset: Any
    step: Any
    choose: Any
    play_out: Any


@lru_cache
def build_kernels(dtype: np.dtype[np.void], num_actions: int) -> Kernels:
    """The kernels; what they keep at hand has to have a fixed size."""
    rest = mark_words(num_actions) * MARK_BITS // 8
    block, is_shared = find_room(record_bytes(dtype), rest)
    is_small = BLOCKS[0] * (record_bytes(dtype) + rest) <= SMALL_BYTES
    fetch, (tell, begin, play) = lay_records(dtype).fetch, lay_work(dtype, num_actions)
    choose, play_out = as_callable(stepping.choose), as_callable(stepping.play_out)
    device: Any = cuda.jit

    @device(device=True)
    def finish(batch: Any, plies: Any, k: Any, mine: Any, bits: Any, scratch: Any) -> None:
        fetch(batch.games, k, mine)
        plies[k], batch.rngs[k], batch.choosers[k] = play_out(
            batch.tables[0],
            mine.view(dtype),
            0,
            batch.blank,
            batch.restart,
            batch.rngs[k],
            batch.choosers[k],
            batch.rewards[k],
            scratch,
        )
        batch.done[k] = True
        batch.illegal[k] = False
        tell(batch, k, mine, bits, scratch)

    @cuda.jit
    def choose_actions(marks: Any, choosers: Any, actions: Any) -> None:
        k = cuda.grid(1)
        if k < marks.shape[1]:
            actions[k], choosers[k] = choose(marks[:, k], choosers[k])

    return Kernels(
        block,
        lay_kernel(dtype, num_actions, block, begin),
        lay_kernel(dtype, num_actions, block, play, is_shared),
        choose_actions,
        lay_kernel(dtype, num_actions, block, finish, is_small),
    )
