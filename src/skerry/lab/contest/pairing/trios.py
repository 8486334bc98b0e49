"""The Swiss system at tables of three: neighbours in the standings share a table.

Whether tables without old acquaintances exist is no longer a question of matchings, but of
searching. Tables are made from the top and then improved by exchanging players until no exchange
helps. If somebody meets somebody again, tables without that are looked for one by one, for as many
steps as find any there are among a dozen players, and improved likewise.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import ceil, log
from random import Random

from skerry.lab.contest.pairing.contest import THREE, Bout, Contest
from skerry.lab.contest.pairing.seating import seat_next

AGAIN, APART = 1e6, 1e3  # what it costs that two meet again, and that they are a point apart
STEPS = 20_000


def count_rounds(entrants: int) -> int:
    """Enough rounds for one to have beaten all others, and two more to be sure."""
    return max(THREE, ceil(log(max(entrants, THREE), THREE) - 1e-9) + 2)


def pair_trios(contest: Contest) -> Contest:
    """The contest with its next round; one or two pause where there are too many."""
    points = contest.points
    order = sorted(contest.active, key=lambda name: (-points[name], contest.ranks[name]))
    lots = Random(f"{contest.seed} {len(contest.rounds)}")
    last = {name: place for place, name in enumerate(order)}
    resting = sorted(order, key=lambda name: (contest.paused[name], -last[name]))
    byes = tuple(resting[: len(order) % THREE])
    there = [name for name in order if name not in byes]
    tables = _search(contest, there)
    bouts = tuple(Bout(seat_next(table, contest.seated, lots)) for table in tables)
    return contest.begin_round(bouts, byes)


def _search(contest: Contest, order: Sequence[str]) -> list[list[str]]:
    """The best tables that were found, those of the leaders first."""
    tables = _deal(contest, order)
    _settle(contest, tables)
    if any(_weigh(contest, table) >= AGAIN for table in tables):
        strangers = {
            name: {n for n in order if n != name and frozenset((n, name)) not in contest.met}
            for name in order
        }
        found = _seek(strangers, list(order), [STEPS])
        if found is not None:
            _settle(contest, found)
            return found
    return tables


def _deal(contest: Contest, order: Sequence[str]) -> list[list[str]]:
    """Among those with equal points, the upper, the middle and the lower third meet."""
    tables: list[list[str]] = []
    rest = list(order)
    while rest:
        group = [n for n in rest if contest.points[n] == contest.points[rest[0]]]
        size = min(len(rest), max(THREE, len(group) // THREE * THREE))
        group, rest = rest[:size], rest[size:]
        third = size // THREE
        tables += [group[n::third] for n in range(third)]
    return tables


def _seek(
    strangers: Mapping[str, set[str]], left: list[str], steps: list[int]
) -> list[list[str]] | None:
    """Tables of strangers for all who are left; None if there are none, or if it takes too long."""
    if not left:
        return []
    steps[0] -= 1
    if steps[0] < 0:
        return None
    here = set(left)
    first = min(left, key=lambda name: len(strangers[name] & here))  # who is hardest to seat
    known = [name for name in left if name in strangers[first]]
    for one, other in combinations(known, 2):
        if other in strangers[one]:
            rest = [name for name in left if name not in (first, one, other)]
            found = _seek(strangers, rest, steps)
            if found is not None:
                return [[first, one, other], *found]
    return None


def _settle(contest: Contest, tables: list[list[str]]) -> None:
    """Exchange players between tables for as long as that helps."""
    better = True
    while better:
        better = False
        for one, other in combinations(tables, 2):
            now = _weigh(contest, one) + _weigh(contest, other)
            for i in range(THREE):
                for j in range(THREE):
                    one[i], other[j] = other[j], one[i]
                    cost = _weigh(contest, one) + _weigh(contest, other)
                    if cost < now - 1e-9:
                        now, better = cost, True
                    else:
                        one[i], other[j] = other[j], one[i]


def _weigh(contest: Contest, table: Sequence[str]) -> float:
    cost = 0.0
    for a, b in combinations(table, 2):
        apart = float(contest.points[a] - contest.points[b])
        cost += AGAIN * contest.met.get(frozenset((a, b)), 0) + APART * apart * apart
    return cost
