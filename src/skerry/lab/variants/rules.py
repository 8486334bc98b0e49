"""The variants of a comparison: a game as it is, and as it might be."""

import re
from typing import NamedTuple

from skerry.core.game import Game
from skerry.core.options import write_options

USUAL = "usual"  # what the variant without any change is called
# Which boards are compared of a game that has no variants, counted from its own among its sizes.
BOARDS = (-4, -2, 2)


class Variant(NamedTuple):
    """A game to compare, and what is different about it."""

    name: str
    game: Game

    @property
    def folder(self) -> str:
        return re.sub(r"[^\w=-]", "_", self.name)


def list_variants(game: Game) -> list[Variant]:
    """A game and its variants; its boards, if it is not to have any."""
    kind, base = type(game), game.options
    changes = [change for change in kind.variants if change.items() - base.items()]
    if not kind.variants and base in kind.sizes:
        at = kind.sizes.index(base)
        places = [at + step for step in BOARDS if 0 <= at + step < len(kind.sizes)]
        changes = [kind.sizes[place] for place in places]
    variants = [Variant(USUAL if kind.variants else write_options(base), game)]
    return variants + [Variant(write_options(change), kind(**base | change)) for change in changes]
