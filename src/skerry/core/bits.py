"""Sets of cells as arrays of 64-bit words: cell ``c`` is bit ``c % 64`` of word ``c // 64``.

Word counts are rounded up to a few sizes, so that boards of similar size share compiled code.
Kernels keep every operand a ``uint64``: Numba would turn a mix with signed integers into floats.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from skerry.core.kernels import kernel

WORD = 64
NONE = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
WORD_COUNTS = (1, 2, 4, 8)


def words_for(bits: int) -> int:
    """The smallest supported number of words that holds this many bits."""
    return next(words for words in WORD_COUNTS if words * WORD >= bits)


def mask(cells: Iterable[int], words: int) -> NDArray[np.uint64]:
    """The set of these cells as words."""
    result = np.zeros(words, np.uint64)
    for cell in cells:
        result[cell // WORD] |= ONE << np.uint64(cell % WORD)
    return result


def members(words: NDArray[np.uint64]) -> set[int]:
    """The cells of a set of words."""
    flags = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")
    return set(np.flatnonzero(flags).tolist())


@intrinsic  # type: ignore[untyped-decorator]  # Numba ships no types
def count(context: Any, x: Any) -> Any:
    """How many bits of the word are set."""
    return types.int64(types.uint64), lambda _c, builder, _s, args: builder.ctpop(args[0])


@intrinsic  # type: ignore[untyped-decorator]
def lowest(context: Any, x: Any) -> Any:
    """Index of the lowest set bit; 64 for an empty word."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, False))

    return types.int64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def leading(context: Any, x: Any) -> Any:
    """How many bits above the highest set bit are clear; 64 for an empty word."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], context.get_constant(types.boolean, False))

    return types.int64(types.uint64), generate


@kernel
def bit(cell: int) -> np.uint64:
    """The word with just this cell's bit set, for word ``cell >> 6``."""
    return ONE << np.uint64(cell & 63)


@kernel
def has(words: NDArray[np.uint64], cell: int) -> bool:
    """Whether the set contains the cell."""
    return (words[cell >> 6] >> np.uint64(cell & 63)) & ONE != NONE


@kernel
def add(words: NDArray[np.uint64], cell: int) -> None:
    """Put the cell into the set."""
    words[cell >> 6] |= bit(cell)


@kernel
def remove(words: NDArray[np.uint64], cell: int) -> None:
    """Take the cell out of the set."""
    words[cell >> 6] &= ~bit(cell)


@intrinsic  # type: ignore[untyped-decorator]
def _deposit(context: Any, source: Any, word: Any) -> Any:
    """x86's PDEP: bit k of ``source`` goes to the place of the k-th set bit of ``word``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word_type = ir.IntType(WORD)
        instruction = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word_type, [word_type, word_type])
        )
        return builder.call(instruction, args)

    return types.uint64(types.uint64, types.uint64), generate


def _nth_by_deposit(word: np.uint64, n: int) -> int:
    return lowest(_deposit(ONE << np.uint64(n), word))


def _nth_by_clearing(word: np.uint64, n: int) -> int:
    for _ in range(n):
        word &= word - ONE
    return lowest(word)


# Index of the n-th set bit of a word, counted from 0 at the low end.
nth = kernel(_nth_by_deposit if get_host_cpu_features().get("bmi2") else _nth_by_clearing)
