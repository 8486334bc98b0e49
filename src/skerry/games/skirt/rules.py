"""The rules of Skirt, Kanare Kato's connection game played from the rim inwards."""

import numpy as np

from skerry.core import bits, groups, rules
from skerry.core.bits import NONE, ONE, WORD, Word
from skerry.core.kernels import implements, kernel
from skerry.core.rules import Actions, Codes, Raw, Tables

NAME = "skirt"
CLAUSES = {
    "skirt.1": "The board is a regular hexagon, {side} hexes on each side. Its outermost ring is "
    "the outer area, in six sides with each corner on two; the rest is the inner area.",
    "skirt.2": "White begins with one piece on any outer hex, which is the whole turn.",
    "skirt.3": "On every later turn, place a piece on an empty outer hex and then another on an "
    "inner hex in its reach; or place only one, on an inner hex in reach of an outer piece that "
    "you have already.",
    "skirt.4": "In reach are the empty inner hexes on a straight line from the outer piece up to "
    "the first piece. If the very first hex is taken, the unbroken run of pieces that starts "
    "there is jumped, once.",
    "skirt.5": "Where nothing is in reach of the outer piece just placed, the turn ends with it.",
    "skirt.6": "You may not pass while you can place a piece. A player who cannot passes, and two "
    "passes in a row end the game as a draw.",
    "skirt.7": "Whoever connects two opposite sides, or three sides of which none are adjacent, "
    "wins at once, also with the first of two pieces.",
}

AXES = 3  # lines run along e, ne and nw; their low end is where that direction starts
LOW, HIGH = 0, 1  # ends of a line
SIDES = 6
ALL_SIDES = (1 << SIDES) - 1
Goals = tuple[tuple[int, ...], ...]
OPPOSITE = 3  # so many of the goals are pairs of opposite sides
GOALS: Goals = (
    (0, 3),
    (1, 4),
    (2, 5),
    (0, 2, 4),
    (1, 3, 5),
)  # sides that win if a group joins them
NOBODY = -1
NO_CELL = -1
PENDING_CODE = 3  # in place of the piece's own, which is of the seat to move


def list_goals(alternate: int) -> Goals:
    """Which sides win if a group joins them (skirt.7); in a variant no alternate ones do."""
    return GOALS if alternate else GOALS[:OPPOSITE]


def deciding_sides(touched: int, goals: Goals) -> tuple[int, ...]:
    """Of the sides that a group touches, as bits, those that win it the game (skirt.7)."""
    return next((goal for goal in goals if all(touched >> side & 1 for side in goal)), ())


def state_dtype(words: int, lines: int, link: np.dtype[np.unsignedinteger]) -> np.dtype[np.void]:
    """A position; ``link`` is the union-find of groups, with the sides that each touches."""
    return np.dtype(
        [
            ("stones", np.uint64, (2, words)),
            ("empty", np.uint64, (words,)),
            ("line", np.uint16 if lines <= 16 else np.uint32, (AXES * lines,)),  # of inner cells
            ("link", link, (words * WORD,)),
            ("placed", np.int16),
            ("pending", np.int16),  # outer piece whose inner placement is due, or NO_CELL
            ("passes", np.uint8),
            ("winner", np.int8),
            ("turn", np.uint8),
            ("over", np.uint8),
            ("work", np.uint64, (words,)),  # scratch space
        ],
        align=True,
    )


@implements(rules.reset, NAME)
def reset(t: Tables, s: Raw, rng: Word) -> Word:
    s.pending = NO_CELL
    s.winner = NOBODY
    for w in range(s.empty.shape[0]):
        s.empty[w] = t.board[w]
    return rng


@kernel
def put(t: Tables, s: Raw, seat: int, cell: int) -> None:
    """Put a piece on a cell, join it to its group, and end the game if that wins (skirt.7)."""
    bits.add(s.stones[seat], cell)
    bits.remove(s.empty, cell)
    if t.touching[cell] == 0:
        for axis in range(AXES):
            s.line[t.line_of[cell, axis]] |= 1 << t.position[cell, axis]
    s.link[cell] = t.root | t.touching[cell]
    s.placed += 1
    touched = groups.join(s.link, t.root, cell, s.stones[seat], t.next_to[cell])
    if t.wins[touched & ALL_SIDES] != 0:
        s.over = 1
        s.winner = seat


