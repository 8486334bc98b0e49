"""Decisions that stay valid however often one looks."""

import re
from pathlib import Path

import numpy as np
import pytest

from skerry.lab.stats.sequential import ERROR, STAKES, decide
from support.repeating import some_of

PAGE = (Path(__file__).parents[2] / "docs" / "lab" / "matches.md").read_text("utf-8")


def share_of_decisions(values: np.ndarray, error: float = ERROR) -> float:
    return float(np.mean([decide(row, error) != 0 for row in values.tolist()]))


def naive(values: np.ndarray) -> float:
    """How often somebody who looks at a 95 % interval after every block sees a difference."""
    counts = np.arange(1, values.shape[1] + 1)
    mean = values.cumsum(axis=1) / counts
    spread = np.sqrt(np.maximum((values**2).cumsum(axis=1) / counts - mean**2, 1e-12) / counts)
    return float(np.mean((np.abs(mean) > 1.96 * spread)[:, 20:].any(axis=1)))


# What a block of two games can come to for equal players: wins, with draws, and all in one.
EQUAL = {
    "wins and losses": ((-1, 0, 1), (0.25, 0.5, 0.25)),
    "mostly draws": ((-1, -0.5, 0, 0.5, 1), (0.01, 0.09, 0.8, 0.09, 0.01)),
    "openings decide": ((-1, 1), (0.5, 0.5)),
    "lopsided": ((-0.25, 1), (0.8, 0.2)),
}


@pytest.mark.parametrize("kind", some_of(EQUAL, ["lopsided"]))
def test_equal_players_are_seldom_called_different(kind: str) -> None:
    values, chances = EQUAL[kind]
    chooser = np.random.default_rng(11)
    played = chooser.choice(values, (400, 500), p=chances)
    assert share_of_decisions(played) <= ERROR
    assert naive(played) > 3 * ERROR  # so the caution is needed


@pytest.mark.parametrize(("elo", "games"), re.findall(r"^\| (\d+) Elo \| (\d+) \|$", PAGE, re.M))
def test_a_difference_is_found_in_the_time_that_the_page_says(elo: str, games: str) -> None:
    chooser = np.random.default_rng(12)
    share = 1 / (1 + 10 ** (-int(elo) / 400))
    blocks = ((chooser.random((300, 1000, 2)) < share) * 2 - 1).mean(axis=2)
    needed = []
    for row in blocks.tolist():
        played = iter(row)
        assert decide(played) >= 0
        needed.append(2 * (len(row) - len(list(played))))
    assert np.median(needed) == pytest.approx(int(games), rel=0.1)


def test_both_sides_are_treated_alike() -> None:
    row = np.random.default_rng(13).choice((-1, 0, 1), 300, p=(0.2, 0.5, 0.3)).tolist()
    assert decide(row) == 1
    assert decide([-value for value in row]) == -1


def test_a_decision_stays() -> None:
    assert decide([1.0] * 30) == 1
    assert decide([1.0] * 30 + [-1.0] * 1000) == 1
    assert decide([-1.0] * 30 + [1.0] * 1000) == -1
    assert decide([]) == 0
    assert decide([1.0] * 3) == 0


def test_a_smaller_error_needs_more() -> None:
    needed = [
        next(n for n in range(1, 100) if decide([1.0] * n, error)) for error in (0.05, 0.01, 0.001)
    ]
    assert needed == sorted(set(needed))


def test_bets_are_fair_and_never_lose_all() -> None:
    assert sum(STAKES) == pytest.approx(0)
    assert max(map(abs, STAKES)) < 1
