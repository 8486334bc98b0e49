"""Round robin: everybody meets everybody, or at tables of three as evenly as can be.

Pairs follow the Berger tables, in which colours alternate. Tables of three are drawn by lot and
then improved until everybody meets everybody about equally often. Whoever has no table pauses.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import ceil, exp
from random import Random

from skerry.lab.contest.pairing.contest import THREE, TWO, Bout, Contest
from skerry.lab.contest.pairing.seating import seat_fairly

LEAST_GAMES = 3  # of everybody at tables of three, so that all seats come up
STEPS = 20_000  # of the search for tables of three
HEAT = 1.5  # at its beginning, in meetings

Tables = tuple[tuple[int, ...], ...]  # of one round: who sits where


def count_rounds(entrants: int, seats: int) -> int:
    """How long a round robin takes.

    At tables of three: the least number of rounds in which everybody plays equally often, three
    times at least, and in which there are enough tables for everybody to meet everybody.
    """
    if seats == TWO:
        return max(1, entrants - 1 + entrants % 2)
    tables = entrants // THREE
    if not tables:
        return 1
    rounds = ceil(entrants * (entrants - 1) / 2 / (THREE * tables))
    while (games := rounds * tables * THREE) % entrants or games < LEAST_GAMES * entrants:
        rounds += 1
    return rounds


def pair_robin(contest: Contest) -> Contest:
    """The contest with its next round.

    Whoever has left loses what is still to be played: those who stay share that point.
    """
    number, size = len(contest.rounds), len(contest.entrants)
    if contest.seats == TWO:
        tables = berger(size, number)
    else:
        length = contest.length or count_rounds(size, THREE)
        plan = plan_trios(size, max(length, number + 1), contest.seed)
        tables = plan[number]
    bouts = tuple(
        Bout(tuple(contest.entrants[n] for n in table)).without(contest.gone) for table in tables
    )
    seated = {name for bout in bouts for name in bout.players}
    byes = tuple(name for name in contest.active if name not in seated)
    return contest.begin_round(bouts, byes)


def berger(entrants: int, round: int) -> Tables:
    """A round of the Berger tables; from the second cycle on, seats are exchanged."""
    size = entrants + entrants % 2
    if size < TWO:
        return ()
    cycle, turn = divmod(round, size - 1)
    pairs = []
    for one in range(1, size):
        other = (turn + 2 - one) % (size - 1) or size - 1
        if other == one:
            pairs.append((one, size) if one <= size // 2 else (size, one))
        elif one < other:
            pairs.append((one, other) if (one + other) % 2 else (other, one))
    pairs = [pair if cycle % 2 == 0 else pair[::-1] for pair in pairs]
    return tuple((a - 1, b - 1) for a, b in pairs if max(a, b) <= entrants)


@lru_cache(maxsize=16)
def plan_trios(entrants: int, rounds: int, seed: int) -> tuple[Tables, ...]:
    """All rounds of tables of three: byes in turn, even meetings, fair seats."""
    lots = Random(f"{seed} {entrants} {rounds}")
    order = lots.sample(range(entrants), entrants)
    spare = entrants % THREE
    plan = []
    for round in range(rounds):
        resting = {order[(round * spare + n) % entrants] for n in range(spare)}
        there = [n for n in order if n not in resting]
        lots.shuffle(there)
        plan.append([there[n : n + THREE] for n in range(0, len(there), THREE)])
    _spread(plan, entrants, lots)
    seated = iter(seat_fairly([[str(n) for n in table] for one in plan for table in one]))
    return tuple(tuple(tuple(map(int, next(seated))) for _ in one) for one in plan)


def _spread(plan: list[list[list[int]]], entrants: int, lots: Random) -> None:
    """Exchange players between tables of a round until meetings are even (annealing)."""
    met = [[0] * entrants for _ in range(entrants)]
    for table in (table for one in plan for table in one):
        for a, b in combinations(table, 2):
            met[a][b] += 1
            met[b][a] += 1
    wide = [one for one in plan if len(one) > 1]
    cost = lowest = sum(n * n for row in met for n in row) // 2
    best = [[list(table) for table in one] for one in plan]
    for step in range(STEPS if wide else 0):
        tables = lots.choice(wide)
        first, second = lots.sample(range(len(tables)), 2)
        i, j = lots.randrange(THREE), lots.randrange(THREE)
        change = _exchange(met, tables[first], tables[second], i, j)
        heat = HEAT * (1 - step / STEPS)
        if change > 0 and (heat <= 0 or lots.random() >= exp(-change / heat)):
            _exchange(met, tables[first], tables[second], i, j)
            continue
        cost += change
        if cost < lowest:
            lowest = cost
            best = [[list(table) for table in one] for one in plan]
    plan[:] = best


def _exchange(met: list[list[int]], one: list[int], other: list[int], i: int, j: int) -> int:
    """Let two players change tables; returns by how much the sum of squares grows."""
    a, b = one[i], other[j]
    change = 0
    for away, mates, come in ((a, one, b), (b, other, a)):
        for mate in mates:
            if mate == away:
                continue
            change += 2 * (met[come][mate] - met[away][mate] + 1)
            met[away][mate] -= 1
            met[mate][away] -= 1
            met[come][mate] += 1
            met[mate][come] += 1
    one[i], other[j] = b, a
    return change


def list_meetings(plan: Sequence[Tables], entrants: int) -> list[int]:
    """How often every two meet."""
    counts = dict.fromkeys(combinations(range(entrants), 2), 0)
    for table in (table for one in plan for table in one):
        for pair in combinations(sorted(table), 2):
            counts[pair] += 1
    return list(counts.values())
