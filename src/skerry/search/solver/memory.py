"""The transposition table: of bounded size, it remembers what is known of positions.

A row is the whole key of a position and one word: what is known (``knowledge``), and how much work
it was (7 bits). Keys are compared in full.
When a bucket is full, what took least work is forgotten, which costs time and nothing else.
"""

import numpy as np

from skerry.core import bits
from skerry.core.bits import NONE, Words
from skerry.core.errors import OptionsError
from skerry.core.kernels import kernel
from skerry.search.solver.keys import hash_key
from skerry.search.solver.knowledge import KNOWN_BITS

BUCKET = 4
EFFORT_SHIFT = np.uint64(KNOWN_BITS)
KNOWN = np.uint64((1 << KNOWN_BITS) - 1)


def make_table(entries: int, words: int) -> Words:
    """An empty table for keys of so many words; the entries are rounded down to a power of two."""
    try:
        return np.zeros((1 << (entries.bit_length() - 1), words + 1), np.uint64)
    except MemoryError:
        raise OptionsError(
            f"a table of {entries:,} entries does not fit into memory: choose fewer"
        ) from None


@kernel
def first_of_bucket(table: Words, key: Words) -> int:
    """Where the rows begin that may hold a key."""
    return bits.signed(hash_key(key) & bits.unsigned(len(table) - BUCKET))


@kernel
def holds(table: Words, row: int, key: Words) -> bool:
    """Whether a row is that of a key."""
    for w in range(len(key)):
        if table[row, w] != key[w]:
            return False
    return table[row, len(key)] != NONE


@kernel
def recall(table: Words, key: Words, unknown: int) -> int:
    """What the table knows of a position, else ``unknown``."""
    first = first_of_bucket(table, key)
    for row in range(first, first + BUCKET):
        if holds(table, row, key):
            return bits.signed(table[row, len(key)] & KNOWN)
    return unknown


@kernel
def remember(table: Words, key: Words, known: int, effort: int) -> int:
    """Store what is known; returns how many rows more are in use than before."""
    words = len(key)
    first = first_of_bucket(table, key)
    chosen = first
    for row in range(first, first + BUCKET):
        if holds(table, row, key):
            chosen = row
            break
        if table[row, words] >> EFFORT_SHIFT < table[chosen, words] >> EFFORT_SHIFT:
            chosen = row
    fresh = table[chosen, words] == NONE
    for w in range(words):
        table[chosen, w] = key[w]
    # An empty row must be told from one that cost nothing.
    work = bits.unsigned(effort + 1)
    table[chosen, words] = work << EFFORT_SHIFT | bits.unsigned(known)
    return 1 if fresh else 0
