"""Floods: what hangs together in a set of hexes, whole sets at a time.

The hexes lie in rows of bits, a *stride* from one row to the next, with one bit always clear behind
each row. So the six neighbours of all members of a set are plain shifts of its words.
"""

from skerry.core.bits import NONE, ONE, WORD_BITS, Word, Words
from skerry.core.kernels import kernel


@kernel
def around(stride: Word, lower: Word, x: Word, upper: Word) -> Word:
    """A word of a set with all neighbours of the set, given the words below and above it.

    A row away there are two neighbours side by side, so that one step along the row serves both.
    """
    back, near = WORD_BITS - ONE, stride - ONE
    up = x | x << ONE | lower >> back
    down = x | x >> ONE | upper << back
    up_lower, down_upper = lower | lower << ONE, upper | upper >> ONE
    return (up | up << near | up_lower >> (WORD_BITS - near)) | (
        down | down >> near | down_upper << (WORD_BITS - near)
    )


@kernel
def flood(stride: Word, members: Words, within: Words) -> None:
    """Let a set grow through neighbours within another until it does not grow any more."""
    words = len(members)
    if words == 2:  # in registers
        low, high = members[0], members[1]
        growing = True
        while growing:
            low_grown = around(stride, NONE, low, high) & within[0]
            high_grown = around(stride, low, high, NONE) & within[1]
            growing = low_grown != low or high_grown != high
            low, high = low_grown, high_grown
        members[0], members[1] = low, high
        return
    growing = True
    while growing:
        growing = False
        for w in range(words):
            lower = members[w - 1] if w > 0 else NONE
            upper = members[w + 1] if w + 1 < words else NONE
            grown = around(stride, lower, members[w], upper) & within[w]
            if grown != members[w]:
                members[w] = grown
                growing = True
