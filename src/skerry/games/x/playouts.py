"""Random games of X, faster than one move at a time: the same answers as the rules give."""

import numpy as np

from skerry.core import bits, floods, rules
from skerry.core.bits import NONE, ONE, WORD, Word
from skerry.core.kernels import implements, kernel
from skerry.core.random import advance, below, choose
from skerry.core.rules import Actions, Marks, Raw, Tables
from skerry.games.x.rules import (
    BY_FILLING,
    BY_STONES,
    CORNERS,
    MASK,
    NAME,
    SEATS,
    base_of,
    flood_stones,
    outermost,
    put,
    reach,
)


@implements(rules.mark, NAME)
def mark(t: Tables, s: Raw, marks: Marks, scratch: Actions) -> None:
    """Letter by letter, without the clear bit behind each."""
    stride = bits.signed(t.stride)
    size = stride - 1
    for letter in range(size):
        at = letter * stride
        w, shift = at >> 6, at & 63
        cells = s.empty[w] >> np.uint64(shift)
        if shift + size > WORD:
            cells |= s.empty[w + 1] << np.uint64(WORD - shift)
        cells &= (ONE << np.uint64(size)) - ONE
        bits.put_marks(marks, letter * size, cells)


@implements(rules.sample, NAME)
def sample(t: Tables, s: Raw, rng: Word, scratch: Actions) -> tuple[int, Word]:
    rng = advance(rng)
    place = bits.nth_of_all(s.empty, below(rng, bits.count_all(s.empty)))
    return bits.signed(t.cell_at[place]), rng


@implements(rules.playout, NAME)
def playout(t: Tables, s: Raw, rng: Word, scratch: Actions) -> tuple[int, Word]:
    """Fill the board at random, then take stones back to where the game was over.

    A settled corner never changes its owner, so the full board tells the outcome, and being over
    is a matter of one moment in the order of play. Taking stones back only ever grows what a seat
    connects by filling, so those floods are carried along instead of being done again.
    """
    plies, turn, rng = fill_at_random(s, rng, scratch)
    settle_full_board(t, s)
    for i in range(2 * SEATS):  # filling adds nothing to the stones yet
        for w in range(s.work.shape[1]):
            s.work[BY_FILLING + i, w] = s.work[BY_STONES + i, w]
    while plies > 0:
        place = bits.signed(scratch[plies - 1])
        previous = SEATS - 1 if turn == 0 else turn - 1
        take_back(t, s, previous, place)
        if any_open(t, s):
            put(s, previous, place)
            break
        turn = previous
        plies -= 1
    s.turn = turn
    return plies, rng


@implements(rules.finish, NAME)
def finish(t: Tables, s: Raw, rng: Word, scratch: Actions) -> Word:
    rng = deal_at_random(s, rng)
    settle_full_board(t, s)
    return rng


@kernel
def deal_at_random(s: Raw, rng: Word) -> Word:
    """Fill the board as turns at random would, without the order that they come in."""
    left = bits.count_all(s.empty)
    for step in range(SEATS):
        seat = (s.turn + step) % SEATS
        share = -(-left // (SEATS - step))  # whoever is earlier has the odd turn
        rng = choose(s.empty, share, s.work[MASK], rng)
        for w in range(s.empty.shape[0]):
            s.stones[seat, w] |= s.work[MASK, w]
            s.empty[w] ^= s.work[MASK, w]
        left -= share
    return rng


@kernel
def fill_at_random(s: Raw, rng: Word, order: Actions) -> tuple[int, int, Word]:
    """Play on every empty cell; returns the plies, the seat after the last, and the generator."""
    n = 0
    for w in range(s.empty.shape[0]):
        cells = s.empty[w]
        while cells != NONE:
            order[n] = w * WORD + bits.lowest(cells)
            cells &= cells - ONE
            n += 1
        s.empty[w] = NONE
    turn = bits.signed(s.turn)
    for i in range(n):
        rng = advance(rng)
        j = i + below(rng, n - i)
        place = order[j]
        order[j] = order[i]
        order[i] = place
        bits.add(s.stones[turn], bits.signed(place))
        turn = 0 if turn == SEATS - 1 else turn + 1
    return n, turn, rng


@kernel
def settle_full_board(t: Tables, s: Raw) -> None:
    """Find the owners of all corners of a full board."""
    for base in range(2):
        for seat in range(SEATS):
            flood_stones(t, s, base, seat)
    for corner in range(CORNERS):
        s.owner[corner], _ = outermost(t, s, corner)
    s.settled = CORNERS
    s.over = 1


@kernel
def take_back(t: Tables, s: Raw, seat: int, place: int) -> None:
    """Remove a stone and bring the floods up to date."""
    bits.remove(s.stones[seat], place)
    bits.add(s.empty, place)
    for base in range(2):
        row = BY_STONES + base * SEATS + seat
        if owns_on(s, base, seat) and bits.has(s.work[row], place):
            flood_stones(t, s, base, seat)
    for step in range(1, SEATS):
        other = (seat + step) % SEATS
        for w in range(s.work.shape[1]):
            s.work[MASK, w] = s.stones[other, w] | s.empty[w]
        for base in range(2):
            row = BY_FILLING + base * SEATS + other
            if touches(t, s, base, row, place):
                bits.add(s.work[row], place)
                floods.flood(t.stride, s.work[row], s.work[MASK])


@kernel
def owns_on(s: Raw, base: int, seat: int) -> bool:
    """Whether the seat owns a corner on the base."""
    if base == 0:
        return s.owner[0] == seat or s.owner[3] == seat
    return s.owner[1] == seat or s.owner[2] == seat


@kernel
def touches(t: Tables, s: Raw, base: int, row: int, place: int) -> bool:
    """Whether a cell lies on the base or next to a flooded set."""
    if bits.has(t.base[base], place):
        return True
    for w in range(s.work.shape[1]):
        if s.work[row, w] & t.next_to[place, w] != NONE:
            return True
    return False


@kernel
def any_open(t: Tables, s: Raw) -> bool:
    """Whether a corner could still go to somebody else than its owner on the full board.

    That is so if another seat reaches farther by filling than the owner does by stones. The third
    seat's stones do not matter: where they reach farther than the owner's, the corner is open.
    """
    for corner in range(CORNERS):
        row = base_of(corner) * SEATS
        owned = reach(t, s, corner, BY_STONES + row + s.owner[corner])
        for step in range(1, SEATS):
            other = (s.owner[corner] + step) % SEATS
            if reach(t, s, corner, BY_FILLING + row + other) > owned:
                return True
    return False