@kernel
def free_on(t: Tables, s: Raw, way: int) -> tuple[int, int]:
    """The positions reachable from one end of a line, as (first, number) (skirt.4).

    Counted from that end, the run of pieces that starts at once is jumped (it may be empty), and
    then every empty cell up to the next piece is free. In a variant nothing is jumped.
    """
    line = way >> 1
    length = bits.signed(t.length[line])
    pieces = bits.unsigned(s.line[line])
    if way & 1 == LOW:
        jumped = bits.lowest(~pieces)
        beyond = bits.lowest(pieces >> bits.unsigned(jumped))
    else:
        pieces <<= bits.unsigned(WORD - length)
        jumped = bits.leading(~pieces)
        beyond = bits.leading(pieces << bits.unsigned(jumped))
    number = min(beyond, length - jumped)
    if jumped > 0 and t.blocks != NONE:
        number = 0
    return (jumped if way & 1 == LOW else length - jumped - number), number


@kernel
def count_free(t: Tables, s: Raw, outer: int) -> int:
    """How many inner cells are reachable from an outer cell."""
    total = 0
    for slot in range(2):
        way = bits.signed(t.inward[outer, slot])
        if way != NO_CELL:
            total += free_on(t, s, way)[1]
    return total


@kernel
def add_free(t: Tables, s: Raw, outer: int) -> None:
    """Add the inner cells reachable from an outer cell to the record's scratch space."""
    for slot in range(2):
        way = bits.signed(t.inward[outer, slot])
        if way != NO_CELL:
            first, number = free_on(t, s, way)
            for w in range(s.work.shape[0]):
                s.work[w] |= t.before[way >> 1, first, w] ^ t.before[way >> 1, first + number, w]


@kernel
def find_places(t: Tables, s: Raw) -> None:
    """Collect where the seat to move may place in the record's scratch space."""
    for w in range(s.work.shape[0]):
        s.work[w] = NONE
    if s.pending != NO_CELL:
        add_free(t, s, bits.signed(s.pending))
        return
    for w in range(s.work.shape[0]):
        pieces = s.stones[s.turn, w] & t.outer[w]
        while pieces != NONE:
            add_free(t, s, w * WORD + bits.lowest(pieces))
            pieces &= pieces - ONE
    for w in range(s.work.shape[0]):
        s.work[w] |= s.empty[w] & t.outer[w]  # skirt.2, skirt.3


@implements(rules.legal, NAME)
def legal(t: Tables, s: Raw, out: Actions) -> int:
    find_places(t, s)
    n = bits.list_all(s.work, out)
    if n == 0:  # skirt.6
        out[0] = t.cells
        n = 1
    return n


@implements(rules.play, NAME)
def play(t: Tables, s: Raw, action: int) -> None:
    seat = bits.signed(s.turn)
    if action == t.cells:
        s.passes += 1
        if s.passes == 2:  # skirt.6
            s.over = 1
    else:
        opening = s.placed == 0
        put(t, s, seat, action)
        s.passes = 0
        # skirt.5: the turn goes on only if it began on the rim and something is reachable.
        rim = t.touching[action] != 0 and not opening
        if rim and s.over == 0 and count_free(t, s, action) > 0:
            s.pending = action
            return
    s.pending = NO_CELL
    s.turn = 1 - seat


@implements(rules.identify, NAME)
def identify(t: Tables, s: Raw, cells: Codes) -> int:
    for seat in range(2):
        bits.write_code(s.stones[seat], 1 + seat, cells)
    if s.pending != NO_CELL:
        cells[s.pending] = PENDING_CODE
    return bits.signed(s.passes) * 2 + bits.signed(s.turn)


@implements(rules.restore, NAME)
def restore(t: Tables, s: Raw, cells: Codes, rest: int) -> bool:
    reset(t, s, NONE)
    s.turn, s.passes = rest % 2, rest // 2
    winners = 0
    for seat in range(2):
        s.over = 0
        for cell in range(t.cells):
            pending = cells[cell] == PENDING_CODE
            if cells[cell] == 1 + seat or (pending and seat == s.turn):
                put(t, s, seat, cell)
                if pending:
                    s.pending = cell
        winners += s.over
    s.over = winners > 0 or s.passes == 2
    if s.passes == 2:  # skirt.6: the last to pass could not place
        s.turn ^= 1
        find_places(t, s)
        s.turn ^= 1
        if bits.count_all(s.work) > 0:
            return False
    if s.pending == NO_CELL:
        return winners < 2
    # skirt.5: a second placement is due only where there is one.
    due = s.over == 0 and s.passes == 0
    return due and count_free(t, s, bits.signed(s.pending)) > 0
