"""A number below eight for every cell of a set, kept as bit planes: ``planes[i]`` has bit i of all.

So what happens to many cells at once is a few operations on whole words.
"""

from skerry.core.bits import NONE, Word, Words, has, unsigned
from skerry.core.kernels import kernel

PLANES = 3  # a constant, so that loops over them are unrolled


@kernel
def spread_bit(value: int, plane: int) -> Word:
    """A word of all ones if a bit of the value is set, else of zeros."""
    return NONE - unsigned((value >> plane) & 1)


@kernel
def having(planes: Words, value: int, w: int, cells: Word) -> Word:
    """Of these cells of word ``w``, those that have this value."""
    for plane in range(PLANES):
        cells &= ~(planes[plane, w] ^ spread_bit(value, plane))
    return cells


@kernel
def assign(planes: Words, value: int, w: int, cells: Word) -> None:
    """Give these cells of word ``w`` the value."""
    for plane in range(PLANES):
        planes[plane, w] = (planes[plane, w] & ~cells) | (cells & spread_bit(value, plane))


@kernel
def value_at(planes: Words, cell: int) -> int:
    """The value of a cell."""
    value = 0
    for plane in range(PLANES):
        value |= has(planes[plane], cell) << plane
    return value
