"""How a contest stands: points, and what decides between those who have as many.

Tie-breaks hold for two seats and for three; each is a sum over the bouts that somebody has played.

- **Buchholz**: the points of all others at one's tables. A bye, or a bout to which somebody did not
  come, counts as others who have as many points as oneself.
- **Sonneborn-Berger**: the same, but each bout counts only by the share that one had of its point.
- **Direct encounter**: among those who are still equal, how often one was ahead of another of them
  at the same table, an equal share as half; only if every two of them have met.
- **Wins**: bouts that were won alone, whether played or not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby

from skerry.core.texts import N_
from skerry.lab.contest.pairing.contest import ARENA, KNOCKOUT, ROUND_ROBIN, SWISS, Contest
from skerry.lab.contest.pairing.knockout import list_slots

POINTS, BUCHHOLZ, SONNEBORN, DIRECT, WINS = "points", "buchholz", "sonneborn", "direct", "wins"
REACHED = "reached"  # rounds of a knock-out
TITLES = {
    POINTS: N_("points"),
    BUCHHOLZ: "Buchholz",
    SONNEBORN: "Sonneborn-Berger",
    DIRECT: N_("direct encounter"),
    WINS: N_("wins"),
    REACHED: N_("rounds survived"),
}
# What decides, in this order.
ORDER = {
    ROUND_ROBIN: (POINTS, DIRECT, SONNEBORN, WINS),
    SWISS: (POINTS, BUCHHOLZ, SONNEBORN, DIRECT, WINS),
    KNOCKOUT: (REACHED, POINTS),
    ARENA: (POINTS, WINS, DIRECT),
}

Sums = dict[str, Fraction]


@dataclass(frozen=True)
class Standing:
    """Somebody's place; those whom nothing decides between share it.

    ``won``, ``drawn`` and ``lost`` count what was played or decided, ``byes`` come beside them.
    """

    place: int
    player: str
    points: Fraction
    buchholz: Fraction
    sonneborn: Fraction
    direct: Fraction
    reached: int
    won: int
    drawn: int
    lost: int
    byes: int
    is_gone: bool

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


def rank(contest: Contest) -> tuple[Standing, ...]:
    """Everybody, the best first."""
    counts = {name: _count(contest, name) for name in contest.entrants}
    sums: dict[str, Sums] = {
        POINTS: contest.points,
        BUCHHOLZ: {name: _sum_others(contest, name, weighed=False) for name in contest.entrants},
        SONNEBORN: {name: _sum_others(contest, name, weighed=True) for name in contest.entrants},
        WINS: {name: Fraction(counts[name][0]) for name in contest.entrants},
        REACHED: _reach(contest),
    }
    groups: list[list[str]] = [list(contest.entrants)]
    directs: Sums = dict.fromkeys(contest.entrants, Fraction(0))
    for criterion in ORDER[contest.system]:
        if criterion == DIRECT:
            for group in groups:
                directs |= _meet(contest, group)
        groups = _split(groups, (directs if criterion == DIRECT else sums[criterion]).__getitem__)
    table: list[Standing] = []
    for group in groups:
        place = len(table) + 1
        for name in group:
            won, drawn, lost = counts[name]
            table.append(
                Standing(
                    place,
                    name,
                    contest.points[name],
                    sums[BUCHHOLZ][name],
                    sums[SONNEBORN][name],
                    directs[name],
                    int(sums[REACHED][name]),
                    won,
                    drawn,
                    lost,
                    contest.paused[name],
                    name in contest.gone,
                )
            )
    return tuple(table)


def _split(groups: list[list[str]], value: Callable[[str], Fraction]) -> list[list[str]]:
    """Groups of those who are equal in one more respect; seeds keep their order."""
    return [
        list(part)
        for group in groups
        for _, part in groupby(sorted(group, key=lambda name: -value(name)), value)
    ]


def _count(contest: Contest, player: str) -> tuple[int, int, int]:
    over = [bout for bout in contest.bouts_of(player) if bout.is_over]
    shares = [bout.share(player) for bout in over]
    won = sum(share == 1 for share in shares)
    drawn = sum(0 < share < 1 for share in shares)
    return won, drawn, len(shares) - won - drawn


def _sum_others(contest: Contest, player: str, weighed: bool) -> Fraction:
    points = contest.points
    own = (contest.seats - 1) * points[player]
    total = contest.paused[player] * own * (contest.bye if weighed else 1)
    for bout in contest.bouts_of(player):
        if bout.is_over:
            others = (points[name] for name in bout.others(player))
            worth = own if bout.absent else sum(others, Fraction(0))
            total += worth * (bout.share(player) if weighed else 1)
    return total


def _meet(contest: Contest, group: Sequence[str]) -> Sums:
    """How those who are equal did against each other."""
    sums = dict.fromkeys(group, Fraction(0))
    met = set()
    for bout in contest.bouts:
        if not bout.is_played:
            continue
        for one, other in combinations([name for name in bout.players if name in sums], 2):
            met.add(frozenset((one, other)))
            first, second = bout.share(one), bout.share(other)
            sums[one] += Fraction(1, 2) if first == second else Fraction(first > second)
            sums[other] += Fraction(1, 2) if first == second else Fraction(second > first)
    complete = len(met) == len(group) * (len(group) - 1) // 2
    return sums if complete else dict.fromkeys(group, Fraction(0))


def _reach(contest: Contest) -> Sums:
    """How many rounds of a knock-out everybody has got through."""
    sums = dict.fromkeys(contest.entrants, Fraction(0))
    if contest.system == KNOCKOUT:
        for slots in list_slots(contest)[1:]:
            for name in slots:
                if name is not None:
                    sums[name] += 1
    return sums
