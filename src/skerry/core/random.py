"""Random numbers for kernels: SplitMix64, the same sequence on every machine and device.

The whole generator is one 64-bit counter, so a kernel carries it as a plain value:
``rng = advance(rng)`` and then ``below(rng, n)``.
"""

import numpy as np

from skerry.core.bits import NONE, Word, Words, count_all, nth_of_all, remove, signed, unsigned
from skerry.core.kernels import kernel

STEP = np.uint64(0x9E37_79B9_7F4A_7C15)
MIX_1 = np.uint64(0xBF58_476D_1CE4_E5B9)
MIX_2 = np.uint64(0x94D0_49BB_1331_11EB)
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
HALF_WORD = np.uint64(32)
CHANCE_BITS = 4  # of a chance as a binary fraction
CERTAIN = 1 << CHANCE_BITS


@kernel
def advance(rng: Word) -> Word:
    """The next state of the generator."""
    return rng + STEP


@kernel
def scramble(rng: Word) -> Word:
    """The 64 random bits of a state."""
    rng = (rng ^ (rng >> SHIFTS[0])) * MIX_1
    rng = (rng ^ (rng >> SHIFTS[1])) * MIX_2
    return rng ^ (rng >> SHIFTS[2])


@kernel
def below(rng: Word, n: int) -> int:
    """A whole number from 0 to n - 1, uniform to within n / 2**32."""
    return signed(((scramble(rng) >> HALF_WORD) * unsigned(n)) >> HALF_WORD)


@kernel
def seeded(seed: int) -> Word:
    """The state a seed starts from; nearby seeds start far apart."""
    return scramble(unsigned(seed) + STEP)


@kernel
def choose(words: Words, n: int, out: Words, rng: Word) -> Word:
    """Write ``n`` random cells of a set that has as many; returns the generator's next state.

    Every cell is taken with about the right chance, and then some are given back, or others taken,
    until the number is right. No step prefers one cell to another, so that all choices of as many
    are equally likely, and it is quicker than to draw one cell after the other.
    """
    total = count_all(words)
    if n == total:
        for w in range(len(words)):
            out[w] = words[w]
        return rng
    chance = min((CERTAIN * n + total // 2) // max(total, 1), CERTAIN - 1)
    for w in range(len(words)):
        taken = NONE
        for place in range(CHANCE_BITS):  # each halves the chance so far, or half of what is left
            wanted = chance >> place & 1
            if wanted or taken != NONE:
                rng = advance(rng)
                taken = taken | scramble(rng) if wanted else taken & scramble(rng)
        out[w] = taken & words[w]
    number = count_all(out)
    too_few = number < n
    if too_few:
        turn_inside_out(words, out)
        number, n = total - number, total - n
    while number > n:
        rng = advance(rng)
        remove(out, nth_of_all(out, below(rng, number)))
        number -= 1
    if too_few:
        turn_inside_out(words, out)
    return rng


@kernel
def turn_inside_out(words: Words, part: Words) -> None:
    """Make a part of a set all the rest of it."""
    for w in range(len(words)):
        part[w] ^= words[w]
