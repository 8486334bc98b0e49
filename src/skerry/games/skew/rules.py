"""The rules of Skew: pegs lean, and the lean spreads."""

import numpy as np

from skerry.core import bitplanes, bits, rules
from skerry.core.bits import ALL, NONE, ONE, WORD, Word
from skerry.core.kernels import implements, kernel
from skerry.core.rules import Actions, Codes, Points, Raw, Returns, Tables

NAME = "skew"
CLAUSES = {
    "skew.1": "The board is a regular hexagon of holes, {side} on each side, with a black peg in "
    "the centre that never moves.",
    "skew.2": "Each player has {pegs:peg|pegs}. First begins, and turns alternate.",
    "skew.3": "On your turn, place a peg in an empty hole next to the black peg or next to a peg "
    "of your opponent.",
    "skew.4": "Lean it in any of the six directions, also towards an empty hole or off the board.",
    "skew.5": "The lean spreads down the line: every peg beyond takes it on, through the black "
    "peg, up to an empty hole, the edge, or a peg that leans this way already.",
    "skew.6": "The game ends when all pegs are placed. A player who cannot place a peg passes; "
    "when neither can, the game ends.",
    "skew.7": "A peg next to the black peg that leans straight at it scores, and so does every peg "
    "that leans straight at a scoring peg next to it. Whoever has more scoring pegs wins.",
    "skew.8": "On a tie, the pegs next to the black peg that do not score are leaned at it, and "
    "all is counted again. If it is still a tie, the game is a draw.",
}

DIRECTIONS = 6
SIX = np.uint64(DIRECTIONS)
UPWARDS = 3  # directions below this one lead to higher cell numbers
OPEN, SCORING, RELEASED, FRONTIER = range(4)  # sets in the scratch space


def state_dtype(words: int) -> np.dtype[np.void]:
    """A position; ``lean`` holds the bits of each peg's direction."""
    return np.dtype(
        [
            ("pegs", np.uint64, (2, words)),  # the holes of each seat's pegs
            ("lean", np.uint64, (bitplanes.PLANES, words)),
            ("near", np.uint64, (2, words)),  # holes next to the black peg or a peg of the seat
            ("left", np.int16, (2,)),  # pegs not yet placed
            ("turn", np.uint8),
            ("over", np.uint8),
            ("work", np.uint64, (4, words)),  # scratch space
        ],
        align=True,
    )


@implements(rules.reset, NAME)
def reset(t: Tables, s: Raw, rng: Word) -> Word:
    for seat in range(2):
        s.left[seat] = t.pegs[seat]  # skew.2
        for w in range(s.near.shape[1]):
            s.near[seat, w] = t.next_to[t.centre, w]
    return rng


@kernel
def open_holes(t: Tables, s: Raw, seat: int, w: int) -> Word:
    """Word ``w`` of the holes where the seat may place a peg, if it has one left (skew.3)."""
    empty = t.holes[w] & ~(s.pegs[0, w] | s.pegs[1, w])
    return empty & s.near[seat ^ ONE, w] if s.left[seat] > 0 else NONE


@implements(rules.legal, NAME)
def legal(t: Tables, s: Raw, out: Actions) -> int:
    n = 0
    for w in range(s.near.shape[1]):
        holes = open_holes(t, s, bits.unsigned(s.turn), w)
        while holes != NONE:
            hole = w * WORD + bits.lowest(holes)
            holes &= holes - ONE
            for direction in range(DIRECTIONS):  # skew.4
                out[n] = hole * DIRECTIONS + direction
                n += 1
    if n == 0:  # skew.6
        out[0] = t.pass_action
        n = 1
    return n


@kernel
def leaning(s: Raw, direction: int, w: int) -> Word:
    """Word ``w`` of the pegs that lean in a direction."""
    return bitplanes.having(s.lean, direction, w, s.pegs[0, w] | s.pegs[1, w])


@kernel
def spread(t: Tables, s: Raw, hole: int, direction: int) -> None:
    """Carry a lean down the line (skew.5).

    What ends the walk is an empty hole or a peg that leans this way already; the first such hole
    on the ray is its lowest or its highest bit, depending on where the direction leads.
    """
    words = len(t.holes)
    for i in range(s.lean.shape[1]):
        w = i if direction < UPWARDS else words - 1 - i
        ray = t.ray[hole, direction, w]
        pegs = s.pegs[0, w] | s.pegs[1, w]
        # The black peg is the one hole of the ray that is neither a peg nor an end.
        ends = ray & ((t.holes[w] & ~pegs) | leaning(s, direction, w))
        if direction < UPWARDS:
            reached = (ends & (~ends + ONE)) - ONE
        else:
            reached = ~(ALL >> bits.unsigned(bits.leading(ends)))
        if ends == NONE:
            reached = ALL
        bitplanes.assign(s.lean, direction, w, ray & reached & pegs)
        if ends != NONE:
            break


