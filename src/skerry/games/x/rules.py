"""The rules of X, Mark Steere's three-player fight for corners."""

import numpy as np

from skerry.core import bits, floods, rules
from skerry.core.bits import NONE, ONE, WORD
from skerry.core.kernels import implements, kernel
from skerry.core.rules import Actions, Codes, Points, Raw, Returns, Tables

NAME = "x"
CLAUSES = {
    "x.1": "The board is a rhombus of {size} by {size} hexes, a wide diamond.",
    "x.2": "Red, Yellow and Green take turns. On your turn, put one stone of your colour on any "
    "empty hex.",
    "x.3": "A corner belongs to the player with the outermost path between its two sides: of the "
    "groups that touch both sides, the one that reaches farthest from the corner. A stone on the "
    "corner hex is already such a path.",
    "x.4": "A corner is settled when only one player could still own it, that is, would own it "
    "with every empty hex filled by stones of their own. The game ends when all four corners are "
    "settled.",
    "x.5": "The winner has the maximum unique number of corners: with 4-0-0, 3-1-0 and 2-1-1 the "
    "leader wins, and with 2-2-0 the player who has none.",
    "x.6": "There are no draws.",
}

SEATS = 3
CORNERS = 4  # left, top, right, bottom
OPEN = -1  # a corner that is not settled
EVERYWHERE = (1 << CORNERS) - 1  # corners as bits
# Scratch sets: one to flood in, and per base and seat what is connected to that base.
MASK = 0
BY_STONES = 1
BY_FILLING = BY_STONES + 2 * SEATS
WORK = BY_FILLING + 2 * SEATS


def state_dtype(words: int) -> np.dtype[np.void]:
    """A position, with one bit for every hex and a clear one behind each row."""
    return np.dtype(
        [
            ("stones", np.uint64, (SEATS, words)),
            ("empty", np.uint64, (words,)),
            ("owner", np.int8, (CORNERS,)),  # seats that own the settled corners
            ("settled", np.uint8),  # how many corners, in order, are known to be settled
            ("paths", np.uint8),  # bit per corner around which there is a path of anybody's
            ("turn", np.uint8),
            ("over", np.uint8),
            ("work", np.uint64, (WORK, words)),  # scratch space for floods
        ],
        align=True,
    )


@implements(rules.legal, NAME)
def legal(t: Tables, s: Raw, out: Actions) -> int:
    n = 0
    for w in range(s.empty.shape[0]):
        left = s.empty[w]  # x.2
        while left != NONE:
            out[n] = t.cell_at[w * WORD + bits.lowest(left)]
            left &= left - ONE
            n += 1
    return n


@kernel
def flood_stones(t: Tables, s: Raw, base: int, seat: int) -> None:
    """What the seat's stones connect to a base."""
    row = BY_STONES + base * SEATS + seat
    for w in range(s.work.shape[1]):
        s.work[row, w] = s.stones[seat, w] & t.base[base, w]
    floods.flood(t.stride, s.work[row], s.stones[seat])


@kernel
def flood_filling(t: Tables, s: Raw, base: int, seat: int) -> None:
    """What the seat would connect to a base with every empty hex its own."""
    row = BY_FILLING + base * SEATS + seat
    for w in range(s.work.shape[1]):
        s.work[MASK, w] = s.stones[seat, w] | s.empty[w]
        s.work[row, w] = s.work[MASK, w] & t.base[base, w]
    floods.flood(t.stride, s.work[row], s.work[MASK])


@kernel
def base_of(corner: int) -> int:
    """Left and bottom stand on the first letter, top and right on the last one."""
    return 0 if corner in (0, 3) else 1


@kernel
def reach(t: Tables, s: Raw, corner: int, row: int) -> int:
    """How far from the corner a flooded set touches the side it is measured on; 0 if nowhere."""
    words = s.work.shape[1]
    if base_of(corner) == 0:
        for i in range(words):
            w = words - 1 - i
            touching = s.work[row, w] & t.along[corner, w]
            if touching != NONE:
                return (w + 1) * WORD - bits.leading(touching)
    else:
        for w in range(words):
            touching = s.work[row, w] & t.along[corner, w]
            if touching != NONE:
                return (words - w) * WORD - bits.lowest(touching)
    return 0


