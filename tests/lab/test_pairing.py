"""Who meets whom: legal pairings, fair seats, byes, brackets, arenas."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry.core.errors import OptionsError
from skerry.lab.contest.pairing import robin
from skerry.lab.contest.pairing.contest import (
    ARENA,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    SYSTEMS,
    Bout,
    Contest,
)
from skerry.lab.contest.pairing.knockout import list_slots
from skerry.lab.contest.pairing.matching import FREE, match_all, match_most
from skerry.lab.contest.pairing.ranking import rank
from skerry.lab.contest.pairing.robin import berger, list_meetings, plan_trios
from skerry.lab.contest.pairing.seating import seat_fairly
from skerry.lab.contest.pairing.systems import count_rounds, is_over, pair_next
from support.contests import by_chance, by_order, decide_all, names, play_out
from support.repeating import some_of

SEEDS = st.integers(0, 10**9)


# Matchings, beside all that there are


def list_perfect(graph: Sequence[Sequence[int]], left: tuple[int, ...]) -> Iterator[list[int]]:
    """Every way to pair all, the best for the first first."""
    if not left:
        yield [FREE] * len(graph)
        return
    first, *rest = left
    for other in graph[first]:
        if other in rest:
            for mates in list_perfect(graph, tuple(n for n in rest if n != other)):
                mates[first], mates[other] = other, first
                yield mates


def most_pairs(graph: Sequence[Sequence[int]], left: tuple[int, ...]) -> int:
    if not left:
        return 0
    first, *rest = left
    ways = [most_pairs(graph, tuple(rest))]
    for other in graph[first]:
        if other in rest:
            ways.append(1 + most_pairs(graph, tuple(n for n in rest if n != other)))
    return max(ways)


@st.composite
def graphs(draw: st.DrawFn, sizes: Sequence[int]) -> list[list[int]]:
    size = draw(st.sampled_from(sizes))
    pairs = list(combinations(range(size), 2))
    edges = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    graph: list[list[int]] = [[] for _ in range(size)]
    for a, b in edges:
        graph[a].append(b)
        graph[b].append(a)
    lots = Random(draw(SEEDS))
    for row in graph:
        lots.shuffle(row)
    return graph


@settings(max_examples=400)
@given(graphs(range(9)))
def test_as_many_as_possible_are_matched(graph: list[list[int]]) -> None:
    mates = match_most(graph)
    matched = [n for n, mate in enumerate(mates) if mate != FREE]
    assert all(mates[mates[n]] == n and mates[n] in graph[n] for n in matched)
    assert len(matched) == 2 * most_pairs(graph, tuple(range(len(graph))))


@settings(max_examples=400)
@given(graphs([2, 4, 6, 8]))
def test_everybody_in_turn_gets_the_best_partner_that_leaves_a_way_out(
    graph: list[list[int]],
) -> None:
    best = next(list_perfect(graph, tuple(range(len(graph)))), None)
    assert match_all(graph) == best


def test_a_matching_that_needs_a_blossom() -> None:
    """Two triangles that are joined at their tips: 0-1-2 and 3-4-5, and 2-3."""
    graph = [[1, 2], [0, 2], [0, 1, 3], [2, 4, 5], [3, 5], [3, 4]]
    assert match_all(graph) == [1, 0, 3, 2, 5, 4]


# Seats


@given(st.integers(1, 12), st.integers(2, 3), st.integers(3, 8), SEEDS)
def test_seats_of_tables_are_fair_whoever_meets_whom(
    tables: int, seats: int, players: int, seed: int
) -> None:
    lots = Random(seed)
    drawn = [lots.sample(names(players), seats) for _ in range(tables)]
    seated = seat_fairly(drawn)
    assert [sorted(table) for table in seated] == [sorted(table) for table in drawn]
    had = Counter((name, seat) for table in seated for seat, name in enumerate(table))
    for name in names(players):
        counts = [had[name, seat] for seat in range(seats)]
        assert max(counts) - min(counts) <= 1


# Round robin


@pytest.mark.parametrize("entrants", range(2, 17))
def test_in_a_round_robin_all_meet_once_with_even_seats(entrants: int) -> None:
    contest = play_out(Contest(ROUND_ROBIN, names(entrants)), by_chance(Random(1)))
    assert len(contest.rounds) == entrants - 1 + entrants % 2
    assert len(contest.met) == entrants * (entrants - 1) // 2
    assert set(contest.met.values()) == {1}
    assert set(contest.paused.values()) == {entrants % 2}
    for seats in contest.seated.values():
        assert abs(seats.count(0) - seats.count(1)) <= 1


def test_berger_tables_are_those_in_print() -> None:
    """FIDE's handbook, for five or six players: 1-6 2-5 3-4, then 6-4 5-3 1-2, and so on."""
    printed = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]
    for number, text in enumerate(printed):
        pairs = {tuple(int(n) - 1 for n in pair.split("-")) for pair in text.split()}
        assert set(berger(6, number)) == pairs
        assert set(berger(6, number + 5)) == {pair[::-1] for pair in pairs}


