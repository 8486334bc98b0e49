"""Plots as SVG that belongs to a page: its fonts, its colours by day and night, and no surprises.

No series is told by its colour alone: each has a marker and a dash of its own. The series of a seat
wears the colours of its pieces, body and rim.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from skerry.lab.report.page.paints import Paints, Pair, drop_ids
from skerry.render.themes import DARK, LIGHT, ink_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 360.0, 225.0  # of a plot, in points; small, to be legible on a phone
POINTS = 72.0  # per inch, which is what Matplotlib counts in
FONT = 11.0
ATTRIBUTES = 'aria-hidden="true" stroke-linejoin="round"'

INK = Pair("#2a2620", "#eceae4")
SOFT = Pair("#5a5144", "#b9bec6")
GRID = Pair("#d9cfbb", "#3a3f48")
PANEL = Pair("#ffffff", "#23262b")


@dataclass(frozen=True)
class SeriesStyle:
    """How a series is drawn: a line with a casing, a marker, and dashes."""

    body: Pair
    rim: Pair
    marker: str
    dashes: tuple[float, ...] = ()

    @property
    def strong(self) -> Pair:
        """Whichever of both colours stands out from the page, by day and by night."""
        return Pair(
            min(self.body.light, self.rim.light, key=brightness),
            max(self.body.dark, self.rim.dark, key=brightness),
        )


# Dark, middling and light, for those who see no hues.
SERIES = tuple(
    SeriesStyle(pair, pair, marker, dashes)
    for pair, marker, dashes in (
        (Pair("#0f2747", "#e4eeff"), "o", ()),
        (Pair("#a23b08", "#f5a06a"), "s", (5, 2)),
        (Pair("#2b959b", "#3f8ba3"), "^", (1.5, 1.5)),
    )
)
MARKERS = "os^D"
DASHES: tuple[tuple[float, ...], ...] = ((), (5, 2), (1.5, 1.5), (6, 2, 1.5, 2))


def seat_style(seat: int, names: tuple[str, ...]) -> SeriesStyle:
    """A seat as its pieces style on the boards of the page."""
    day, night = (ink_of(theme, seat, names) for theme in (LIGHT, DARK))
    body, rim = Pair(day.body, night.body), Pair(day.rim, night.rim)
    return SeriesStyle(body, rim, MARKERS[seat % len(MARKERS)], DASHES[seat % len(DASHES)])


@dataclass(frozen=True)
class Series:
    """Values with their intervals; ``at`` are their places along the plot."""

    name: str
    style: SeriesStyle
    at: Sequence[float]
    values: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


@dataclass(frozen=True)
class Axis:
    """What is written along a side; ``ticks`` are places and what stands there."""

    label: str = ""
    ticks: Sequence[tuple[float, str]] | None = None
    limits: tuple[float, float] | None = None
    percent: bool = False
    signed: bool = False  # differences, in points if they are those of percentages

    def write(self, value: float, _: object = None) -> str:
        """A tick."""
        scaled = round(100 * value, 1) if self.percent else value
        if self.signed:
            return f"{scaled:+g}" if scaled else "0"
        return f"{scaled:g} %"


class Plotter:
    """Draws the plots of one page."""

    def __init__(self, paints: Paints) -> None:
        self.paints = paints
        self.count = 0

    def draw_intervals(
        self,
        series: Sequence[Series],
        x: Axis,
        y: Axis,
        even: float | None = None,
        poles: tuple[str, ...] = (),
    ) -> str:
        """Points with whiskers, joined; series stand side by side.

        ``even`` is a line to see, ``poles`` are what it means to be above and below it.
        """
        figure, axes = self._open()
        if even is not None:
            self._draw_level(axes, even)
        for text, height in zip(poles, (1.0, 0.0), strict=False):
            axes.text(
                0.01, height, text, transform=axes.transAxes, fontsize=FONT, fontstyle="italic",
                va="top" if height else "bottom", color=self.paints.stand_in(SOFT),
                bbox={"facecolor": self.paints.stand_in(PANEL), "edgecolor": "none", "pad": 1.5},
            )  # fmt: skip
        for number, one in enumerate(series):
            shift = 0.12 * (number - (len(series) - 1) / 2)
            at = [place + shift for place in one.at]
            self._draw_whiskers(axes, one, at)
            self._draw_line(axes, one, at, width=1.6)
            self._draw_markers(axes, one, at)
        if len(series) > 1:
            self._list_series(axes, series)
        return self._close(figure, axes, x, y)

    def draw_bands(self, series: Sequence[Series], x: Axis, y: Axis) -> str:
        """Lines with a band around each, for values at every ply."""
        figure, axes = self._open()
        for one in series:
            if one.low:
                colour = self.paints.stand_in(one.style.strong)
                axes.fill_between(one.at, one.low, one.high, color=colour, alpha=0.16, lw=0)
            self._draw_line(axes, one, one.at, width=1.8)
        if len(series) > 1:
            self._list_series(axes, series)
        return self._close(figure, axes, x, y)

    def draw_steps(self, series: Sequence[Series], x: Axis, y: Axis, width: float) -> str:
        """Distributions as outlines over bins of one width, the first one filled."""
        figure, axes = self._open()
        for number, one in enumerate(series):
            colour = self.paints.stand_in(one.style.strong)
            edges = [place - width / 2 for place in one.at]
            edges.append(one.at[-1] + width / 2)
            axes.stairs(
                one.values,
                edges,
                color=colour,
                lw=1.7,
                ls=_dash_style(one.style),
                zorder=3 + number,
            )
            axes.stairs(one.values, edges, color=colour, fill=True, alpha=0.1, lw=0)
        self._list_series(axes, series)
        return self._close(figure, axes, x, y)

    def draw_bars(
        self,
        rows: Sequence[tuple[str, float, float, float]],
        x: Axis,
        style: SeriesStyle = SERIES[0],
    ) -> str:
        """Rows with a value and its interval, from the top: name, value, low and high."""
        figure, axes = self._open(height=52 + 21.0 * len(rows))
        places = [-float(number) for number in range(len(rows))]
        series = Series(
            "", style, [v for _, v, _, _ in rows], places,
            [low for _, _, low, _ in rows], [high for *_, high in rows],
        )  # fmt: skip
        colour = self.paints.stand_in(style.strong)
        if x.limits is None or x.limits[0] <= 0:
            axes.axvline(0, color=self.paints.stand_in(SOFT), lw=0.9)
        axes.hlines(places, series.low, series.high, color=colour, lw=2.2)
        axes.plot(series.at, places, ls="", marker=style.marker, ms=6, color=colour)
        ticks = list(zip(places, (name for name, *_ in rows), strict=True))
        limits = (-len(rows) + 0.4, 0.6)
        return self._close(figure, axes, x, Axis(ticks=ticks, limits=limits))

    # What all plots are made of.

    def _open(self, height: float = HEIGHT) -> "tuple[Figure, Axes]":
        from matplotlib.figure import Figure

        figure = Figure(figsize=(WIDTH / POINTS, height / POINTS), layout="constrained")
        return figure, figure.subplots()

    def _draw_level(self, axes: "Axes", at: float) -> None:
        axes.axhline(at, color=self.paints.stand_in(SOFT), lw=1, ls=(0, (2, 2)), zorder=1)

    def _draw_line(self, axes: "Axes", one: Series, at: Sequence[float], width: float) -> None:
        """A line in the colours of its body within a casing of its rim."""
        rim, body = (self.paints.stand_in(pair) for pair in (one.style.rim, one.style.body))
        if rim == body:
            axes.plot(at, one.values, color=rim, lw=width, ls=_dash_style(one.style), zorder=3)
            return
        axes.plot(at, one.values, color=rim, lw=width + 1.6, zorder=3)
        axes.plot(at, one.values, color=body, lw=width, zorder=3.1)

    def _draw_whiskers(self, axes: "Axes", one: Series, at: Sequence[float]) -> None:
        if one.low:
            colour = self.paints.stand_in(one.style.strong)
            axes.vlines(at, one.low, one.high, color=colour, lw=1.4, zorder=2)

    def _draw_markers(self, axes: "Axes", one: Series, at: Sequence[float]) -> None:
        rim, body = (self.paints.stand_in(pair) for pair in (one.style.rim, one.style.body))
        axes.plot(
            at, one.values, ls="", marker=one.style.marker, ms=6.5, mfc=body, mec=rim, mew=1.2,
            zorder=4,
        )  # fmt: skip

    def _list_series(self, axes: "Axes", series: Sequence[Series]) -> None:
        """The names of series above the plot."""
        from matplotlib.lines import Line2D
        from matplotlib.patheffects import Normal, Stroke

        handles = []
        for one in series:
            rim, body = (self.paints.stand_in(pair) for pair in (one.style.rim, one.style.body))
            handle = Line2D(
                [], [], color=body, lw=1.8, ls=_dash_style(one.style) if rim == body else "-",
                marker=one.style.marker, ms=6, mfc=body, mec=rim, mew=1.2,
            )  # fmt: skip
            if rim != body:
                handle.set_path_effects([Stroke(linewidth=3.4, foreground=rim), Normal()])
            handles.append(handle)
        axes.legend(
            handles, [one.name for one in series], loc="lower left", bbox_to_anchor=(-0.02, 1.0),
            ncols=len(series), frameon=False, borderaxespad=0, handlelength=2.1,
            columnspacing=1.2, fontsize=FONT, labelcolor=self.paints.stand_in(INK),
        )  # fmt: skip

    def _close(self, figure: "Figure", axes: "Axes", x: Axis, y: Axis) -> str:
        from matplotlib import rc_context
        from matplotlib.ticker import FuncFormatter, MaxNLocator

        ink, soft, grid = (self.paints.stand_in(pair) for pair in (INK, SOFT, GRID))
        for side, spine in axes.spines.items():
            spine.set_visible(side == "bottom")
            spine.set_color(grid)
        axes.tick_params(length=0, labelcolor=soft, labelsize=FONT, pad=5)
        for line, axis in ((axes.xaxis, x), (axes.yaxis, y)):
            line.label.set_color(soft)
            line.set_label_text(axis.label, fontsize=FONT)
            if axis.ticks is not None:
                line.set_ticks([at for at, _ in axis.ticks], [text for _, text in axis.ticks])
            else:
                line.set_major_locator(
                    MaxNLocator(5, steps=[1, 2, 5, 10], integer=not axis.percent)
                )
            if axis.percent or axis.signed:
                line.set_major_formatter(FuncFormatter(axis.write))
        if x.limits:
            axes.set_xlim(*x.limits)
        if y.limits:
            axes.set_ylim(*y.limits)
        named = y.ticks is not None  # rows have names: what is measured goes sideways
        axes.grid(axis="x" if named else "y", color=grid, lw=0.8)
        for label in axes.get_yticklabels() if named else ():
            label.set_color(ink)
        axes.set_axisbelow(True)
        self.count += 1
        out = io.StringIO()
        with rc_context(
            {"svg.fonttype": "none", "svg.hashsalt": "skerry", "axes.unicode_minus": False}
        ):
            figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
        return self.paints.fill_in(tidy(out.getvalue(), f"plot{self.count}-"))


def brightness(colour: str) -> float:
    """How bright a colour is to the eye, roughly."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.21 * red + 0.72 * green + 0.07 * blue