@kernel
def outermost(t: Tables, s: Raw, corner: int) -> tuple[int, int]:
    """Whose path reaches farthest from the corner, and how far (x.3); OPEN where there is none.

    The floods by stones have to be up to date.
    """
    owner, farthest = OPEN, 0
    for seat in range(SEATS):
        far = reach(t, s, corner, BY_STONES + base_of(corner) * SEATS + seat)
        if far > farthest:
            owner, farthest = seat, far
    return owner, farthest


@kernel
def settled_owner(t: Tables, s: Raw, corner: int) -> int:
    """The only seat that could still own the corner, or OPEN (x.4)."""
    base = base_of(corner)
    for seat in range(SEATS):
        flood_stones(t, s, base, seat)
    owner, farthest = outermost(t, s, corner)
    for step in range(1, SEATS if owner != OPEN else 1):
        other = (owner + step) % SEATS
        flood_filling(t, s, base, other)
        if reach(t, s, corner, BY_FILLING + base * SEATS + other) > farthest:
            return OPEN
    return owner


@kernel
def find_paths(t: Tables, s: Raw, seat: int, place: int) -> None:
    """Note the corners around which the group of a stone leads from side to side."""
    group = s.work[BY_STONES]
    for w in range(s.work.shape[1]):
        group[w] = NONE
    bits.add(group, place)
    floods.flood(t.stride, group, s.stones[seat])
    for corner in range(CORNERS):
        on_base = on_side = NONE
        for w in range(s.work.shape[1]):
            on_base |= group[w] & t.base[base_of(corner), w]
            on_side |= group[w] & t.along[corner, w]
        s.paths |= np.uint8(NONE not in (on_base, on_side)) << corner


@kernel
def see_if_over(t: Tables, s: Raw) -> None:
    """Settle corners in order: settled ones stay so, and one open corner is enough to go on."""
    if s.paths != EVERYWHERE:  # a corner without any path is open: whoever fills the board has one
        return
    while s.settled < CORNERS:
        owner = settled_owner(t, s, bits.signed(s.settled))
        if owner == OPEN:
            return
        s.owner[s.settled] = owner
        s.settled += 1
    s.over = 1


@kernel
def put(s: Raw, seat: int, place: int) -> None:
    """Put a stone on an empty hex (x.2)."""
    bits.add(s.stones[seat], place)
    bits.remove(s.empty, place)


@implements(rules.play, NAME)
def play(t: Tables, s: Raw, action: int) -> None:
    seat, place = bits.signed(s.turn), bits.signed(t.place[action])
    put(s, seat, place)
    s.turn = (seat + 1) % SEATS
    if s.paths != EVERYWHERE:
        find_paths(t, s, seat, place)
    see_if_over(t, s)


@implements(rules.identify, NAME)
def identify(t: Tables, s: Raw, cells: Codes) -> int:
    for cell in range(t.cells):
        for seat in range(SEATS):
            if bits.has(s.stones[seat], bits.signed(t.place[cell])):
                cells[cell] = 1 + seat
    return bits.signed(s.turn)


@implements(rules.restore, NAME)
def restore(t: Tables, s: Raw, cells: Codes, rest: int) -> bool:
    rules.reset(t, s, NONE)
    s.turn = rest
    for cell in range(t.cells):
        if cells[cell] != 0:
            put(s, cells[cell] - 1, bits.signed(t.place[cell]))
    for cell in range(t.cells):
        if cells[cell] != 0:
            find_paths(t, s, cells[cell] - 1, bits.signed(t.place[cell]))
    see_if_over(t, s)
    return True


@implements(rules.score, NAME)
def score(t: Tables, s: Raw, out: Points) -> bool:
    for corner in range(CORNERS):
        out[s.owner[corner]] += 1
    return True


@kernel
def corners_of(s: Raw, seat: int) -> int:
    """How many corners the seat owns."""
    n = 0
    for corner in range(CORNERS):
        n += s.owner[corner] == seat
    return n


@kernel
def winning_seat(s: Raw) -> int:
    """The seat with the maximum unique number of corners (x.5); there always is one (x.6)."""
    winner = 0
    most = -1
    for seat in range(SEATS):
        n = corners_of(s, seat)
        shared = n == corners_of(s, (seat + 1) % SEATS) or n == corners_of(s, (seat + 2) % SEATS)
        if n > most and not shared:
            winner = seat
            most = n
    return winner


@implements(rules.returns, NAME)
def returns(t: Tables, s: Raw, out: Returns) -> None:
    winner = winning_seat(s)
    for seat in range(SEATS):
        out[seat] = 1.0 if seat == winner else -0.5
