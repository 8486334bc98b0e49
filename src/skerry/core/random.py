"""Random numbers for kernels: SplitMix64, the same sequence on every machine and device.

The whole generator is one 64-bit counter, so a kernel carries it as a plain value:
``rng = advance(rng)`` and then ``below(rng, n)``.
"""

import numpy as np

from skerry.core.bits import Word, signed, unsigned
from skerry.core.kernels import kernel

STEP = np.uint64(0x9E37_79B9_7F4A_7C15)
MIX_1 = np.uint64(0xBF58_476D_1CE4_E5B9)
MIX_2 = np.uint64(0x94D0_49BB_1331_11EB)
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
HALF_WORD = np.uint64(32)


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
