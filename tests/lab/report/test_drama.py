"""How games went, on chances written by hand."""

from typing import Any

import pytest

from skerry.lab.report.measure.drama import (
    count_lead_changes,
    find_known,
    find_lowest,
    find_winner,
    follow_winner,
)


def game(*chances: float, drawn: bool = False) -> dict[str, Any]:
    """A game of two seats by the chances of the first after every ply; the last is the result."""
    shares = [0.5, 0.5] if drawn else [chances[-1], 1 - chances[-1]]
    return {
        "games": [{"shares": shares, "plies": len(chances) - 1}],
        "chances": [[chance, 1 - chance] for chance in chances],
    }


@pytest.mark.parametrize(
    ("chances", "known"),
    [
        ((0.6, 0.7, 0.9, 1.0), 0.0),  # led from the start
        ((0.5, 0.7, 0.9, 1.0), 0.0),  # even is not behind
        ((0.4, 0.7, 0.9, 1.0), 1 / 3),
        ((0.6, 0.7, 0.4, 1.0), 1.0),  # led only when it was over
        ((0.6, 0.4, 0.7, 0.3, 0.6, 1.0), 4 / 5),
        ((0.6, 0.4, 0.3, 0.0), 1 / 3),  # the second seat wins
    ],
)
def test_when_the_winner_is_known(chances: tuple[float, ...], known: float) -> None:
    assert find_known(game(*chances)) == pytest.approx(known)


def test_a_draw_has_no_winner() -> None:
    drawn = game(0.5, 0.7, 0.5, drawn=True)
    assert find_winner(drawn) is None
    assert find_known(drawn) is None
    assert find_lowest(drawn) is None


@pytest.mark.parametrize(
    ("chances", "changes"),
    [
        ((0.5, 0.6, 0.8, 1.0), 0),
        ((0.6, 0.4, 0.6, 1.0), 2),
        ((0.6, 0.48, 0.6, 1.0), 0),  # too little to have changed hands
        ((0.4, 0.5, 0.4, 1.0), 1),
    ],
)
def test_changes_of_the_lead(chances: tuple[float, ...], changes: int) -> None:
    assert count_lead_changes(game(*chances)) == changes


def test_three_seats() -> None:
    answer = {
        "games": [{"shares": [0.0, 0.0, 1.0], "plies": 3}],
        "chances": [[0.4, 0.3, 0.3], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7], [0.0, 0.0, 1.0]],
    }
    assert find_winner(answer) == 2
    assert find_known(answer) == pytest.approx(2 / 3)
    assert find_lowest(answer) == 0.2
    assert count_lead_changes(answer) == 2  # the first seat led, then the second, then the third
    assert follow_winner(answer, 2, 3) == [0.3, 0.2, 0.7, 1.0]
