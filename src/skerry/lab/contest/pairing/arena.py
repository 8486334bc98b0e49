"""Arena: whoever is free meets somebody near in points, and not the same twice in a row."""

from collections.abc import Collection, Sequence
from random import Random

from skerry.lab.contest.pairing.contest import Bout, Contest
from skerry.lab.contest.pairing.matching import FREE, match_all, match_most
from skerry.lab.contest.pairing.seating import seat_next


def pair_arena(contest: Contest, free: Sequence[str], apart: Collection[str] = ()) -> Contest:
    """The contest with as many new bouts as possible among those who are free.

    Whoever is named first is the last to be left over. Two may meet again at once if nobody else
    takes part. Those ``apart`` do not meet each other.
    """
    busy = {name for bout in contest.bouts if not bout.is_over for name in bout.players}
    free = [name for name in free if name in contest.active and name not in busy]
    last = {name: past[-1].others(name) for name in free if (past := contest.bouts_of(name))}
    alone = len(contest.active) <= 2

    def cost(a: int, b: int) -> tuple[float, int]:
        one, other = free[a], free[b]
        apart = abs(contest.points[one] - contest.points[other])
        return float(apart), contest.met.get(frozenset((one, other)), 0)

    def may_meet(a: int, b: int) -> bool:
        one, other = free[a], free[b]
        if one in apart and other in apart:
            return False
        return alone or (other not in last.get(one, ()) and one not in last.get(other, ()))

    size = range(len(free))
    graph = [
        sorted(
            (b for b in size if b != a and may_meet(a, b)),
            key=lambda b, a=a: cost(a, b),  # type: ignore[misc]
        )
        for a in size
    ]
    chosen = [n for n, mate in enumerate(match_most(graph)) if mate != FREE]
    number = {n: place for place, n in enumerate(chosen)}
    mates = match_all([[number[b] for b in graph[a] if b in number] for a in chosen]) or []
    lots = Random(f"{contest.seed} {sum(1 for _ in contest.bouts)}")
    bouts = tuple(
        Bout(seat_next([free[chosen[a]], free[chosen[b]]], contest.seated, lots))
        for a, b in enumerate(mates)
        if a < b
    )
    return contest.add_bouts(bouts) if bouts else contest
