"""Clocks on paper: what is left to whom."""

import pytest

from skerry.core.errors import OptionsError
from skerry.server.play.clocks import A_DAY, Clock

SETTINGS = [
    {"kind": "move", "seconds": 30},
    {"kind": "total", "seconds": 300, "increment": 3},
    {"kind": "days", "days": 3},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_settings_are_kept(settings: dict[str, object]) -> None:
    assert Clock.read(settings).settings() == settings


@pytest.mark.parametrize(
    "settings",
    [
        None,
        [],
        {},
        {"kind": "hourglass"},
        {"kind": []},
        {"kind": "move"},
        {"kind": "move", "seconds": 0},
        {"kind": "move", "seconds": "30"},
        {"kind": "move", "seconds": True},
        {"kind": "move", "seconds": 30, "increment": 1},
        {"kind": "total", "seconds": 10**9},
        {"kind": "days", "days": 2.5},
    ],
)
def test_what_is_no_clock_is_explained(settings: object) -> None:
    with pytest.raises(OptionsError, match=r"clock"):
        Clock.read(settings)


def test_increment_may_be_left_out() -> None:
    assert Clock.read({"kind": "total", "seconds": 60}) == Clock("total", 60, 0)


def test_time_per_turn_starts_anew_with_every_turn() -> None:
    assert Clock("move", 30).left([29_000, 29_000], 10_000) == 20_000
    assert Clock("days", 3 * A_DAY).left([], 0) == 3 * A_DAY * 1000


def test_total_time_is_used_up_and_finished_turns_earn_the_increment() -> None:
    assert Clock("total", 300, 3).left([10_000, 20_000], 5_000) == 300_000 + 6_000 - 35_000