@pytest.mark.parametrize("entrants", some_of(range(3, 19), (4, 6, 9, 14)))
def test_tables_of_three_have_fair_seats_byes_and_meetings(entrants: int) -> None:
    rounds = robin.count_rounds(entrants, 3)
    plan = plan_trios(entrants, rounds, 0)
    had = Counter((n, seat) for one in plan for table in one for seat, n in enumerate(table))
    games = [sum(had[n, seat] for seat in range(3)) for n in range(entrants)]
    assert len(set(games)) == 1
    for n in range(entrants):
        counts = [had[n, seat] for seat in range(3)]
        assert max(counts) - min(counts) <= 1
    for one in plan:
        sitting = [n for table in one for n in table]
        assert len(sitting) == len(set(sitting)) == entrants - entrants % 3
    meetings = list_meetings(plan, entrants)
    if entrants in {3, 4, 7, 9, 15}:  # there are designs in which all meet equally often
        assert max(meetings) == min(meetings)
    elif entrants != 6:  # where two halves of a round are each other's rest
        assert max(meetings) - min(meetings) <= 2


# Swiss


def is_avoidable(contest: Contest) -> bool:
    """Whether nobody has to meet anybody again, by trying everything."""
    everybody = contest.active
    ways = [everybody]
    if len(everybody) % 2:
        least = min(contest.paused[name] for name in everybody)
        resting = [name for name in everybody if contest.paused[name] == least]
        ways = [tuple(n for n in everybody if n != name) for name in resting]
    graph = {a: [b for b in everybody if frozenset((a, b)) not in contest.met] for a in everybody}
    for way in ways:
        number = {name: n for n, name in enumerate(way)}
        left = [[number[b] for b in graph[a] if b in number and b != a] for a in way]
        if next(list_perfect(left, tuple(range(len(way)))), None) is not None:
            return True
    return False


def check_swiss(entrants: int, rounds: int, seed: int) -> None:
    lots = Random(seed)

    def look(before: Contest, after: Contest) -> None:
        last = after.rounds[-1]
        seated = [name for bout in last.bouts for name in bout.players]
        assert sorted([*seated, *last.byes]) == sorted(before.active)
        assert len(last.byes) == len(before.active) % 2
        if is_avoidable(before):
            again = [b for b in last.bouts if frozenset(b.players) in before.met]
            assert not again
        assert after == pair_next(Contest.read(json.loads(json.dumps(before.write()))))

    contest = play_out(
        Contest(SWISS, names(entrants), length=rounds, seed=seed), by_chance(lots), look
    )
    if rounds <= (entrants + 1) // 2:  # by Dirac's theorem there is always a way
        assert max(contest.met.values(), default=0) <= 1
    assert max(contest.paused.values()) <= 1 or rounds > entrants


@settings(max_examples=300)
@given(st.integers(2, 11), st.data(), SEEDS)
def test_a_swiss_is_legal_whenever_it_can_be(entrants: int, data: st.DataObject, seed: int) -> None:
    check_swiss(entrants, data.draw(st.integers(1, entrants + 2)), seed)


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(10))
def test_thousands_of_swiss_tournaments_are_legal(batch: int) -> None:
    lots = Random(batch)
    for _ in range(250):
        entrants = lots.randint(2, 10)
        check_swiss(entrants, lots.randint(1, entrants), lots.randrange(10**9))


