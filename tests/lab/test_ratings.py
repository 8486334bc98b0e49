"""Ratings: known strengths are found again, and intervals hold what they promise."""

from itertools import combinations
from math import log10

import numpy as np
import pytest

import skerry
from skerry.lab.stats.ratings import rate
from skerry.lab.stats.results import Block, Played
from support.repeating import some_of
from support.simulation import play_block

LADDER = {"a": 0.0, "b": 120.0, "c": 250.0, "d": 300.0}
STEPS = [("a", "b"), ("b", "c"), ("c", "d")]


def won_by_first(*wins: bool) -> list[Block]:
    """Blocks of one game between a and b."""
    return [(Played(("a", "b"), (1.0, -1.0) if win else (-1.0, 1.0)),) for win in wins]


def test_two_players_by_hand() -> None:
    ratings = rate(won_by_first(*[True] * 30, *[False] * 10))
    elo, margin = ratings.difference("a", "b")
    assert elo == pytest.approx(400 * log10(30.5 / 10.5))
    # The usual formula: the standard error of log odds of 40 games at 30.5 / 41.
    share = 30.5 / 41
    usual = 1.96 * 400 / np.log(10) / np.sqrt(40 * share * (1 - share))
    assert margin == pytest.approx(usual, rel=0.05)
    assert ratings.difference("b", "a") == (pytest.approx(-elo), pytest.approx(margin))


def test_three_seats_by_hand() -> None:
    """One a among two b wins two games of four: its strength is 2 b, with no virtual draw."""
    tables = [("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")]
    blocks = [
        tuple(Played(table, tuple(1.0 if seat == w else -0.5 for seat in range(3))) for w in wins)
        for table, wins in zip(tables, ((0, 0, 1, 2), (1, 1, 0, 2), (2, 2, 0, 1)), strict=True)
    ]
    ratings = rate(blocks * 1000)
    assert ratings.difference("a", "b")[0] == pytest.approx(400 * log10(2), abs=0.1)


def test_draws_are_half_a_win() -> None:
    drawn = [(Played(("a", "b"), (0.0, 0.0)),)] * 2
    assert rate(won_by_first(True, False)).elo == pytest.approx(rate(drawn).elo)
    assert rate([*drawn, *won_by_first(True)]).difference("a", "b")[0] == pytest.approx(
        400 * log10(2.5 / 1.5)
    )


@pytest.mark.parametrize("seats", some_of([2, 3], [3]))
def test_known_strengths_are_found(seats: int) -> None:
    chooser = np.random.default_rng(1)
    blocks = [play_block(pair, LADDER, chooser, seats) for pair in STEPS for _ in range(1500)]
    ratings = rate(blocks)
    for pair in combinations(LADDER, 2):
        elo, margin = ratings.difference(*pair)
        assert elo == pytest.approx(LADDER[pair[0]] - LADDER[pair[1]], abs=margin * 1.5)
        assert margin < 40


def test_three_different_players_at_a_table() -> None:
    strengths = {name: LADDER[name] for name in "abc"}
    chooser = np.random.default_rng(2)
    ratings = rate([play_block(("a", "b", "c"), strengths, chooser, 3) for _ in range(1000)])
    assert [rating.player for rating in ratings.table()] == ["c", "b", "a"]
    assert ratings.difference("c", "a")[0] == pytest.approx(250, abs=25)


def test_seat_advantages_are_found_if_asked_for() -> None:
    chooser = np.random.default_rng(3)
    blocks = [play_block(("a", "c"), LADDER, chooser, first=200.0) for _ in range(3000)]
    plain, fitted = rate(blocks), rate(blocks, seat_advantage=True)
    assert fitted.difference("c", "a")[0] == pytest.approx(250, abs=20)
    assert fitted.seats == (pytest.approx(100, abs=10), pytest.approx(-100, abs=10))
    assert plain.seats == (0, 0)
    # Without it, Elo is what the points over both seatings stand for, which is less.
    won = np.mean([game.won_by("c") for block in blocks for game in block])
    assert plain.difference("c", "a")[0] == pytest.approx(400 * log10(won / (1 - won)), abs=1)


