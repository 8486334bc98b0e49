"""Groups of pieces that hang together, as union-find over cells.

Of a group one piece is the root. A root's link is the flag ``root`` plus what the whole group
*touches*, as bits; all other links lead towards it.
"""

from typing import Any

from skerry.core.bits import NONE, ONE, WORD, Words, lowest, signed
from skerry.core.kernels import kernel

Links = Any  # [cells] of an unsigned type that holds a cell, or the flag and the bits


@kernel
def find_root(link: Links, root: int, cell: int) -> int:
    """The representative of a cell's group; halves the path on the way."""
    here = link[cell]
    while here < root:
        parent = signed(here)
        here = link[parent]
        if here >= root:
            return parent
        link[cell] = here
        cell = signed(here)
        here = link[cell]
    return cell


@kernel
def join(link: Links, root: int, cell: int, friends: Words, next_to: Words) -> int:
    """Join a piece to the groups of its friends around it; returns what the whole group touches,
    with the flag of a root."""
    top = find_root(link, root, cell)
    touched = link[top]
    for w in range(len(friends)):
        around = friends[w] & next_to[w]
        while around != NONE:
            other = find_root(link, root, w * WORD + lowest(around))
            around &= around - ONE
            if other != top:
                link[top] = other
                touched |= link[other]
                top = other
    link[top] = touched
    return signed(touched)