@given(st.integers(4, 40), SEEDS)
def test_seats_of_a_swiss_are_balanced(entrants: int, seed: int) -> None:
    contest = play_out(Contest(SWISS, names(entrants), seed=seed), by_chance(Random(seed)))
    for seats in contest.seated.values():
        assert abs(seats.count(0) - seats.count(1)) <= 2
        assert all(len(list(run)) <= 2 for _, run in groupby(seats))


def test_a_swiss_pairs_neighbours_and_finds_the_best() -> None:
    order = names(16)

    def look(before: Contest, after: Contest) -> None:
        for bout in after.rounds[-1].bouts:
            one, other = (before.points[name] for name in bout.players)
            assert abs(one - other) <= 1

    contest = play_out(Contest(SWISS, order), by_order(order), look)
    assert len(contest.rounds) == 5
    assert [standing.player for standing in rank(contest)][:2] == list(order[:2])
    first = contest.rounds[0].bouts
    assert {frozenset(bout.players) for bout in first} == {
        frozenset((order[n], order[n + 8])) for n in range(8)
    }


def test_whoever_leaves_a_swiss_is_not_paired_again() -> None:
    contest = decide_all(pair_next(Contest(SWISS, names(7))), by_chance(Random(2)))
    contest = pair_next(contest.without("p03").without("p05"))
    seated = {name for bout in contest.rounds[-1].bouts for name in bout.players}
    assert not seated & {"p03", "p05"}
    assert len(contest.rounds[-1].byes) == 1


def has_tables_of_strangers(contest: Contest, left: tuple[str, ...]) -> bool:
    """Whether all can sit with others whom they have not met, by trying everything."""
    if not left:
        return True
    first, *rest = left
    return any(
        not {frozenset(pair) for pair in combinations((first, *two), 2)} & contest.met.keys()
        and has_tables_of_strangers(contest, tuple(n for n in rest if n not in two))
        for two in combinations(rest, 2)
    )


@settings(max_examples=40)
@given(st.integers(3, 15), SEEDS)
def test_a_swiss_of_three_seats_everybody_and_mixes(entrants: int, seed: int) -> None:
    def look(before: Contest, after: Contest) -> None:
        last = after.rounds[-1]
        assert len(last.byes) == entrants % 3
        seated = [name for bout in last.bouts for name in bout.players]
        assert sorted([*seated, *last.byes]) == sorted(before.active)
        again = [pair for bout in last.bouts for pair in combinations(bout.players, 2)]
        if has_tables_of_strangers(before, tuple(seated)):
            assert not [pair for pair in again if frozenset(pair) in before.met]

    start = Contest(SWISS, names(entrants), 3, seed=seed)
    contest = play_out(start, by_chance(Random(seed), 0.0), look)
    pauses = contest.paused.values()
    assert max(pauses) - min(pauses) <= 1
    for seats in contest.seated.values():
        counts = [seats.count(seat) for seat in range(3)]
        assert max(counts) - min(counts) <= 2


# Knock-out


@pytest.mark.parametrize("entrants", range(2, 18))
def test_the_best_seeds_rest_first_and_meet_last(entrants: int) -> None:
    order = names(entrants)
    contest = play_out(Contest(KNOCKOUT, order), by_order(order))
    assert len(contest.rounds) == count_rounds(contest)
    size = 2 ** len(contest.rounds)
    assert set(contest.rounds[0].byes) == set(order[: size - entrants])
    assert len(list(contest.bouts)) == entrants - 1
    assert set(contest.rounds[-1].bouts[0].players) == set(order[:2])
    assert list_slots(contest)[-1] == [order[0]]
    ranked = rank(contest)
    assert [standing.player for standing in ranked[:2]] == list(order[:2])


@given(st.integers(2, 20), SEEDS)
def test_of_a_knockout_one_is_left_whatever_happens(entrants: int, seed: int) -> None:
    contest = play_out(Contest(KNOCKOUT, names(entrants), seed=seed), by_chance(Random(seed), 0.5))
    (champion,) = list_slots(contest)[-1]
    assert rank(contest)[0].player == champion


def test_draws_are_played_again_with_seats_exchanged_and_then_the_seed_decides() -> None:
    contest = Contest(KNOCKOUT, names(2), seed=3)
    seats = []
    while not is_over(contest):
        contest = pair_next(contest)
        seats.append(contest.rounds[-1].bouts[-1].players)
        contest = decide_all(contest, lambda bout: (0, 1))
    assert seats == [seats[0], seats[0][::-1], seats[0]]
    assert len(contest.rounds) == 1
    assert list_slots(contest)[-1] == ["p00"]


