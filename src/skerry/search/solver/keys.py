"""Exact keys of positions: two positions have the same key if a symmetry makes them the same.

The codes of all cells and the number for the rest are packed into words, so a key can be unpacked
again and no two positions share one by accident. Of the keys of all symmetric images the least is
taken. Everything comes as plain arrays, so boards of all sizes share the compiled code.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core import bits, rules
from skerry.core.bits import NONE, WORD, Word, Words
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.core.random import STEP, scramble

LABEL_BITS = 4  # what a search adds to tell one kind of answer from another; 5 for four seats
EXTRA_BITS = rules.REST_BITS + LABEL_BITS


class Symmetries(NamedTuple):
    """How keys are made on one board."""

    sources: NDArray[np.int32]  # [symmetries, cells] the cell whose content comes to stand here
    images: Words  # [symmetries, codes] what a code becomes
    codes: NDArray[np.uint8]  # [cells] scratch


def prepare(game: Game) -> Symmetries:
    """The symmetries of a game as arrays."""
    sources = np.empty((len(game.symmetries), len(game.board)), np.int32)
    images = np.empty((len(game.symmetries), game.num_codes), np.uint64)
    for number, symmetry in enumerate(game.symmetries):
        sources[number, symmetry.cells] = np.arange(len(game.board))
        images[number] = game.map_codes(symmetry)
    return Symmetries(sources, images, np.zeros(len(game.board), np.uint8))


def count_words(game: Game) -> int:
    """The words of a key: cells never straddle two, and the rest goes where there is room."""
    width = _width(game.num_codes)
    per_word = WORD // width
    words = -(-len(game.board) // per_word)
    free = WORD - (len(game.board) - (words - 1) * per_word) * width
    return words if free >= EXTRA_BITS else words + 1


@kernel
def _width(codes: int) -> int:
    """The bits of a code."""
    width = 1
    while 1 << width < codes:
        width += 1
    return width


@kernel
def write_key(t: Any, s: Any, symmetries: Symmetries, label: int, key: Words) -> None:
    """Write the key of a position into ``key`` [words]; ``label`` is added as it is."""
    sources, images, codes = symmetries
    codes[:] = 0
    rest = rules.identify(t, s, codes)
    if rules.countdown(t, s) > 0:
        rest %= 2  # what is known of a position is so whatever is left: the turn of two seats
    cells = len(codes)
    width = _width(images.shape[1])
    per_word = WORD // width
    filled = -(-cells // per_word)
    for number in range(len(sources)):
        smaller = number == 0
        for w in range(filled):
            word = NONE
            shift = NONE
            for cell in range(w * per_word, min(cells, (w + 1) * per_word)):
                word |= images[number, codes[sources[number, cell]]] << shift
                shift += bits.unsigned(width)
            if not smaller and word > key[w]:
                break
            smaller = smaller or word < key[w]
            if smaller:
                key[w] = word
    # What symmetries do not change stands in the highest bits.
    extra = bits.unsigned(rest << LABEL_BITS | label) << bits.unsigned(WORD - EXTRA_BITS)
    if len(key) > filled:
        key[filled] = extra
    else:
        key[filled - 1] |= extra


@kernel
def hash_key(key: Words) -> Word:
    """Where to look for a key in a table; that two keys share a place does no harm."""
    mixed = NONE
    for w in range(len(key)):
        mixed = scramble(mixed + key[w] + STEP)
    return mixed
