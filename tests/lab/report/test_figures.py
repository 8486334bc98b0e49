"""Intervals: textbook values, and how often they hold the truth."""

from random import Random

import pytest

from skerry.lab.stats.figures import Figure, average, average_of, difference, pool, share, student


def test_wilson_by_the_book() -> None:
    # Newcombe (1998), table I: 81 of 263, and 15 of 148.
    for wins, games, low, high in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)]:
        found = share([1.0] * wins + [0.0] * (games - wins))
        assert (found.low, found.high) == (
            pytest.approx(low, abs=1e-4),
            pytest.approx(high, abs=1e-4),
        )
        assert found.n == games


def test_shares_of_nothing_and_everything_have_an_interval_too() -> None:
    # Newcombe (1998), table I: 0 of 20.
    none, every = share([0.0] * 20), share([1.0] * 20)
    assert (none.low, none.high) == (0.0, pytest.approx(0.1611, abs=1e-4))
    assert (every.low, every.high) == (pytest.approx(0.8389, abs=1e-4), 1.0)


def test_newcombe_by_the_book() -> None:
    # Newcombe (1998), interval estimation for the difference, method 10: 56 of 70 and 48 of 80.
    found = difference(share([1.0] * 48 + [0.0] * 32), share([1.0] * 56 + [0.0] * 14))
    assert found.value == pytest.approx(0.2)
    assert found.low == pytest.approx(0.0524, abs=1e-4)
    assert found.high == pytest.approx(0.3339, abs=1e-4)


def test_a_difference_turned_round_is_the_same_with_the_other_sign() -> None:
    first, second = Figure(0.3, 0.25, 0.4, 50), Figure(0.5, 0.48, 0.53, 80)
    there, back = difference(first, second), difference(second, first)
    assert (there.value, there.low, there.high) == (-back.value, -back.high, -back.low)


def test_average_by_hand() -> None:
    found = average([2, 4, 6])
    assert (found.value, found.n) == (4, 3)
    # The spread is 2, its error 2 / sqrt(3), and Student's t of two degrees is 4.303.
    assert found.margin == pytest.approx(4.303 * 2 / 3**0.5)
    assert average_of(3, 12, 4 + 16 + 36) == found


def test_student_by_the_book() -> None:
    known = {1: 12.706, 10: 2.228, 11: 2.201, 20: 2.086, 60: 2.000, 1000: 1.962}
    for freedom, value in known.items():
        assert student(freedom) == pytest.approx(value, rel=0.013)


@pytest.mark.parametrize(
    ("weights", "games"),
    [((0.5, 0.0, 0.5), 10), ((0.9, 0.0, 0.1), 30), ((0.2, 0.6, 0.2), 15), ((0.1, 0.1, 0.8), 60)],
)
def test_shares_hold_the_truth(weights: tuple[float, float, float], games: int) -> None:
    """Lost, drawn and won games with known odds: 19 intervals of 20 hold the true share."""
    dice, truth, held = Random(1), weights[1] / 2 + weights[2], 0
    for _ in range(1000):
        found = share(dice.choices((0.0, 0.5, 1.0), weights, k=games))
        held += found.low <= truth <= found.high
    assert held / 1000 >= 0.925


@pytest.mark.parametrize("games", [3, 8, 40])
def test_averages_hold_the_truth(games: int) -> None:
    dice, held = Random(2), 0
    for _ in range(1000):
        found = average(dice.gauss(50, 12) for _ in range(games))
        held += found.low <= 50 <= found.high
    assert 0.93 <= held / 1000 <= 0.97


def test_figures_are_pooled_by_their_observations() -> None:
    found = pool([Figure(0.5, 0.4, 0.6, 100), Figure(0.8, 0.7, 0.9, 300)])
    assert (found.value, found.n) == (pytest.approx(0.725), 400)
    assert found.margin == pytest.approx((0.1**2 * (100**2 + 300**2)) ** 0.5 / 400)
    sure = pool([share([1.0] * 20), share([1.0] * 5)])
    assert sure.low < sure.value == sure.high == 1.0
