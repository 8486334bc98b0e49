"""The sides of a plot: what is written along them, and where values lie between their ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

MOST_TICKS = 7
NICE = (1, 2, 5, 10)  # what people count in
MINUS = "\N{MINUS SIGN}"
ROOM = 0.05  # beyond the values, where nobody sets limits


@dataclass(frozen=True)
class Axis:
    """What is written along a side; ``ticks`` are places and what stands there."""

    label: str = ""
    ticks: Sequence[tuple[float, str]] | None = None
    limits: tuple[float, float] | None = None
    percent: bool = False
    signed: bool = False  # differences, in points if they are those of percentages

    def write(self, value: float) -> str:
        """A tick."""
        scaled = round(100 * value, 1) if self.percent else round(value, 6)
        if self.signed:
            return f"{scaled:+g}".replace("-", MINUS) if scaled else "0"
        return f"{scaled:g} %" if self.percent else f"{scaled:g}"

    def span(self, values: Sequence[float]) -> tuple[float, float]:
        """The ends of the side: its limits, or all values with some room around them."""
        if self.limits is not None:
            return self.limits
        low, high = min(values), max(values)
        room = ROOM * (high - low) or max(1.0, abs(high)) * ROOM
        return low - room, high + room

    def list_ticks(self, span: tuple[float, float]) -> list[tuple[float, str]]:
        """Where something is written along a side that reaches so far, and what."""
        if self.ticks is not None:
            return list(self.ticks)
        return [(at, self.write(at)) for at in choose_ticks(*span, whole=not self.percent)]


@dataclass(frozen=True)
class Scale:
    """From values to places on the picture."""

    span: tuple[float, float]
    places: tuple[float, float]

    def place(self, value: float) -> float:
        (low, high), (start, end) = self.span, self.places
        return start + (value - low) / ((high - low) or 1.0) * (end - start)


def choose_ticks(low: float, high: float, whole: bool = False) -> list[float]:
    """Round numbers between two ends, a handful of them."""
    rough = max((high - low) / (MOST_TICKS - 1), 1e-9)
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * nice for nice in NICE if unit * nice >= rough * (1 - 1e-9))
    step = max(1.0, step) if whole else step
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]
