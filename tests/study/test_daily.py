"""The puzzle of a day: one for everybody, all in their turn."""

from datetime import date, timedelta

from skerry.study import puzzles
from skerry.study.daily import choose_daily

FIRST = date(2026, 1, 1)


def test_a_day_has_one_puzzle_that_exists() -> None:
    name, number = choose_daily(FIRST)
    assert (name, number) == choose_daily(FIRST)
    assert 1 <= number <= len(puzzles.load(name))


def test_games_take_turns_and_no_puzzle_comes_back_before_the_others() -> None:
    names = puzzles.list_games()
    fewest = min(len(puzzles.load(name)) for name in names)
    days = [choose_daily(FIRST + timedelta(n)) for n in range(len(names) * fewest)]
    assert len(set(days)) == len(days)
    assert {name for name, _ in days[: len(names)]} == set(names)
