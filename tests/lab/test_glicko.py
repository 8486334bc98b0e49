"""Glicko-2: the example of its paper, three seats, and simulated players who are found again."""

from collections.abc import Sequence
from itertools import permutations
from math import exp, sqrt

import numpy as np
import pytest

from skerry.lab.stats.glicko import START, VOLATILITY, WIDEST, Encounter, Glicko, rate_game, update
from skerry.lab.stats.ratings import ELO
from support.repeating import some_of
from support.scripts import load_script

simulated = load_script("ratings")
KNOWN = 1e-3  # the deviation of somebody of whom everything is known


def test_the_example_of_the_paper() -> None:
    """Glickman, *Example of the Glicko-2 system*, pages 3 to 5."""
    opponents = [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)]
    encounters = [Encounter((Glicko(r, d, 0.06),), s) for r, d, s in opponents]
    after = update(Glicko(1500, 200, 0.06), encounters, tau=0.5)
    # The paper rounds in between, and has 1464.06.
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_nothing_but_time_makes_a_rating_less_sure() -> None:
    before = Glicko(1700, 60, 0.06)
    assert update(before, []) == before.rest(1)
    assert before.rest(1).deviation == pytest.approx(sqrt(60**2 + (0.06 * ELO) ** 2))
    assert before.rest(73).deviation == pytest.approx(107, abs=0.5)  # a year
    assert before.rest(1e6).deviation == WIDEST
    assert before.rest(0.25).rest(0.75).deviation == pytest.approx(before.rest(1).deviation)
    assert before.rest(5).rating == before.rating


def test_surprises_make_a_player_volatile() -> None:
    steady, moved = Glicko(1500, 50), Glicko(1500, 50)
    strong, weak = Glicko(2000, 50), Glicko(1000, 50)
    for _ in range(20):
        steady = update(steady, [Encounter((strong,), 0.0), Encounter((weak,), 1.0)])
        moved = update(moved, [Encounter((strong,), 1.0)] * 5)
    assert steady.volatility <= VOLATILITY < moved.volatility


def test_three_seats_expect_what_luces_model_says() -> None:
    ratings = (1500.0, 1650.0, 1820.0)
    strengths = [exp(rating / ELO) for rating in ratings]
    for seat, rating in enumerate(ratings):
        others = tuple(Glicko(r, KNOWN) for n, r in enumerate(ratings) if n != seat)
        expected, sharpness = Encounter(others, 0.0).expect(rating)
        assert expected == pytest.approx(strengths[seat] / sum(strengths))
        assert sharpness == pytest.approx(1)


def test_a_step_of_three_seats_is_newtons_on_luces_likelihood() -> None:
    """Found by differences, from the likelihood itself: who won among opponents says nothing."""
    ratings = (1500.0, 1650.0, 1820.0)

    def log_likelihood(own: float, winner: int) -> float:
        strengths = np.exp(np.array([own, *ratings[1:]]) / ELO)
        return float(np.log(strengths[winner] / strengths.sum()))

    before, step = Glicko(1500, 80), 1.0
    others = tuple(Glicko(rating, KNOWN) for rating in ratings[1:])
    for winner in range(3):
        up, at, down = (log_likelihood(1500 + d, winner) for d in (step, 0.0, -step))
        slope, bend = (up - down) / (2 * step), -(up - 2 * at + down) / step**2
        after = update(before, [Encounter(others, float(winner == 0))], periods=0.0)
        variance = 1 / (1 / 80**2 + bend)
        assert after.deviation == pytest.approx(sqrt(variance), rel=1e-4)
        assert after.rating - 1500 == pytest.approx(variance * slope, rel=1e-3)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_is_equally_well_known_gains_what_others_lose(seats: int) -> None:
    players = [Glicko(1500 + 90 * n, 120) for n in range(seats)]
    for shares in {*permutations([1.0] + [0.0] * (seats - 1)), (1 / seats,) * seats}:
        after = rate_game(players, shares, [0.0] * seats)
        changes = [b.rating - a.rating for a, b in zip(players, after, strict=True)]
        weights = [1 / b.deviation**2 for b in after]
        assert sum(c * w for c, w in zip(changes, weights, strict=True)) == pytest.approx(0)
        assert (max(changes) > 0) == (min(changes) < 0)
    alike = rate_game([Glicko()] * seats, [1 / seats] * seats, [0.0] * seats)
    assert all(one.rating == pytest.approx(START) for one in alike)


