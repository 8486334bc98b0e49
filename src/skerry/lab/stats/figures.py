"""Estimates and their 95 % intervals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot, sqrt

from skerry.lab.stats.results import SURE

# Student's t for 1 to 10 degrees of freedom; beyond, an expansion is good to three digits.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


@dataclass(frozen=True)
class Figure:
    """An estimate from ``n`` independent observations, and its 95 % interval."""

    value: float
    low: float
    high: float
    n: int

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def share(values: Iterable[float]) -> Figure:
    """The mean of values from 0 to 1, at least one.

    Of values that are 0 or 1 this is Wilson's score interval; values between, such as draws, make
    it narrower as they vary less. It stays sound where all values are the same.
    """
    found = list(values)
    return share_of(len(found), sum(found), sum(value * value for value in found))


def share_of(n: int, total: float, squares: float) -> Figure:
    """``share`` of ``n`` values, given their sum and the sum of their squares."""
    mean = total / n
    variance = squares / n - mean * mean
    shrink = 1 + SURE**2 / n
    centre = (mean + SURE**2 / (2 * n)) / shrink
    half = SURE / shrink * sqrt(max(variance, 0.0) / n + SURE**2 / (4 * n * n))
    return Figure(mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)), n)


def average(values: Iterable[float]) -> Figure:
    """The mean of at least two values that have no bounds."""
    found = list(values)
    return average_of(len(found), sum(found), sum(value * value for value in found))


def average_of(n: int, total: float, squares: float) -> Figure:
    """The mean of ``n`` values, given their sum and the sum of their squares."""
    mean = total / n
    variance = max(squares - n * mean * mean, 0.0) / (n - 1)
    half = student(n - 1) * sqrt(variance / n)
    return Figure(mean, mean - half, mean + half, n)


def student(freedom: int) -> float:
    """How many standard errors a 95 % interval has on each side."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    return SURE + (SURE**3 + SURE) / (4 * freedom)


def difference(first: Figure, second: Figure) -> Figure:
    """The second minus the first; Newcombe's interval, which respects how skewed theirs are."""
    value = second.value - first.value
    below = sqrt((second.value - second.low) ** 2 + (first.high - first.value) ** 2)
    above = sqrt((second.high - second.value) ** 2 + (first.value - first.low) ** 2)
    return Figure(value, value - below, value + above, min(first.n, second.n))


def pool(figures: Sequence[Figure]) -> Figure:
    """The mean over all observations of several figures, as skewed as they are."""
    n = sum(figure.n for figure in figures)
    value = sum(figure.value * figure.n for figure in figures) / n
    below = hypot(*((figure.value - figure.low) * figure.n for figure in figures)) / n
    above = hypot(*((figure.high - figure.value) * figure.n for figure in figures)) / n
    return Figure(value, value - below, value + above, n)
