"""A rating over time, as a picture: the line of what it was, within the band of its interval."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from html import escape

from skerry.lab.report.page.axes import Scale, choose_ticks
from skerry.lab.stats.results import SURE
from skerry.render.markup import element
from skerry.server.db.durations import DAY
from skerry.server.ratings.ladder import RatingPoint

WIDTH, HEIGHT = 480.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 52.0, 14.0, 28.0
ROOM = 20.0  # points above and below all there is
# Days between what is written below, of which the first is taken that leaves room.
STEPS = (1, 2, 7, 14, 30, 91, 182, 365, 1826)
MOST_DATES = 4
COLOURS = {
    "light": {"ink": "#2a2620", "soft": "#5a5144", "rule": "#d9cfbb", "mark": "#8a1650"},
    "dark": {"ink": "#eceae4", "soft": "#b9bec6", "rule": "#3a3f48", "mark": "#ffd166"},
}


def draw_graph(points: Sequence[RatingPoint], theme: str, title: str) -> str:
    """A picture by itself; ``theme`` is light or dark, and ``title`` says what it shows."""
    colours = COLOURS[theme]
    shapes = [element("title", escape(title))]
    if points:
        shapes += _draw(points, colours)
    else:
        shapes.append(_write("No rated games yet", WIDTH / 2, HEIGHT / 2, colours["soft"]))
    return element(
        "svg", "\n", "\n".join(shapes), "\n",
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        width=f"{WIDTH:g}", height=f"{HEIGHT:g}", role="img",
        font_family="system-ui, sans-serif", font_size="14",
    )  # fmt: skip


def _draw(points: Sequence[RatingPoint], colours: dict[str, str]) -> list[str]:
    low = min(point.rating - SURE * point.deviation for point in points) - ROOM
    high = max(point.rating + SURE * point.deviation for point in points) + ROOM
    first, last = points[0].at, points[-1].at
    days = max(last - first, DAY)
    x = Scale((first, first + days), (LEFT, WIDTH - RIGHT))
    y = Scale((low, high), (HEIGHT - BOTTOM, TOP))
    shapes = []
    for tick in choose_ticks(low, high, whole=True):
        place = y.place(tick)
        shapes += [
            _stroke([(LEFT, place), (WIDTH - RIGHT, place)], colours["rule"], "1"),
            _write(f"{tick:g}", LEFT - 6, place + 4, colours["soft"], "end"),
        ]
    for at, text in _list_dates(first, first + days):
        shapes.append(_write(text, x.place(at), HEIGHT - 8, colours["soft"]))
    upper = [(x.place(p.at), y.place(p.rating + SURE * p.deviation)) for p in points]
    lower = [(x.place(p.at), y.place(p.rating - SURE * p.deviation)) for p in points]
    around = _path([*upper, *reversed(lower)]) + "z"
    line = [(x.place(p.at), y.place(p.rating)) for p in points]
    across, down = line[-1]
    rating = f"{points[-1].rating:.0f}"
    return [
        *shapes,
        element("path", d=around, fill=colours["mark"], fill_opacity="0.15"),
        _stroke(line, colours["mark"], "2"),
        element("circle", cx=f"{across:.1f}", cy=f"{down:.1f}", r="3.5", fill=colours["mark"]),
        element(
            "text", rating, x=f"{across + 8:.1f}", y=f"{down + 5:.1f}", fill=colours["ink"],
            font_weight="600",
        ),
    ]  # fmt: skip


def _list_dates(first: int, last: int) -> list[tuple[int, str]]:
    """Where days begin, a handful of them, and how they are written."""
    span = (last - first) / DAY
    step = next((step for step in STEPS if span / step <= MOST_DATES), STEPS[-1])
    day = datetime.fromtimestamp(first / 1000, UTC).date()
    found = []
    while (day := day + timedelta(days=1)) and _stamp(day) <= last:
        if day.toordinal() % step == 0:
            written = f"{day.day} {day:%b}" if step < 91 else f"{day:%b %Y}"
            found.append((_stamp(day), written))
    return found


def _stamp(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{across:.1f} {down:.1f}" for across, down in places)


def _stroke(places: Sequence[tuple[float, float]], colour: str, width: str) -> str:
    return element(
        "path", d=_path(places), fill="none", stroke=colour, stroke_width=width,
        stroke_linejoin="round",
    )  # fmt: skip


def _write(text: str, x: float, y: float, colour: str, anchor: str = "middle") -> str:
    return element(
        "text", escape(text), x=f"{x:.1f}", y=f"{y:.1f}", fill=colour, text_anchor=anchor
    )
