"""Sets of cells as arrays of 64-bit words: cell ``c`` is bit ``c % 64`` of word ``c // 64``.

Word counts are rounded up to a few sizes, so that boards of similar size share compiled code.
Kernels keep every operand a ``uint64``: a mix with signed integers would make a signed one.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from skerry.core.kernels import kernel, vary

# A uint64 inside kernels. Compiled integers convert more freely than Python's type checker can
# express, so it is told nothing about single words; the compiler checks them.
Word = Any
Words = NDArray[np.uint64]

WORD = 64
WORD_BITS = np.uint64(WORD)
NONE = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
WORD_COUNTS = (1, 2, 4, 8)


def words_for(bits: int) -> int:
    """The smallest supported number of words that holds this many bits."""
    return next(words for words in WORD_COUNTS if words * WORD >= bits)


def mask(cells: Iterable[int], words: int) -> Words:
    """The set of these cells as words."""
    result = np.zeros(words, np.uint64)
    for cell in cells:
        result[cell // WORD] |= ONE << np.uint64(cell % WORD)
    return result


def members(words: Words) -> set[int]:
    """The cells of a set of words."""
    flags = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")
    return set(np.flatnonzero(flags).tolist())


def _instruction(emit: Callable[[Any, tuple[Any, ...]], Any], arity: int) -> Callable[..., Any]:
    """A function on words that compiles to what ``emit`` builds from them."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return emit(builder, args)

    if arity == 1:
        return intrinsic(lambda context, x: (types.int64(types.uint64), generate))
    word = types.uint64
    return intrinsic(lambda context, x, y: (word(word, word), generate))


def _deposit(builder: Any, args: tuple[Any, ...]) -> Any:
    """x86's PDEP: bit k of the first word goes to the place of the second word's k-th set bit."""
    word = ir.IntType(WORD)
    instruction = builder.module.declare_intrinsic(
        "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word])
    )
    return builder.call(instruction, args)


# How many bits of a word are set.
count = _instruction(lambda builder, args: builder.ctpop(*args), arity=1)
# Index of the lowest set bit; 64 for an empty word.
lowest = _instruction(lambda builder, args: builder.cttz(*args, ir.Constant(ir.IntType(1), 0)), 1)
# How many bits above the highest set bit are clear; 64 for an empty word.
leading = _instruction(lambda builder, args: builder.ctlz(*args, ir.Constant(ir.IntType(1), 0)), 1)
deposit = _instruction(_deposit, arity=2)


@kernel
def signed(x: Any) -> int:
    """Any integer of a record or table as one to count and index with."""
    return np.int64(x)  # type: ignore[return-value]


@kernel
def unsigned(x: Any) -> Word:
    """Any non-negative integer as a word; as an index it needs no check for being negative."""
    return np.uint64(x)


@kernel
def bit(cell: int) -> Word:
    """The word with just this cell's bit set, for word ``cell >> 6``."""
    return ONE << np.uint64(cell & 63)


@kernel
def has(words: Words, cell: int) -> bool:
    """Whether the set contains the cell."""
    return (words[cell >> 6] >> np.uint64(cell & 63)) & ONE != NONE


@kernel
def add(words: Words, cell: int) -> None:
    """Put the cell into the set."""
    words[cell >> 6] |= bit(cell)


@kernel
def remove(words: Words, cell: int) -> None:
    """Take the cell out of the set."""
    words[cell >> 6] &= ~bit(cell)


@kernel
def carry(words: Words, origin: int, goal: int) -> None:
    """Let the goal be in the set if the origin was, and the origin no longer."""
    moved = (words[origin >> 6] >> unsigned(origin & 63)) & ONE
    remove(words, origin)
    remove(words, goal)
    words[goal >> 6] |= moved << unsigned(goal & 63)


@kernel
def shift_by(step: Word, downwards: bool, above: Word, here: Word, below: Word) -> Word:
    """A word of a set moved by less than a word, given the words above and below it."""
    if downwards:
        return here >> step | above << (WORD_BITS - step)
    return here << step | below >> (WORD_BITS - step)


def _nth_by_deposit(word: Word, n: int) -> int:
    return lowest(deposit(ONE << np.uint64(n), word))


def _nth_by_clearing(word: Word, n: int) -> int:
    for _ in range(n):
        word &= word - ONE
    return lowest(word)


def _nth_by_halving(word: Word, n: int) -> int:
    index = 0
    for half in (32, 16, 8, 4, 2, 1):
        lower = word & ((ONE << np.uint64(half)) - ONE)
        here = count(lower)
        if n >= here:
            n -= here
            word >>= np.uint64(half)
            index += half
        else:
            word = lower
    return index


def _nth(word: Word, n: int) -> int:
    raise NotImplementedError


HAS_DEPOSIT = get_host_cpu_features().get("bmi2")
vary(_nth, _nth_by_deposit if HAS_DEPOSIT else _nth_by_clearing, _nth_by_halving)


@kernel
def nth(word: Word, n: int) -> int:
    """Index of the n-th set bit of a word, counted from 0 at the low end."""
    return _nth(word, n)


@kernel
def count_all(words: Words) -> int:
    """How many cells the set has."""
    total = 0
    for w in range(len(words)):
        total += count(words[w])
    return total


@kernel
def any_of_all(sets: Words) -> bool:
    """Whether one of several sets has a cell."""
    found = NONE
    for row in range(sets.shape[0]):
        for w in range(sets.shape[1]):
            found |= sets[row, w]
    return found != NONE


@kernel
def count_common(words: Words, others: Words) -> int:
    """How many cells two sets have in common."""
    total = 0
    for w in range(len(words)):
        total += count(words[w] & others[w])
    return total


@kernel
def write_code(words: Words, code: int, cells: NDArray[np.uint8]) -> None:
    """Write a code into the place of every cell of the set."""
    for w in range(len(words)):
        left = words[w]
        while left != NONE:
            cells[unsigned(w * WORD + lowest(left))] = code
            left &= left - ONE


@kernel
def nth_of_all(words: Words, n: int) -> int:
    """The n-th cell of the set, which has more than n."""
    w = 0
    here = count(words[w])
    while n >= here:
        n -= here
        w += 1
        here = count(words[w])
    return w * WORD + nth(words[w], n)


@kernel
def list_all(words: Words, out: NDArray[np.int32]) -> int:
    """Write the cells of the set in ascending order into ``out``; returns how many."""
    n = 0
    for w in range(len(words)):
        word = words[w]
        while word != NONE:
            out[n] = w * WORD + lowest(word)
            word &= word - ONE
            n += 1
    return n


@kernel
def put_marks(marks: NDArray[np.uint32], first: int, bits: Word) -> None:
    """Set what up to 32 bits say in words of 32, from the place ``first`` on."""
    shifted = bits << np.uint64(first & 31)
    marks[first >> 5] |= np.uint32(shifted & np.uint64(0xFFFFFFFF))
    if shifted >> np.uint64(32) != NONE:
        marks[(first >> 5) + 1] |= np.uint32(shifted >> np.uint64(32))