def test_if_neither_comes_the_next_has_a_bye() -> None:
    contest = pair_next(Contest(KNOCKOUT, names(4)))
    none = next(n for n, b in enumerate(contest.rounds[0].bouts) if "p01" in b.players)
    players = contest.rounds[0].bouts[none].players
    contest = contest.decide(0, none, Bout(players, (), (0, 1)))
    contest = decide_all(contest, by_order(names(4)))
    assert is_over(contest)
    assert list_slots(contest)[-1] == ["p00", None]
    assert rank(contest)[0].player == "p00"


# Arena


@settings(max_examples=60)
@given(st.integers(2, 14), SEEDS)
def test_an_arena_pairs_whoever_is_free_and_nobody_twice_in_a_row(entrants: int, seed: int) -> None:
    lots = Random(seed)
    contest = Contest(ARENA, names(entrants), seed=seed)
    last: dict[str, str] = {}
    for _ in range(30):
        before = list(contest.bouts)
        busy = {name for bout in before if not bout.is_over for name in bout.players}
        free = [name for name in lots.sample(names(entrants), entrants) if name not in busy]
        contest = pair_next(contest, [*free, *busy])
        made = list(contest.bouts)[len(before) :]
        paired = [name for bout in made for name in bout.players]
        assert len(paired) == len(set(paired))
        assert set(paired) <= set(free)
        for one, other in (bout.players for bout in made):
            assert entrants == 2 or (last.get(one) != other and last.get(other) != one)
            last |= {one: other, other: one}
        idle = [name for name in free if name not in paired]
        for one, other in combinations(idle, 2):  # nobody waits who could play
            assert last.get(one) == other or last.get(other) == one
        judge = by_chance(lots)
        for number, bout in enumerate(contest.bouts):
            if not bout.is_over and lots.random() < 0.6:
                ended = Bout(bout.players, judge(bout))
                contest = contest.decide(0, number, ended)
    assert not is_over(contest)
    for seats in contest.seated.values():
        assert abs(seats.count(0) - seats.count(1)) <= 4


# What all have in common


@pytest.mark.parametrize("system", SYSTEMS)
def test_contests_can_be_written_and_read(system: str) -> None:
    contest = pair_next(Contest(system, names(5), seed=7), names(5))
    contest = decide_all(contest, by_chance(Random(1))).without("p04")
    assert contest.rounds
    assert Contest.read(json.loads(json.dumps(contest.write()))) == contest
    assert pair_next(contest, names(5)) == pair_next(contest, names(5))


@pytest.mark.parametrize("system", [ROUND_ROBIN, SWISS, KNOCKOUT])
def test_nothing_is_paired_before_a_round_is_over(system: str) -> None:
    contest = pair_next(Contest(system, names(6)))
    assert pair_next(contest) is contest
    assert not is_over(contest)


@pytest.mark.parametrize("seats", [2, 3])
def test_whoever_leaves_a_round_robin_loses_what_is_left(seats: int) -> None:
    contest = decide_all(pair_next(Contest(ROUND_ROBIN, names(6), seats)), by_chance(Random(1), 0))
    contest = play_out(contest.without("p02"), by_chance(Random(2), 0))
    left = [bout for bout in contest.bouts if "p02" in bout.players][1:]
    assert left
    for bout in left:
        assert bout.absent == (bout.players.index("p02"),)
        assert sum(bout.share(name) for name in bout.others("p02")) == 1


@pytest.mark.parametrize(
    ("system", "seats", "length", "complaint"),
    [
        ("ladder", 2, None, "not 'ladder'"),
        (SWISS, 4, None, "not 4"),
        (KNOCKOUT, 3, None, "is for games of two"),
        (ARENA, 3, None, "is for games of two"),
        (SWISS, 2, 0, "at least 1 round"),
    ],
)
def test_what_cannot_be_held_is_refused(
    system: str, seats: int, length: int | None, complaint: str
) -> None:
    with pytest.raises(OptionsError, match=complaint):
        Contest(system, names(4), seats, length)
