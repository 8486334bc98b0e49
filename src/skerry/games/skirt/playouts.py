"""Random games of Skirt, faster: the same answers as the rules give, without listing them."""

import numpy as np

from skerry.core import bits, rules
from skerry.core.bits import NONE, ONE, WORD, Word
from skerry.core.kernels import implements, kernel
from skerry.core.random import advance, below
from skerry.core.rules import Actions, Marks, Raw, Tables
from skerry.games.skirt.rules import (
    AXES,
    HIGH,
    LOW,
    NAME,
    NO_CELL,
    count_free,
    find_places,
    free_on,
)

HALF = np.uint64(0xFFFFFFFF)  # of a word
# A random cell is tried so often before the legal ones are counted.
TRIES = 16


@implements(rules.mark, NAME)
def mark(t: Tables, s: Raw, marks: Marks, scratch: Actions) -> None:
    find_places(t, s)
    stuck = True
    for w in range(s.work.shape[0]):
        for half in range(2):
            part = (s.work[w] >> np.uint64(32 * half)) & HALF
            if part != NONE:
                bits.put_marks(marks, w * WORD + 32 * half, part)
                stuck = False
    if stuck:  # skirt.6
        bits.put_marks(marks, bits.signed(t.cells), ONE)


@kernel
def reachable(t: Tables, s: Raw, seat: int, cell: int) -> bool:
    """Whether a line from an own outer piece reaches an empty inner cell.

    The rules ask which cells an outer piece reaches; this asks it of one cell. Seen from the end of
    the line, what lies before the cell must be pieces and then empty cells:
    as a number, all ones below all zeros. In a variant there must be no pieces.
    """
    for axis in range(AXES):
        line = bits.signed(t.line_of[cell, axis])
        position = bits.unsigned(t.position[cell, axis])
        pieces = bits.unsigned(s.line[line])
        if bits.has(s.stones[seat], bits.signed(t.end[line, LOW])):
            before = pieces & ((ONE << position) - ONE)
            if before & ((before + ONE) | t.blocks) == NONE:
                return True
        if bits.has(s.stones[seat], bits.signed(t.end[line, HIGH])):
            whole = (ONE << bits.unsigned(t.length[line])) - ONE
            gaps = (~pieces & whole) >> (position + ONE)
            beyond = pieces >> (position + ONE)
            if (gaps & (gaps + ONE)) | (beyond & t.blocks) == NONE:
                return True
    return False


@kernel
def may_place(t: Tables, s: Raw, seat: int, cell: int) -> bool:
    """Whether a seat whose turn begins may place on an empty cell (skirt.2, skirt.3)."""
    return t.touching[cell] != 0 or reachable(t, s, seat, cell)


@kernel
def count_places(t: Tables, s: Raw, seat: int) -> int:
    """On how many empty cells a seat whose turn begins may place."""
    total = 0
    for n in range(bits.count_all(s.empty)):
        total += may_place(t, s, seat, bits.nth_of_all(s.empty, n))
    return total


@kernel
def nth_free(t: Tables, s: Raw, outer: int, n: int) -> int:
    """One of the inner cells reachable from an outer cell; NO_CELL beyond the last."""
    for slot in range(2):
        way = bits.signed(t.inward[outer, slot])
        if way != NO_CELL:
            first, number = free_on(t, s, way)
            if n < number:
                return bits.signed(t.cell_at[way >> 1, first + n])
            n -= number
    return NO_CELL


@implements(rules.sample, NAME)
def sample(t: Tables, s: Raw, rng: Word, scratch: Actions) -> tuple[int, Word]:
    rng = advance(rng)
    if s.pending != NO_CELL:
        outer = bits.signed(s.pending)
        return nth_free(t, s, outer, below(rng, count_free(t, s, outer))), rng
    seat = bits.signed(s.turn)
    # Rejection sampling: an empty cell drawn again while illegal is uniform over the legal ones.
    empties = bits.signed(t.cells - s.placed)
    for _ in range(TRIES):
        if empties == 0:
            break
        cell = bits.nth_of_all(s.empty, below(rng, empties))
        if may_place(t, s, seat, cell):
            return cell, rng
        rng = advance(rng)
    # Few or none are legal: count them, then take one.
    total = count_places(t, s, seat)
    if total == 0:
        return bits.signed(t.cells), rng
    left = below(rng, total)
    for n in range(empties):
        cell = bits.nth_of_all(s.empty, n)
        if may_place(t, s, seat, cell):
            if left == 0:
                return cell, rng
            left -= 1
    return bits.signed(t.cells), rng
