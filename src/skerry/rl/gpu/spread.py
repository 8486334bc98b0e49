"""Bits into bytes on a GPU: the threads of a block write rows that they marked, side by side.

A row of marks becomes a row of bytes, and rows follow each other without a gap, so that the block's
part of the result is one stretch of memory, whatever the length of a row.

These functions are told the numbers of their block and thread: Numba's simulator lets only kernels,
and functions that stand beside them, ask for those.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numba import cuda

from skerry.rl.stepping import MARK_BITS

PACKED = 8  # bytes that are written at a time
HALF = np.uint32(0xF)
# Four bits become four bytes: copies of them that do not meet, of each of which one bit is taken.
COPIES = np.uint32(0x0020_4081)
ONES = np.uint32(0x0101_0101)
device: Any = cuda.jit


@device(device=True)
def spread(eight: Any) -> Any:
    """The lowest eight bits as bytes."""
    low = np.uint32((eight & HALF) * COPIES) & ONES
    high = np.uint32((eight >> np.uint32(4) & HALF) * COPIES) & ONES
    return np.uint64(low) | np.uint64(high) << np.uint64(32)


@lru_cache
def lay_reader(block: int, length: int) -> Any:
    """What reads eight bits and more from where they are in rows of this length."""
    words = -(-length // MARK_BITS)

    @device(device=True)
    def read(bits: Any, row: Any, column: Any) -> Any:
        word, shift = np.uint32(column >> np.uint32(5)), np.uint32(column & np.uint32(31))
        eight = np.uint32(bits[row, word] >> shift)
        if shift > MARK_BITS - PACKED and word + 1 < words:
            eight |= np.uint32(bits[row, word + 1] << np.uint32(MARK_BITS - shift))
        ahead = length - np.int64(column)
        while ahead < PACKED and row + 1 < block:  # the next row begins
            row += np.uint32(1)
            eight |= np.uint32(bits[row, 0] << np.uint32(ahead))
            ahead += length
        return eight

    return read


@lru_cache
def lay_masks(block: int, length: int) -> Any:
    """What writes the masks of a block's games, which may reach up to a word beyond the last."""
    read = lay_reader(block, length)

    @device(device=True)
    def write_masks(bits: Any, number: Any, thread: Any, games: Any, masks: Any) -> None:
        first = np.int64(number) * block
        count = np.uint32(min(block, games - first))
        start = first * length // PACKED
        at: Any = np.uint32(thread)
        while at * np.uint32(PACKED) < count * np.uint32(length):
            place = np.uint32(at * np.uint32(PACKED))
            row = np.uint32(place // np.uint32(length))
            masks[start + at] = spread(read(bits, row, np.uint32(place - row * np.uint32(length))))
            at += np.uint32(block)

    return write_masks


@lru_cache
def lay_planes(block: int, length: int, counter: int) -> Any:
    """What writes the planes of a block's games, of which those from ``counter`` on are numbers.

    They are written in words if they lie so, and byte by byte otherwise. Planes come before the
    counter's, so a word that reaches into the next game has none of that game's numbers.
    """
    read = lay_reader(block, length)

    @device(device=True)
    def write_planes(
        bits: Any, numbers: Any, number: Any, thread: Any, games: Any, out: Any
    ) -> None:
        first = np.int64(number) * block
        count = np.uint32(min(block, games - first))
        packed = np.uint32(out.itemsize)
        start = first * length // np.int64(packed)
        at: Any = np.uint32(thread)
        while at * packed < count * np.uint32(length):
            place = np.uint32(at * packed)
            row = np.uint32(place // np.uint32(length))
            column: Any = np.int64(place - row * np.uint32(length))
            eight = read(bits, row, np.uint32(column))
            told = np.uint32(0)  # which of the eight are numbers
            if counter >= 0 and column + PACKED > counter:
                begin = np.uint32(max(counter - column, 0))
                end = np.uint32(min(length - column, PACKED))
                told = np.uint32((np.uint32(1) << end) - (np.uint32(1) << begin))
            value = spread(np.uint32(eight & ~told))
            value |= np.uint64(spread(np.uint32(eight & told)) * np.uint64(numbers[row]))
            if packed == 1:
                value &= np.uint64(0xFF)
            out[start + at] = value
            at += np.uint32(block)

    return write_planes
