"""The plots of a comparison: differences by strength, and all others in rows."""

from collections.abc import Sequence

from skerry.games import kind
from skerry.lab.report.page.axes import Axis
from skerry.lab.report.page.drawings import LEAST_REACH, Drawing, limit_around, make_series
from skerry.lab.report.page.plots import Plotter
from skerry.lab.report.page.series import SERIES, Series, SeriesStyle, seat_style
from skerry.lab.report.page.texts import say_change, say_player, say_tick
from skerry.lab.report.result.compare import POINTS
from skerry.lab.report.result.findings import Comparison, Difference

AT = " at "  # between what is measured and the strength of the players
FEW = 3  # strengths that make a course
Group = list[tuple[str, Difference]]  # strengths, and what differs there


def draw_differences(
    comparison: Comparison, names: tuple[str, str], plotter: Plotter
) -> list[Drawing]:
    """All differences: those of seats together, and what two seats mirror only once."""
    label = f"{names[1]} less {names[0]}"
    courses, rest = _sort(comparison.differences)
    seats = kind(comparison.game).seats
    shown = [seat for seat in seats if seat in courses][: None if len(seats) > 2 else 1]
    drawings = []
    if shown:
        styles = {seat: seat_style(seats.index(seat), seats) for seat in shown}
        title = f"Won by {', '.join(shown)}"
        won = {seat: courses[seat] for seat in shown}
        drawings.append(_draw_courses(title, won, styles, label, plotter))
    for name, group in courses.items():
        if name not in seats and any(each.first.value or each.second.value for _, each in group):
            title, style = name[:1].upper() + name[1:], {name: SERIES[0]}
            drawings.append(_draw_courses(title, {name: group}, style, label, plotter))
    for unit in dict.fromkeys(each.unit for each in rest):
        rows = [each for each in rest if each.unit == unit]
        drawings.append(_draw_rows(rows, unit, label, plotter))
    return drawings


def _sort(differences: Sequence[Difference]) -> tuple[dict[str, Group], list[Difference]]:
    """What was measured at several strengths, by name; and everything else."""
    groups: dict[str, Group] = {}
    for each in differences:
        name, _, player = each.name.rpartition(AT)
        groups.setdefault(name, []).append((player, each))
    courses = {name: group for name, group in groups.items() if name and len(group) >= FEW}
    told = {id(each) for group in courses.values() for _, each in group}
    return courses, [each for each in differences if id(each) not in told]


def _draw_courses(
    title: str,
    courses: dict[str, Group],
    styles: dict[str, SeriesStyle],
    label: str,
    plotter: Plotter,
) -> Drawing:
    """Differences by strength."""
    players = list(dict.fromkeys(player for group in courses.values() for player, _ in group))
    unit = next(iter(courses.values()))[0][1].unit
    series: list[Series] = [
        make_series(
            name,
            styles[name],
            [float(players.index(player)) for player, _ in group],
            [each.difference for _, each in group],
        )
        for name, group in courses.items()
    ]
    svg = plotter.draw_intervals(
        series,
        Axis("level of all players", [(float(n), say_tick(p)) for n, p in enumerate(players)]),
        Axis(label, percent=unit == POINTS, signed=True, limits=limit_around(0.0, series)),
        even=0.0,
    )
    reading = (
        f"How much more there is of it in the second game, in {unit}. "
        "Where a whisker does not touch the dotted line, the difference is clear."
    )
    words = "; ".join(
        f"{name}: " + ", ".join(f"{say_player(p)} {say_change(each)}" for p, each in group)
        for name, group in courses.items()
    )
    return Drawing(title, reading, svg, words)


def _draw_rows(rows: Sequence[Difference], unit: str, label: str, plotter: Plotter) -> Drawing:
    """Differences of one unit, one below the other."""
    drawn = [
        (say_player(each.name), each.difference.value, each.difference.low, each.difference.high)
        for each in rows
    ]
    ends = [abs(end) for *_, low, high in drawn for end in (low, high)]
    reach = 1.08 * max(LEAST_REACH, *ends)
    svg = plotter.draw_bars(
        drawn, Axis(f"{label}, {unit}", percent=unit == POINTS, signed=True, limits=(-reach, reach))
    )
    reading = (
        f"How much more there is in the second game, in {unit}. "
        "Where a bar does not touch the line in the middle, the difference is clear."
    )
    words = ", ".join(f"{say_player(each.name)} {say_change(each)}" for each in rows)
    return Drawing(f"Other differences in {unit}", reading, svg, words)
