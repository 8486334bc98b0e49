"""Levels of strength: what an engine does to be level 1, 2 and so on."""

from typing import NamedTuple


class Level(NamedTuple):
    """What an engine of a certain strength does.

    It thinks for so many ``simulations`` and then draws its move from the visit counts, always the
    best with ``temperature`` 0. The weaker may not use what the game knows (``judges``: to judge
    positions or to imagine likely games), nor search the next ``foresight`` actions exhaustively.
    """

    simulations: int
    temperature: float = 0.0
    judges: bool = True
    foresight: int = 2


# For games that have measured nothing better: levels 1 to 7.
PLAIN_LEVELS = (
    Level(20, 1.0),
    Level(60, 0.7),
    Level(200, 0.5),
    Level(700, 0.3),
    Level(2_500),
    Level(9_000),
    Level(60_000),
)
