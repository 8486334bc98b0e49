"""Random games of Skew, faster: the same answers as the rules give, without listing them."""

import numpy as np

from skerry.core import bits, rules
from skerry.core.bits import NONE, ONE, WORD, Word
from skerry.core.kernels import implements
from skerry.core.random import advance, below
from skerry.core.rules import Actions, Marks, Raw, Tables
from skerry.games.skew.rules import DIRECTIONS, NAME, OPEN, open_holes

ALL_LEANS = np.uint64((1 << DIRECTIONS) - 1)


@implements(rules.mark, NAME)
def mark(t: Tables, s: Raw, marks: Marks, scratch: Actions) -> None:
    stuck = True
    for w in range(s.near.shape[1]):
        holes = open_holes(t, s, bits.unsigned(s.turn), w)
        stuck = stuck and holes == NONE
        while holes != NONE:
            bits.put_marks(marks, (w * WORD + bits.lowest(holes)) * DIRECTIONS, ALL_LEANS)
            holes &= holes - ONE
    if stuck:  # skew.6
        bits.put_marks(marks, bits.signed(t.pass_action), ONE)


@implements(rules.sample, NAME)
def sample(t: Tables, s: Raw, rng: Word, scratch: Actions) -> tuple[int, Word]:
    rng = advance(rng)
    for w in range(s.work.shape[1]):
        s.work[OPEN, w] = open_holes(t, s, bits.unsigned(s.turn), w)
    total = bits.count_all(s.work[OPEN])
    if total == 0:
        return bits.signed(t.pass_action), rng
    chosen = below(rng, total * DIRECTIONS)
    hole = bits.nth_of_all(s.work[OPEN], chosen // DIRECTIONS)
    return hole * DIRECTIONS + chosen % DIRECTIONS, rng
