"""What is plotted, and how each series looks: none is told from the others by its colour alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from skerry.lab.report.page.paints import Pair
from skerry.render.themes import DARK, LIGHT, ink_of


@dataclass(frozen=True)
class SeriesStyle:
    """How a series is drawn: a line with a casing, a marker, and dashes."""

    body: Pair
    rim: Pair
    marker: str
    dashes: str = ""

    @property
    def strong(self) -> Pair:
        """Whichever of both colours stands out from the page, by day and by night."""
        return Pair(
            min(self.body.light, self.rim.light, key=brightness),
            max(self.body.dark, self.rim.dark, key=brightness),
        )


# Outlines of markers around their middle, as path data.
MARKERS = {
    "circle": "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z",
    "square": "m-3.1-3.1h6.2v6.2h-6.2z",
    "triangle": "m0-4l3.9 6.8h-7.8z",
    "diamond": "m0-4.2l3.7 4.2l-3.7 4.2l-3.7-4.2z",
}
DASHES = ("", "8 3.5", "2.5 3", "9 3 2.5 3")
# Dark, middling and light, for those who see no hues.
SERIES = tuple(
    SeriesStyle(pair, pair, marker, dashes)
    for pair, marker, dashes in zip(
        (Pair("#0f2747", "#e4eeff"), Pair("#a23b08", "#f5a06a"), Pair("#2b959b", "#3f8ba3")),
        MARKERS,
        DASHES,
        strict=False,
    )
)


def seat_style(seat: int, names: tuple[str, ...]) -> SeriesStyle:
    """A seat as its pieces look on the boards of the page."""
    day, night = (ink_of(theme, seat, names) for theme in (LIGHT, DARK))
    body, rim = Pair(day.body, night.body), Pair(day.rim, night.rim)
    return SeriesStyle(body, rim, list(MARKERS)[seat % len(MARKERS)], DASHES[seat % len(DASHES)])


@dataclass(frozen=True)
class Series:
    """Values with their intervals; ``at`` are their places along the plot."""

    name: str
    style: SeriesStyle
    at: Sequence[float]
    values: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()

    @property
    def ends(self) -> list[float]:
        """All that has to be within the plot."""
        return [*self.values, *self.low, *self.high]


def brightness(colour: str) -> float:
    """How bright a colour is to the eye, roughly."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.21 * red + 0.72 * green + 0.07 * blue