def _dash_style(style: SeriesStyle) -> "str | tuple[float, tuple[float, ...]]":
    return (0, style.dashes) if style.dashes else "-"


def tidy(svg: str, prefix: str) -> str:
    """Matplotlib's picture as part of a page: no prologue, no style for others, ids of its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg, flags=re.S)
    svg = drop_ids(svg).replace(' id="', f' id="{prefix}').replace("url(#", f"url(#{prefix}")
    svg = re.sub(r"(xlink:)?href=\"#", f'href="#{prefix}', svg)
    svg = re.sub(r"font-family:[^;\"]*;?|font: ([\d.]+px)[^;\"]*", _drop_family, svg)
    svg = re.sub(r"(\d+\.\d\d)\d+", r"\1", svg)
    svg = re.sub(r"<svg[^>]*( viewBox=\"[^\"]*\")[^>]*>", rf"<svg\1 {ATTRIBUTES}>", svg)
    return re.sub(r"\s*\n\s*", "\n", svg).strip()


def _drop_family(found: re.Match[str]) -> str:
    """The size of a text without its font, which is the page's."""
    return f"font-size: {found.group(1)}" if found.group(1) else ""


def is_missing() -> bool:
    """Whether plots cannot be drawn here."""
    return find_spec("matplotlib") is None
