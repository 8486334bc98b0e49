"""What is known of a position: which outcomes it can still have, and how long that holds.

In most games that is a set of outcomes. Where play without progress is counted down to a draw
(``rules.countdown``), one row of the table is for a position whatever is left of the count. With
more left a seat can do what it could with less, and go on: a win stays one with more left, and what
is no win stays none with less. So for every outcome one number says when it is ruled out:

- a seat's win for all counts up to a *bound*, or for ever (MOST);
- a draw for all counts from MOST minus its bound on.

A higher bound says more, and 0 says nothing. Bounds of what is known together are the higher ones,
of what is known of either the lower ones. If a draw and one seat's win are ruled out at the same
count, the other seat has won there; so the first seat wins at no count.
"""

from skerry.core import rules
from skerry.core.kernels import kernel

BOUND_BITS = rules.REST_BITS - 1  # a count is told beside the turn of two seats
MOST = (1 << BOUND_BITS) - 1
KNOWN_BITS = 3 * BOUND_BITS
DRAW = 2  # the outcome, in games of two seats
NEVER_DRAWN = MOST - 1  # the bound of a draw that is ruled out whatever is left
NOTHING = 0  # that is known, with a countdown
NO_FACT = (1 << KNOWN_BITS) - 1  # rules everything out, and so is known of no position


@kernel
def bound_of(known: int, outcome: int) -> int:
    """The bound of an outcome."""
    return known >> (outcome * BOUND_BITS) & MOST


@kernel
def pack(first: int, second: int, draw: int) -> int:
    """Bounds as one number."""
    return first | second << BOUND_BITS | draw << (DRAW * BOUND_BITS)


@kernel
def possible(known: int, left: int) -> int:
    """The set of outcomes that a position can have with so much left; 0 is without a countdown."""
    if left == 0:
        return known
    outcomes = 0
    for seat in range(DRAW):
        if left > bound_of(known, seat):
            outcomes |= 1 << seat
    if left < MOST - bound_of(known, DRAW):
        outcomes |= 1 << DRAW
    return outcomes


@kernel
def merge(one: int, other: int, left: int) -> int:
    """What is known if both are true."""
    if left == 0:
        return one & other
    first = max(bound_of(one, 0), bound_of(other, 0))
    second = max(bound_of(one, 1), bound_of(other, 1))
    draw = max(bound_of(one, DRAW), bound_of(other, DRAW))
    return pack(
        MOST if first + draw >= MOST else first, MOST if second + draw >= MOST else second, draw
    )


@kernel
def join(one: int, other: int) -> int:
    """What is known if one of them is true, with a countdown."""
    first = min(bound_of(one, 0), bound_of(other, 0))
    second = min(bound_of(one, 1), bound_of(other, 1))
    return pack(first, second, min(bound_of(one, DRAW), bound_of(other, DRAW)))


@kernel
def assure(known: int, seat: int) -> int:
    """What a seat to move is sure of if it has a move of which this is known."""
    lost = bound_of(known, 1 - seat)
    draw = bound_of(known, DRAW) if lost == MOST else 0
    return pack(lost if seat == 1 else 0, lost if seat == 0 else 0, draw)


@kernel
def look_back(known: int, before: int, after: int) -> int:
    """What is known of a position with ``after`` left, as a fact about the move that leads there.

    The move took one off what was left before, or else has set it anew, whatever it was.
    """
    if before == 0:
        return NO_FACT
    if after == before - 1:
        first, second, draw = bound_of(known, 0), bound_of(known, 1), bound_of(known, DRAW)
        return pack(
            first + 1 if first < MOST else MOST,
            second + 1 if second < MOST else MOST,
            draw - 1 if draw > 0 else 0,
        )
    outcomes = possible(known, after)
    return pack(
        0 if outcomes & 1 else MOST,
        0 if outcomes & 2 else MOST,
        0 if outcomes >> DRAW else NEVER_DRAWN,
    )


@kernel
def look_back_from_end(outcome: int, before: int, after: int) -> int:
    """The same of a game that has ended: if it is won, it would be unless nothing were left."""
    if before == 0:
        return NO_FACT
    if outcome == DRAW:
        return pack(before, before, 0)
    draw = MOST - min(before, 2) if after == before - 1 else NEVER_DRAWN
    return pack(MOST if outcome == 1 else 0, MOST if outcome == 0 else 0, draw)
