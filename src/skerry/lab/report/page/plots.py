"""Plots as SVG that belongs to a page: its text, its colours by day and night, and nothing else.

What is written has the page's own font; its style sheet says how large, and what colour lines and
words have (``rule``, ``base``, ``level``, ``tick``, ``label``, ``name``). Series have colours of
their own, which are variables of the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from skerry.lab.report.page.axes import Axis, Scale
from skerry.lab.report.page.paints import Paints
from skerry.lab.report.page.series import MARKERS, SERIES, Series, SeriesStyle
from skerry.render.markup import element

WIDTH, HEIGHT = (
    340.0,
    216.0,
)  # of a plot; as wide as a phone, where its letters are as large as ours
FONT, LETTER = 12.0, 7.4  # how high and wide letters are, at most
LINE = 17.0  # from one line of words to the next
ROW = 36.0  # of a plot that goes down the page
GAP = 6.0
SAMPLE = 26.0  # of a line, beside the name of its series
SHIFT = 0.12  # between series that stand side by side
END = 8.0  # beyond the last value
Point = tuple[float, float]


@dataclass
class Frame:
    """The room of a plot between its words: where values lie along and up, and what is drawn."""

    x: Scale
    y: Scale
    height: float
    shapes: list[str]

    def trace(self, at: Sequence[float], values: Sequence[float]) -> list[Point]:
        return [(self.x.place(a), self.y.place(v)) for a, v in zip(at, values, strict=True)]


class Plotter:
    """Draws the plots of one page."""

    def __init__(self, paints: Paints) -> None:
        self.paints = paints

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
        places = [place for one in series for place in one.at]
        margin = 0.5 if len(set(places)) > 1 else 1.0
        frame = self._open(series, x, y, (min(places) - margin, max(places) + margin))
        if even is not None:
            level = frame.y.place(even)
            frame.shapes.append(_line(*frame.x.places, level, level, "level"))
        bottom, top = frame.y.places
        for text, height in zip(poles, (top + FONT, bottom - GAP), strict=False):
            frame.shapes.append(_write(text, frame.x.places[0] + GAP, height, "pole"))
        for number, one in enumerate(series):
            shift = SHIFT * (number - (len(series) - 1) / 2)
            at = [place + shift for place in one.at]
            self._draw_whiskers(frame, one, at)
            self._draw_line(frame, one, at)
            self._draw_markers(frame.shapes, one.style, frame.trace(at, one.values))
        return _close(frame)

    def draw_bands(self, series: Sequence[Series], x: Axis, y: Axis) -> str:
        """Lines with a band around each, for values at every ply."""
        places = [place for one in series for place in one.at]
        frame = self._open(series, x, y, (min(places), max(places)))
        for one in series:
            if one.low:
                colour = self.paints.variable(one.style.strong)
                around = [*frame.trace(one.at, one.high), *frame.trace(one.at, one.low)[::-1]]
                shape = element("path", d=f"{_path(around)}z", fill=colour, fill_opacity="0.18")
                frame.shapes.append(shape)
            self._draw_line(frame, one, one.at)
        return _close(frame)

    def draw_steps(self, series: Sequence[Series], x: Axis, y: Axis, width: float) -> str:
        """Distributions as outlines over bins of one width."""
        places = [place for one in series for place in one.at]
        most = max(value for one in series for value in one.values)
        y = replace(y, limits=y.limits or (0.0, 1.06 * most))
        frame = self._open(series, x, y, (min(places) - width / 2, max(places) + width / 2))
        for one in series:
            colour = self.paints.variable(one.style.strong)
            outline: list[Point] = [(one.at[0] - width / 2, 0.0)]
            for place, value in zip(one.at, one.values, strict=True):
                outline += [(place - width / 2, value), (place + width / 2, value)]
            outline.append((one.at[-1] + width / 2, 0.0))
            path = _path(frame.trace(*zip(*outline, strict=True)))
            frame.shapes += [
                element("path", d=path, fill=colour, fill_opacity="0.1"),
                _stroke(path, colour, 1.8, one.style.dashes),
            ]
        return _close(frame)

    def draw_bars(
        self,
        rows: Sequence[tuple[str, float, float, float]],
        x: Axis,
        style: SeriesStyle = SERIES[0],
    ) -> str:
        """Rows with a value and its interval, from the top: name, value, low and high.

        A name stands above its bar: beside it, long ones would leave no room on a phone.
        """
        span = x.span([end for row in rows for end in row[1:]])
        scale = Scale(span, (END, WIDTH - END))
        bottom = ROW * len(rows)
        height = bottom + (2 if x.label else 1) * LINE + GAP
        frame = Frame(scale, Scale((0, 1), (bottom, 0)), height, [])
        for at, text in x.list_ticks(span):
            place = scale.place(at)
            kind = "base" if at == 0 else "rule"
            frame.shapes += [
                _line(place, place, 0, bottom, kind),
                _write(text, place, bottom + LINE - 2, "tick", "middle"),
            ]
        if x.label:
            frame.shapes.append(_write(x.label, WIDTH / 2, bottom + 2 * LINE, "label", "middle"))
        colour = self.paints.variable(style.strong)
        for number, (name, value, low, high) in enumerate(rows):
            middle = ROW * number + ROW - 10
            ends = [(scale.place(low), middle), (scale.place(high), middle)]
            frame.shapes += [
                _write(name, END, middle - 9, "name"),
                _stroke(_path(ends), colour, 2.4),
            ]
            self._draw_markers(frame.shapes, style, [(scale.place(value), middle)])
        return _close(frame)

    # What all plots are made of.

    def _open(
        self, series: Sequence[Series], x: Axis, y: Axis, along: tuple[float, float]
    ) -> Frame:
        """A frame with its words and lines, and the names of series above it."""
        up, along = y.span([end for one in series for end in one.ends]), x.limits or along
        names, lines = self._list_series(series) if len(series) > 1 else ([], 0)
        top = LINE * (lines + bool(y.label))
        y_ticks, x_ticks = y.list_ticks(up), x.list_ticks(along)
        left = max((_width(text) for _, text in y_ticks), default=0.0) + GAP
        right = WIDTH - END
        below = 1 + any(text.startswith("\n") for _, text in x_ticks) + bool(x.label)
        bottom = HEIGHT - below * LINE
        frame = Frame(Scale(along, (left, right)), Scale(up, (bottom, top + GAP)), HEIGHT, names)
        shapes = frame.shapes
        if y.label:
            shapes.append(_write(y.label, 0, top - 5, "label"))
        for at, text in y_ticks:
            place = frame.y.place(at)
            shapes += [
                _line(left, right, place, place, "rule"),
                _write(text, left - GAP, place + FONT / 3, "tick", "end"),
            ]
        for at, text in x_ticks:
            down = LINE * (1 + text.startswith("\n")) - 2
            shapes.append(_write(text.strip(), frame.x.place(at), bottom + down, "tick", "middle"))
        shapes.append(_line(left, right, bottom, bottom, "base"))
        if x.label:
            shapes.append(_write(x.label, (left + right) / 2, HEIGHT - 4, "label", "middle"))
        return frame

    def _list_series(self, series: Sequence[Series]) -> tuple[list[str], int]:
        """The names of series with what they are drawn like, and how many lines they fill."""
        shapes: list[str] = []
        left, lines = 0.0, 1
        for one in series:
            width = SAMPLE + GAP + _width(one.name)
            if left and left + width > WIDTH:
                left, lines = 0.0, lines + 1
            middle = lines * LINE - 9
            ends = [(left, middle), (left + SAMPLE, middle)]
            shapes += self._draw_stroke(_path(ends), one.style)
            self._draw_markers(shapes, one.style, [(left + SAMPLE / 2, middle)])
            shapes.append(_write(one.name, left + SAMPLE + GAP, middle + FONT / 3, "name"))
            left += width + 2 * GAP
        return shapes, lines

    def _draw_line(self, frame: Frame, one: Series, at: Sequence[float]) -> None:
        frame.shapes += self._draw_stroke(_path(frame.trace(at, one.values)), one.style)

    def _draw_stroke(self, path: str, style: SeriesStyle) -> list[str]:
        """A line in the colours of its body within a casing of its rim."""
        rim, body = self.paints.variable(style.rim), self.paints.variable(style.body)
        if rim == body:
            return [_stroke(path, body, 1.8, style.dashes)]
        return [_stroke(path, rim, 3.4), _stroke(path, body, 1.8)]

    def _draw_whiskers(self, frame: Frame, one: Series, at: Sequence[float]) -> None:
        if one.low:
            ends = zip(frame.trace(at, one.low), frame.trace(at, one.high), strict=True)
            path = "".join(_path(whisker) for whisker in ends)
            frame.shapes.append(_stroke(path, self.paints.variable(one.style.strong), 1.5))

    def _draw_markers(self, shapes: list[str], style: SeriesStyle, places: Sequence[Point]) -> None:
        path = "".join(f"M{_place(place)}{MARKERS[style.marker]}" for place in places)
        rim, body = self.paints.variable(style.rim), self.paints.variable(style.body)
        shapes.append(element("path", d=path, fill=body, stroke=rim, stroke_width="1.3"))


def _close(frame: Frame) -> str:
    """The picture; whoever shows it says what it is."""
    drawn = "\n".join(frame.shapes)
    box = f"0 0 {WIDTH:g} {frame.height:g}"
    return element(
        "svg", "\n", drawn, "\n", viewBox=box, aria_hidden="true", stroke_linejoin="round"
    )


def _number(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _place(place: Point) -> str:
    return f"{_number(place[0])} {_number(place[1])}"


def _path(places: Sequence[Point]) -> str:
    """Straight strokes through places, as path data."""
    return "M" + "L".join(map(_place, places))


def _stroke(path: str, colour: str, width: float, dashes: str = "") -> str:
    return element(
        "path", d=path, fill="none", stroke=colour, stroke_width=f"{width:g}",
        stroke_dasharray=dashes or None,
    )  # fmt: skip


def _line(left: float, right: float, top: float, bottom: float, kind: str) -> str:
    """A line of the frame, which the style sheet paints."""
    return element("path", class_=kind, d=_path([(left, top), (right, bottom)]))


def _write(text: str, x: float, y: float, kind: str, anchor: str | None = None) -> str:
    return element(
        "text", escape(text), class_=kind, x=_number(x), y=_number(y), text_anchor=anchor
    )


def _width(text: str) -> float:
    """How wide a text is at most, whatever the font."""
    return LETTER * len(text)
