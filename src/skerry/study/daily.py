"""The puzzle of a day, which is the same for everybody."""

from datetime import date
from math import gcd

from skerry.study import puzzles


def choose_daily(day: date) -> tuple[str, int]:
    """The game of a day and the number of its puzzle.

    Games take turns, and none shows a puzzle again before all others have been shown. Strides of
    about five eighths leap from easy ones to hard ones and back.
    """
    names = puzzles.list_games()
    turn, place = divmod(day.toordinal(), len(names))
    count = len(puzzles.load(names[place]))
    stride = next(n for n in range(count * 5 // 8, 2 * count + 2) if gcd(n, count) == 1)
    return names[place], 1 + turn * stride % count