def test_nobody_gains_without_end() -> None:
    weak, strong = Glicko(800, 30), Glicko(3500, 30)
    for winner, loser in ((strong, weak), (weak, strong)):
        for after in rate_game([winner, loser], [1.0, 0.0], [0.0, 0.0]):
            assert 700 < after.rating < 3600
            assert 0 < after.deviation <= 350
    far = rate_game([Glicko(0, 30), Glicko(200_000, 30)], [0.0, 1.0], [0.0, 0.0])
    assert [round(one.rating) for one in far] == [0, 200_000]


# Simulated players


@pytest.mark.parametrize(
    ("seats", "clubs"), some_of([(2, 2), (3, 2), (2, 10), (3, 10)], [(2, 2), (3, 2)])
)
def test_known_strengths_are_found(seats: int, clubs: int) -> None:
    """Errors of a club go together, as ratings lean on each other, so there are several."""
    found = [simulated.Club(seats, seed) for seed in range(clubs)]
    for club in found:
        club.play(60)
        assert club.order > 0.93
    errors = np.concatenate([club.errors for club in found])
    told = np.concatenate([club.deviations for club in found])
    assert 0.88 < np.mean([club.coverage for club in found]) < 0.98
    assert 0.8 < np.sqrt((errors**2).mean() / (told**2).mean()) < 1.25
    assert abs(errors.mean()) < 30


def test_to_count_a_game_of_three_twice_is_too_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Why a game is one observation: as games against each opponent, it would tell too much."""

    def rate_pairs(
        players: Sequence[Glicko], shares: Sequence[float], periods: Sequence[float]
    ) -> list[Glicko]:
        now = [player.rest(passed) for player, passed in zip(players, periods, strict=True)]
        seats = range(len(players))
        return [
            update(
                players[me],
                [Encounter((now[n],), (1 + shares[me] - shares[n]) / 2) for n in seats if n != me],
                periods[me],
            )
            for me in seats
        ]

    honest, hasty = simulated.Club(3, 3), simulated.Club(3, 3)
    honest.play(60)
    monkeypatch.setattr(simulated, "rate_game", rate_pairs)
    hasty.play(60)
    assert hasty.deviations.mean() < 0.9 * honest.deviations.mean()
    assert hasty.coverage < 0.8 < honest.coverage


@pytest.mark.parametrize("seats", some_of([2, 3], [3]))
def test_ratings_neither_rise_nor_fall_without_levels(seats: int) -> None:
    club = simulated.Club(seats, levels=False)
    means = []
    for stage in (10, 40, 120):
        club.play(stage)
        means.append(club.ratings.mean())
    assert all(abs(mean - START) < 30 for mean in means)
    assert abs(means[-1] - means[-2]) < 12


@pytest.mark.parametrize("theme", some_of(["light", "dark"], ["light"]))
def test_the_picture_of_the_docs_is_up_to_date(theme: str) -> None:
    drawn = simulated.place_picture(theme).read_text(encoding="utf-8")
    assert drawn == simulated.draw(theme) + "\n", "run: python tools/ratings.py"


@pytest.mark.soak
def test_the_table_of_the_docs_is_up_to_date() -> None:
    text = simulated.PAGE.read_text(encoding="utf-8")
    assert simulated.write_table() in text, "run: python tools/ratings.py"
