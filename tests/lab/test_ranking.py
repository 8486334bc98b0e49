"""How a contest stands, worked out by hand, and what every table has in common."""

from collections.abc import Mapping
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skerry.lab.contest.pairing.contest import (
    ARENA,
    ROUND_ROBIN,
    SWISS,
    Bout,
    Contest,
    ContestRound,
)
from skerry.lab.contest.pairing.ranking import Standing, rank
from support.contests import by_chance, names, play_out


def read_round(text: str) -> ContestRound:
    """``a-b 1`` is won by the first, ``=`` drawn, ``c bye``; ``a-b-c 3`` by the third."""
    bouts, byes = [], []
    for players, result in (part.split() for part in text.split(", ")):
        if result == "bye":
            byes.append(players)
            continue
        seats = tuple(players.split("-"))
        winners = tuple(range(len(seats))) if result == "=" else (int(result[0]) - 1,)
        absent = tuple(n for n in range(len(seats)) if n not in winners) if "+" in result else ()
        bouts.append(Bout(seats, winners, absent))
    return ContestRound(tuple(bouts), tuple(byes))


def hold(system: str, entrants: str, *rounds: str, seats: int = 2) -> Mapping[str, Standing]:
    contest = Contest(system, tuple(entrants), seats, rounds=tuple(map(read_round, rounds)))
    return {standing.player: standing for standing in rank(contest)}


def test_a_swiss_is_decided_by_buchholz_then_sonneborn() -> None:
    table = hold(SWISS, "abcd", "a-c 1, b-d 1", "b-a =, d-c 1")
    # a and b have 1½ each: a met c (0) and b (1½), b met d (1) and a (1½).
    assert [(s.player, s.place) for s in table.values()] == [("b", 1), ("a", 2), ("d", 3), ("c", 4)]
    assert table["a"].points == table["b"].points == Fraction(3, 2)
    assert (table["a"].buchholz, table["b"].buchholz) == (Fraction(3, 2), Fraction(5, 2))
    # a won against c, who has nothing, and drew with b: half of 1½.
    assert table["a"].sonneborn == Fraction(3, 4)
    assert table["b"].sonneborn == 1 + Fraction(3, 4)
    assert (table["d"].won, table["d"].drawn, table["d"].lost) == (1, 0, 1)


def test_a_bye_is_a_win_against_somebody_like_oneself() -> None:
    table = hold(SWISS, "abc", "a-b 1, c bye", "c-a 1, b bye")
    assert {name: s.points for name, s in table.items()} == {"a": 1, "b": 1, "c": 2}
    assert table["c"].buchholz == 2 + 1  # itself, and a
    assert table["c"].sonneborn == 2 + 1
    assert table["b"].buchholz == 1 + 1
    assert (table["c"].byes, table["c"].won, table["c"].played) == (1, 1, 1)


def test_a_win_against_nobody_counts_as_a_bye_does() -> None:
    table = hold(SWISS, "ab", "a-b 1+")
    assert table["a"].points == 1
    assert table["a"].buchholz == table["a"].sonneborn == 1
    assert table["b"].points == 0
    assert table["b"].lost == 1


def test_a_round_robin_is_decided_by_direct_encounter_first() -> None:
    table = hold(ROUND_ROBIN, "abcd", "a-d 1, b-c 1", "d-c 1, a-b 2", "b-d 2, c-a 2")
    # a, b and d have two points each, and each beat one of the others: then the points of those
    # who were beaten. a beat d (2) and c (0), b beat c (0) and a (2), d beat c (0) and b (2).
    assert [table[name].points for name in "abcd"] == [2, 2, 0, 2]
    assert [table[name].direct for name in "abd"] == [1, 1, 1]
    assert [table[name].place for name in "abcd"] == [1, 1, 4, 1]
    table = hold(ROUND_ROBIN, "abc", "a-b 2, c bye", "c-a 1, b bye", "b-c 2, a bye")
    assert [(s.player, s.place) for s in table.values()] == [("c", 1), ("b", 2), ("a", 3)]
    table = hold(ROUND_ROBIN, "abcd", "a-d 2, b-c 1", "d-c 2, a-b 1", "b-d 1, c-a 2")
    # a beat b, and both have two points: c and d have one each, and c beat d.
    assert [s.player for s in table.values()] == ["a", "b", "c", "d"]
    assert (table["a"].direct, table["b"].direct) == (1, 0)


def test_at_tables_of_three_all_others_count() -> None:
    table = hold(SWISS, "abcd", "a-b-c 1, d bye", "d-a-b 3, c bye", seats=3)
    assert {name: s.points for name, s in table.items()} == {
        "a": 1,
        "b": 1,
        "c": Fraction(1, 3),
        "d": Fraction(1, 3),
    }
    # a sat with b and c, then with d and b; b with a and c, then with d and a.
    assert table["a"].buchholz == table["b"].buchholz == 1 + Fraction(1, 3) + Fraction(1, 3) + 1
    assert table["a"].sonneborn == 1 + Fraction(1, 3)
    # Each was ahead of the other once. The lost ones paused once: c sat with a and b (2), and its
    # bye counts as two like itself; d the same.
    assert table["a"].direct == table["b"].direct == 1
    assert table["a"].place == table["b"].place == 1
    assert table["c"].buchholz == table["d"].buchholz == 2 + 2 * Fraction(1, 3)


def test_an_arena_counts_wins_before_meetings() -> None:
    table = hold(ARENA, "abc", "a-b =, a-c =, b-c 1, c-b 1, a-b =, a-c =")
    assert [table[name].points for name in "abc"] == [2, 2, 2]
    assert [table[name].place for name in "abc"] == [3, 1, 1]


@given(
    st.sampled_from([(SWISS, 2), (SWISS, 3), (ROUND_ROBIN, 2), (ROUND_ROBIN, 3)]),
    st.integers(3, 9),
    st.integers(0, 10**9),
)
def test_points_add_up_and_places_follow(kind: tuple[str, int], entrants: int, seed: int) -> None:
    system, seats = kind
    contest = play_out(
        Contest(system, names(entrants), seats, 3, seed), by_chance(Random(seed), 0.3)
    )
    table = rank(contest)
    given_out = sum(len(one.bouts) + contest.bye * len(one.byes) for one in contest.rounds)
    assert sum(standing.points for standing in table) == given_out
    assert sorted(standing.player for standing in table) == sorted(contest.entrants)
    assert [s.points for s in table] == sorted((s.points for s in table), reverse=True)
    assert [s.place for s in table] == sorted(s.place for s in table)
    assert all(s.played + s.byes == len(contest.rounds) for s in table)


@pytest.mark.parametrize("system", [SWISS, ROUND_ROBIN, ARENA])
def test_before_anything_is_played_all_share_the_first_place(system: str) -> None:
    assert {s.place for s in rank(Contest(system, names(5)))} == {1}
