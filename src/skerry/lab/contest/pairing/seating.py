"""Who sits where: everybody equally often on every seat, as far as that is possible."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random

Counts = Mapping[str, Sequence[int]]  # the seats that everybody has had, from the first on


def seat_fairly(tables: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Seats for all tables at once: what somebody has of two seats differs by one at most.

    Tables and players are the two sides of a graph whose edges are coloured with seats. Each
    player is split into parts of as many games as there are seats, and the edges of a bipartite
    graph of that degree can be coloured so that none meets one of its own colour (König), by
    exchanging two colours along a path (Kempe) where they do not fit.
    """
    seats = len(tables[0]) if tables else 0
    at_table: list[dict[int, str]] = [{} for _ in tables]  # seat -> part
    of_part: dict[str, dict[int, int]] = defaultdict(dict)  # seat -> table
    owner = {}
    games: dict[str, int] = defaultdict(int)
    for number, table in enumerate(tables):
        for name in table:
            part = f"{games[name] // seats} {name}"
            games[name] += 1
            owner[part] = name
            free = next(s for s in range(seats) if s not in at_table[number])
            fits = next(s for s in range(seats) if s not in of_part[part])
            if fits in at_table[number]:
                _swap_along(at_table, of_part, number, fits, free)
            at_table[number][fits] = part
            of_part[part][fits] = number
    return [tuple(owner[table[seat]] for seat in range(seats)) for table in at_table]


def _swap_along(
    at_table: list[dict[int, str]],
    of_part: dict[str, dict[int, int]],
    table: int,
    wanted: int,
    free: int,
) -> None:
    """Free a seat of a table by exchanging two seats along the path that begins there."""
    path = []  # (table, part, its seat)
    seat = wanted
    while seat in at_table[table]:
        part = at_table[table][seat]
        path.append((table, part, seat))
        seat = wanted + free - seat
        if seat not in of_part[part]:
            break
        table = of_part[part][seat]
        path.append((table, part, seat))
        seat = wanted + free - seat
    for number, part, seat in path:
        del at_table[number][seat]
        del of_part[part][seat]
    for number, part, seat in path:
        other = wanted + free - seat
        at_table[number][other] = part
        of_part[part][other] = number


def seat_next(table: Sequence[str], had: Counts, lots: Random) -> tuple[str, ...]:
    """Seats for one table, after what everybody has had: the seldomest, and not the last one."""

    def weigh(order: Sequence[str]) -> tuple[int, int]:
        counts = [list(had[name]).count(seat) for seat, name in enumerate(order)]
        again = sum(list(had[name][-1:]) == [seat] for seat, name in enumerate(order))
        return sum((2 * n + 1) for n in counts), again

    ways = list(permutations(table))
    lots.shuffle(ways)
    return min(ways, key=weigh)