def cover(pairs: list[tuple[str, str]], blocks: int, times: int, seats: int = 2) -> float:
    """How often intervals of differences hold the truth."""
    chooser = np.random.default_rng(5)
    held = []
    for _ in range(times):
        ratings = rate(
            play_block(pair, LADDER, chooser, seats) for pair in pairs for _ in range(blocks)
        )
        for a, b in combinations(ratings.players, 2):
            elo, margin = ratings.difference(a, b)
            held.append(abs(elo - (LADDER[a] - LADDER[b])) <= margin)
    return float(np.mean(held))


@pytest.mark.parametrize("seats", some_of([2, 3], [2]))
def test_intervals_hold_the_truth_19_times_in_20(seats: int) -> None:
    assert 0.92 <= cover(STEPS, 20, 100, seats) <= 0.98


def test_intervals_of_few_blocks_are_wide_enough() -> None:
    assert 0.92 <= cover([("a", "c")], 8, 400) <= 0.99


def test_blocks_are_the_unit() -> None:
    """Ten copies of a game in a block tell no more than one."""
    once = won_by_first(*[True, False, True, True, False, True] * 10)
    copied = [block * 10 for block in once]
    _, margin = rate(once).difference("a", "b")
    assert rate(copied).difference("a", "b")[1] == pytest.approx(margin, rel=0.1)
    apart = [block for block in once for _ in range(10)]
    assert rate(apart).difference("a", "b")[1] < margin / 2.5


def test_lucky_openings_cancel_within_a_block() -> None:
    """Where openings decide, both seatings share the luck and the interval is narrower."""
    chooser = np.random.default_rng(7)
    even = {"a": 0.0, "b": 0.0}
    blocks = [play_block(("a", "b"), even, chooser, luck=1000.0) for _ in range(200)]
    broken_up = [(game,) for block in blocks for game in block]
    assert rate(blocks).difference("a", "b")[1] < 0.8 * rate(broken_up).difference("a", "b")[1]


def test_who_won_everything_has_a_finite_rating_and_a_wide_interval() -> None:
    few, many = rate(won_by_first(*[True] * 20)), rate(won_by_first(*[True] * 200))
    elo, margin = few.difference("a", "b")
    assert elo == pytest.approx(400 * log10(20.5 / 0.5))
    # 20 wins of 20 happen one time in 40 to a player 276 Elo ahead: that must not be far outside.
    assert 200 < elo - margin < 350
    more, _ = many.difference("a", "b")
    assert more > elo + 300


def test_blocks_that_all_go_the_same_way_leave_some_doubt() -> None:
    split = (Played(("a", "b"), (1.0, -1.0)), Played(("b", "a"), (1.0, -1.0)))
    elo, margin = rate([split] * 5).difference("a", "b")
    assert elo == pytest.approx(0)
    assert margin > 20


def test_scales() -> None:
    chooser = np.random.default_rng(9)
    ratings = rate([play_block(pair, LADDER, chooser) for pair in STEPS for _ in range(50)])
    centred = ratings.table()
    assert sum(rating.elo for rating in centred) == pytest.approx(0)
    anchored = {rating.player: rating for rating in ratings.table("a", 1000)}
    assert (anchored["a"].elo, anchored["a"].margin) == (1000, 0)
    for name in "bcd":
        elo, margin = ratings.difference(name, "a")
        assert anchored[name].elo == pytest.approx(1000 + elo)
        assert anchored[name].margin == pytest.approx(margin)
    # Along a chain the doubts add up.
    assert anchored["b"].margin < anchored["c"].margin < anchored["d"].margin


def test_what_cannot_be_compared_is_refused() -> None:
    apart = [*won_by_first(True), (Played(("c", "d"), (1.0, -1.0)),)]
    with pytest.raises(skerry.OptionsError, match="a and c cannot be rated"):
        rate(apart)
    with pytest.raises(skerry.OptionsError, match="a and e cannot be rated"):
        rate(won_by_first(True), ("a", "b", "e"))
    with pytest.raises(skerry.OptionsError, match="nobody cannot be rated"):
        rate([])
    with pytest.raises(skerry.OptionsError, match="e is not among the players: a, b"):
        rate(won_by_first(True)).difference("a", "e")
