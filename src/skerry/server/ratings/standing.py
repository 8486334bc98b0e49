"""What is known of somebody in a game, and what a game that they have played makes of it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from skerry.lab.stats.glicko import Glicko, rate_game
from skerry.server.db.durations import DAY
from skerry.server.ratings.anchors import begin
from skerry.server.web.entrants import Entrant

PERIOD = 5 * DAY  # strengths change by their volatility in one
PROVISIONAL = 110.0  # the deviation above which a rating is known but roughly


@dataclass(frozen=True)
class RatedEntrant:
    """An entrant with the rating that the last rated game left, at the time ``updated``."""

    entrant: Entrant
    known: Glicko
    updated: int
    games: int = 0
    points: float = 0.0
    anchored: bool = False

    @classmethod
    def new(cls, game: str, entrant: Entrant, now: int) -> "RatedEntrant":
        known, anchored = begin(game, entrant)
        return cls(entrant, known, now, anchored=anchored)

    def periods(self, now: int) -> float:
        """How long nothing was learnt of them; nothing changes about an anchor."""
        return 0.0 if self.anchored else max(0, now - self.updated) / PERIOD

    def at(self, now: int) -> Glicko:
        """What is known by now: the less, the longer ago they played."""
        return self.known.rest(self.periods(now))

    def is_provisional(self, now: int) -> bool:
        return not self.anchored and self.at(now).deviation > PROVISIONAL


def settle(
    sitting: Sequence[RatedEntrant], shares: Sequence[float], now: int
) -> list[RatedEntrant]:
    """Everybody at a table after a game, given the share of it that each seat has won.

    Anchors stay where they are, and so does an engine that sits there twice: it has played itself.
    """
    seats = Counter(one.entrant for one in sitting)
    after = rate_game([one.known for one in sitting], shares, [one.periods(now) for one in sitting])
    won: defaultdict[Entrant, float] = defaultdict(float)
    for one, share in zip(sitting, shares, strict=True):
        won[one.entrant] += share
    return [
        replace(
            one,
            known=known if seats[one.entrant] == 1 and not one.anchored else one.at(now),
            updated=max(now, one.updated),
            games=one.games + 1,
            points=one.points + won[one.entrant],
        )
        for one, known in zip(sitting, after, strict=True)
    ]
