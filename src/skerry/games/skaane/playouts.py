"""Random games of Skaane, faster: the same answers as the rules give, without listing them."""

import numpy as np

from skerry.core import bits, rules
from skerry.core.bits import NONE, ONE, WORD, Word
from skerry.core.kernels import implements
from skerry.core.random import advance, below
from skerry.core.rules import Actions, Marks, Raw, Tables
from skerry.games.skaane.rules import DIRECTIONS, NAME


@implements(rules.mark, NAME)
def mark(t: Tables, s: Raw, marks: Marks, scratch: Actions) -> None:
    for w in range(s.moves.shape[1]):
        pawns = s.pawns[s.turn, w]
        while pawns != NONE:
            here = bits.lowest(pawns)
            pawns &= pawns - ONE
            ways = NONE
            for direction in range(DIRECTIONS):
                free = (s.moves[direction, w] >> np.uint64(here)) & ONE
                ways |= free << np.uint64(direction)
            bits.put_marks(marks, (w * WORD + here) * DIRECTIONS, ways)


@implements(rules.sample, NAME)
def sample(t: Tables, s: Raw, rng: Word, scratch: Actions) -> tuple[int, Word]:
    rng = advance(rng)
    total = 0
    for direction in range(DIRECTIONS):
        for w in range(s.moves.shape[1]):
            total += bits.count(s.moves[direction, w])
    n = below(rng, total)
    # Without branches: the set to take from is the number of sets that end at or before n.
    row = 0
    passed = 0
    end = 0
    words = s.moves.shape[1]
    for i in range(DIRECTIONS * words):
        end += bits.count(s.moves[i // words, i % words])
        row += n >= end
        passed = end if n >= end else passed
    direction, w = row // words, row % words
    origin = w * WORD + bits.nth(s.moves[direction, w], n - passed)
    return origin * DIRECTIONS + direction, rng
