"""Levels of strength: what an engine does to be level 1, 2 and so on."""

from typing import NamedTuple

BEST = "best"  # the name of the strongest net of a game


class Level(NamedTuple):
    """What an engine of a certain strength does.

    It thinks for so many ``simulations``, or None for the clock, and then draws its move from the
    visit counts, always the best with ``temperature`` 0. A ``net`` that comes with skerry may guide
    it; with a single simulation that is a look at the position and no more.
    """

    simulations: int | None
    temperature: float = 0.0
    net: str | None = None


# For games that have measured nothing better.
PLAIN_LEVELS = (
    Level(20, 1.0),
    Level(60, 0.7),
    Level(200, 0.5),
    Level(700, 0.3),
    Level(2_500),
    Level(6_000),
    Level(15_000),
    Level(40_000),
    Level(100_000),
    Level(None),
)
