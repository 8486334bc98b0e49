"""The Swiss system: neighbours in the standings meet, nobody meets anybody twice if avoidable.

Of all legal pairings one is built from the top: everybody in turn gets the best opponent that
leaves a legal pairing for the rest, and then pairs exchange partners where both together fit
better. Two who must not meet, from the strictest on until a pairing exists: who have met, or would
both have to have the same seat a third time in a row or three times more often than the other;
who have met; who have met twice; and so on.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from math import ceil, inf, log2
from random import Random

from skerry.lab.contest.pairing.contest import TWO, Bout, Contest
from skerry.lab.contest.pairing.matching import improve, match_all

AGAIN, APART, CLASH = 1e6, 1e3, 30.0  # what it costs to meet again, a point apart, to want one seat
ABSOLUTE, STRONG, MILD = 3, 2, 1  # how much somebody needs a seat


def count_rounds(entrants: int) -> int:
    """Enough rounds for one to have beaten all others, and one more to be sure."""
    return max(1, min(entrants - 1 + entrants % 2, ceil(log2(max(entrants, 2))) + 1))


def pair_swiss(contest: Contest) -> Contest:
    """The contest with its next round."""
    points = contest.points
    order = sorted(contest.active, key=lambda name: (-points[name], contest.ranks[name]))
    for most, strict in _levels(contest):
        for rest, byes in _list_byes(contest, order):
            pairs = _pair(contest, rest, most, strict)
            if pairs is not None:
                lots = Random(f"{contest.seed} {len(contest.rounds)}")
                bouts = tuple(Bout(_seat(contest, a, b, lots)) for a, b in pairs)
                return contest.begin_round(bouts, byes)
    return contest.begin_round((), tuple(order))  # there is one at most


def _levels(contest: Contest) -> Iterator[tuple[int, bool]]:
    """How often two may have met, and whether needs of seats are heeded."""
    yield 0, True
    for most in range(max(contest.met.values(), default=0) + 1):
        yield most, False


def _list_byes(
    contest: Contest, order: Sequence[str]
) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Who could pause, the last of those first who have paused least, and who is paired then."""
    if len(order) % TWO == 0:
        yield list(order), ()
        return
    least = min(contest.paused[name] for name in order)
    for name in reversed(order):
        if contest.paused[name] == least:
            yield [other for other in order if other != name], (name,)


def _pair(
    contest: Contest, order: Sequence[str], most: int, strict: bool
) -> list[tuple[str, str]] | None:
    """Pairs of neighbours in the order, or None if there is no legal pairing of all."""
    met = contest.met
    points = [contest.points[name] for name in order]
    needs = [find_need(contest.seated[name]) for name in order]
    fold = _fold(points)

    def cost(a: int, b: int) -> float:
        times = met.get(frozenset((order[a], order[b])), 0)
        if times > most:
            return inf
        clash = _clash(needs[a], needs[b])
        if strict and clash == ABSOLUTE:
            return inf
        apart = float(points[a] - points[b])
        bent = abs(fold[a] - b) if a < b else abs(fold[b] - a)
        return AGAIN * times + APART * apart * apart + CLASH * clash + bent / len(order)

    size = len(order)
    costs = [[cost(a, b) if a != b else inf for b in range(size)] for a in range(size)]
    graph = [sorted((b for b in range(size) if row[b] < inf), key=row.__getitem__) for row in costs]
    mates = match_all(graph)
    if mates is None:
        return None
    mates = improve(mates, lambda a, b: costs[a][b])
    return [(order[a], order[b]) for a, b in enumerate(mates) if a < b]


def _fold(points: Sequence[Fraction]) -> list[float]:
    """Whom everybody would meet: the upper half of those with equal points meets the lower."""
    wanted: list[float] = []
    for _, group in groupby(points):
        size = len(list(group))
        wanted += [len(wanted) + n + size / 2 for n in range(size)]
    return wanted


def find_need(had: Sequence[int]) -> tuple[int, int] | None:
    """The seat that somebody needs next, and how much; None before the first game."""
    if not had:
        return None
    ahead = had.count(0) - had.count(1)
    if abs(ahead) >= 2 or (len(had) > 1 and had[-1] == had[-2]):
        return (int(ahead > 0) if abs(ahead) >= 2 else 1 - had[-1]), ABSOLUTE
    if ahead:
        return int(ahead > 0), STRONG
    return 1 - had[-1], MILD


def _clash(one: tuple[int, int] | None, other: tuple[int, int] | None) -> int:
    """How bad it is that two want the same seat: as bad as it is for whom it is less so."""
    if one is None or other is None or one[0] != other[0]:
        return 0
    return min(one[1], other[1])


def _seat(contest: Contest, one: str, other: str, lots: Random) -> tuple[str, str]:
    """Who sits first: as whoever needs it more has it, otherwise by lot."""
    either = [(one, other), (other, one)]
    lots.shuffle(either)

    def weigh(pair: tuple[str, str]) -> tuple[int, int]:
        name = pair[0]
        need, had = find_need(contest.seated[name]), contest.seated[name]
        return (need[1] if need else 0, abs(had.count(0) - had.count(1)))

    name, rest = max(either, key=weigh)
    need = find_need(contest.seated[name])
    return (name, rest) if need is None or need[0] == 0 else (rest, name)