@kernel
def can_place(t: Tables, s: Raw, seat: int) -> bool:
    """Whether the seat has a peg left and a hole for it."""
    for w in range(s.near.shape[1]):
        if open_holes(t, s, seat, w) != NONE:
            return True
    return False


@kernel
def see_if_over(t: Tables, s: Raw) -> None:
    """End the game once neither seat can place (skew.6)."""
    seat = bits.unsigned(s.turn)
    if not can_place(t, s, seat) and not can_place(t, s, seat ^ ONE):
        s.over = 1


@kernel
def put(t: Tables, s: Raw, seat: int, hole: int, direction: int) -> None:
    """Put a leaning peg into an empty hole (skew.3, skew.4)."""
    bits.add(s.pegs[seat], hole)
    bitplanes.assign(s.lean, direction, hole >> 6, bits.bit(hole))
    for w in range(s.near.shape[1]):
        s.near[seat, w] |= t.next_to[hole, w]
    s.left[seat] -= 1


@implements(rules.play, NAME)
def play(t: Tables, s: Raw, action: int) -> None:
    seat = bits.unsigned(s.turn)
    if action != t.pass_action:
        hole = bits.unsigned(action) // SIX
        direction = bits.unsigned(action) % SIX
        spread(t, s, hole, direction)
        put(t, s, seat, hole, direction)
    s.turn = seat ^ ONE
    see_if_over(t, s)


@implements(rules.identify, NAME)
def identify(t: Tables, s: Raw, cells: Codes) -> int:
    for hole in range(len(cells)):
        for seat in range(2):
            if bits.has(s.pegs[seat], hole):
                cells[hole] = 1 + seat * DIRECTIONS + bitplanes.value_at(s.lean, hole)
    return bits.signed(s.turn)


@implements(rules.restore, NAME)
def restore(t: Tables, s: Raw, cells: Codes, rest: int) -> bool:
    reset(t, s, NONE)
    s.turn = rest
    for hole in range(len(cells)):
        if cells[hole] != 0:
            peg = bits.unsigned(cells[hole] - 1)
            put(t, s, peg // SIX, bits.unsigned(hole), peg % SIX)
    see_if_over(t, s)
    return True


@kernel
def leaning_at(t: Tables, s: Raw, hole: int, w: int) -> Word:
    """Word ``w`` of the pegs that lean straight at a hole.

    Pegs that a tie has released (skew.8) lean at the centre and nowhere else.
    """
    pegs, released = NONE, s.work[RELEASED, w]
    for direction in range(DIRECTIONS):
        pegs |= leaning(s, direction, w) & t.behind[hole, direction, w]
    return pegs | released if hole == t.centre else pegs & ~released


@kernel
def find_scoring(t: Tables, s: Raw) -> None:
    """Collect the scoring pegs (skew.7) in the record's scratch space, outwards from the centre.

    A peg leans at one hole only, so none is found twice.
    """
    for w in range(s.work.shape[1]):
        s.work[SCORING, w] = s.work[FRONTIER, w] = leaning_at(t, s, bits.signed(t.centre), w)
    w = 0
    while w < s.work.shape[1]:
        if s.work[FRONTIER, w] == NONE:
            w += 1
            continue
        hole = w * WORD + bits.lowest(s.work[FRONTIER, w])
        bits.remove(s.work[FRONTIER], hole)
        for v in range(s.work.shape[1]):
            found = leaning_at(t, s, hole, v)
            s.work[SCORING, v] |= found
            s.work[FRONTIER, v] |= found
            if found != NONE and v < w:
                w = v


@kernel
def count_scoring(s: Raw, seat: int) -> int:
    """How many pegs of a seat are among the scoring pegs found last."""
    return bits.count_common(s.work[SCORING], s.pegs[seat])


@kernel
def find_all_scoring(t: Tables, s: Raw, tied: bool) -> None:
    """Find the scoring pegs, first as they stand and then, on a tie, with more leaned (skew.8)."""
    for w in range(s.work.shape[1]):
        s.work[RELEASED, w] = NONE
    find_scoring(t, s)
    if tied:
        for w in range(s.work.shape[1]):
            pegs = s.pegs[0, w] | s.pegs[1, w]
            s.work[RELEASED, w] = t.next_to[t.centre, w] & pegs & ~s.work[SCORING, w]
        find_scoring(t, s)


@implements(rules.score, NAME)
def score(t: Tables, s: Raw, out: Points) -> bool:
    find_all_scoring(t, s, False)
    for seat in range(2):
        out[seat] = count_scoring(s, seat)
    return True


@implements(rules.returns, NAME)
def returns(t: Tables, s: Raw, out: Returns) -> None:
    lead = 0
    for tied in (False, True):
        if lead == 0:
            find_all_scoring(t, s, tied)
            # In half points, of which variants give First some.
            lead = 2 * (count_scoring(s, 0) - count_scoring(s, 1)) + bits.signed(t.bonus)
    for seat in range(2):
        ahead = lead if seat == 0 else -lead
        out[seat] = 0.0 if lead == 0 else (1.0 if ahead > 0 else -1.0)
