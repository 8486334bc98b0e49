"""Where ratings begin, and the levels that hold the scale: they stay where they were measured."""

from functools import cache

from skerry.lab.stats.glicko import WIDEST, Glicko
from skerry.lab.stats.results import SURE
from skerry.search.strengths import summarise_levels
from skerry.server.web.entrants import LEVEL, Entrant

LEVEL_ONE = 1000.0  # its rating in every game
LEAST = 1.0  # deviation; a rating that has none would learn nothing


@cache
def begin(game: str, entrant: Entrant) -> tuple[Glicko, bool]:
    """What somebody has before the first rated game, and whether games do not change it.

    A level of which only a bound is known begins there, and moves as everybody does.
    """
    if entrant.kind != LEVEL:
        return Glicko(), False
    summary = next((one for one in summarise_levels(game) if str(one.level) == entrant.key), None)
    measured = None if summary is None else summary.strength
    if measured is None:
        return Glicko(), False
    rating = LEVEL_ONE + measured.elo
    if measured.margin is None:
        return Glicko(rating), False
    return Glicko(rating, min(max(measured.margin / SURE, LEAST), WIDEST)), True
