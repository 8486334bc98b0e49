"""The Swiss system at tables of three: neighbours in the standings share a table.

Whether tables without old acquaintances exist is no longer a question of matchings, but of
searching. Tables are made from the top and then improved by exchanging players until no exchange
helps; if somebody meets somebody again, that is tried some more, from other beginnings.
"""

from collections.abc import Sequence
from itertools import combinations
from math import ceil, log
from random import Random

from skerry.lab.contest.pairing.contest import THREE, Bout, Contest
from skerry.lab.contest.pairing.seating import seat_next

AGAIN, APART = 1e6, 1e3  # what it costs that two meet again, and that they are a point apart
TRIES = 12


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
    tables = _search(contest, there, lots)
    bouts = tuple(Bout(seat_next(table, contest.seated, lots)) for table in tables)
    return contest.begin_round(bouts, byes)


def _search(contest: Contest, order: Sequence[str], lots: Random) -> list[list[str]]:
    """The best tables that were found, those of the leaders first."""
    best, least = [], float("inf")
    for attempt in range(TRIES):
        tables = _deal(contest, order)
        if attempt:
            _shake(tables, lots)
        _settle(contest, tables)
        cost = sum(_weigh(contest, table) for table in tables)
        if cost < least:
            best, least = tables, cost
        if least < AGAIN:
            break
    return best


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


def _shake(tables: list[list[str]], lots: Random) -> None:
    """Exchange some players at random, to begin elsewhere."""
    for _ in range(len(tables) if len(tables) > 1 else 0):
        one, other = lots.sample(tables, 2)
        i, j = lots.randrange(THREE), lots.randrange(THREE)
        one[i], other[j] = other[j], one[i]


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
