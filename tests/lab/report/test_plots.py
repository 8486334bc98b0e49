"""Plots: values lie where they belong, and everything that is written has room."""

import re
from itertools import chain
from xml.etree import ElementTree

import pytest

from skerry.lab.report.page.axes import Axis, Scale, choose_ticks
from skerry.lab.report.page.paints import Paints
from skerry.lab.report.page.plots import HEIGHT, WIDTH, Plotter
from skerry.lab.report.page.series import SERIES, Series

LEVELS = Axis("levels", [(0.0, "random"), (1.0, "1"), (2.0, "2")])
SHARES = Axis("won", percent=True, limits=(0.0, 1.0))
SOME = Series("White", SERIES[0], [0, 1, 2], [0.25, 0.5, 0.75], [0.2, 0.4, 0.6], [0.3, 0.6, 0.9])


@pytest.fixture
def plotter() -> Plotter:
    return Plotter(Paints())


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314  our own drawing


def texts(svg: str) -> dict[str, tuple[float, float]]:
    """What is written, and where."""
    found = read(svg).iter("text")
    return {each.text or "": (float(each.get("x", 0)), float(each.get("y", 0))) for each in found}


def places(path: str) -> list[tuple[float, float]]:
    numbers = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)
    return [(float(x), float(y)) for x, y in numbers]


def lines(svg: str, kind: str) -> list[list[tuple[float, float]]]:
    return [
        places(each.get("d", "")) for each in read(svg).iter("path") if each.get("class") == kind
    ]


def markers(svg: str) -> list[tuple[float, float]]:
    """Where the values of the last series are."""
    *_, last = (each for each in read(svg).iter("path") if each.get("stroke-width") == "1.3")
    return places(last.get("d", ""))


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.43, 0.58, [0.45, 0.5, 0.55]),
        (-0.07, 0.07, [-0.05, 0.0, 0.05]),
        (28, 212, [50, 100, 150, 200]),
    ],
)
def test_ticks_are_round_numbers_within_the_ends(
    low: float, high: float, ticks: list[float]
) -> None:
    assert choose_ticks(low, high) == pytest.approx(ticks)


def test_what_is_counted_has_no_halves() -> None:
    assert choose_ticks(0.2, 2.3, whole=True) == [1, 2]


def test_numbers_are_written_as_what_they_are() -> None:
    assert Axis(percent=True).write(0.55) == "55 %"
    assert Axis(percent=True, signed=True).write(0.055) == "+5.5"
    assert Axis(signed=True).write(0.0) == "0"
    assert Axis(signed=True).write(-3.0) == "\N{MINUS SIGN}3"
    assert Axis().write(150.0) == "150"


def test_a_scale_of_one_value_is_a_place() -> None:
    assert Scale((3.0, 3.0), (10.0, 90.0)).place(3.0) == 10.0
    low, high = Axis().span([7.0, 7.0])
    assert low < 7.0 < high


def test_values_and_their_intervals_lie_on_one_scale(plotter: Plotter) -> None:
    svg = plotter.draw_intervals([SOME], LEVELS, SHARES, even=0.5)
    found = markers(svg)
    heights = [y for _, y in found]
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], abs=0.2)
    ((_, even), _) = lines(svg, "level")[0]
    assert heights[1] == pytest.approx(even)
    assert [x for x, _ in found] == pytest.approx(
        [texts(svg)[name][0] for name in ("random", "1", "2")], abs=0.1
    )
    for (_, y), name in zip(lines(svg, "rule")[0], ("0 %", "0 %"), strict=True):
        assert y == pytest.approx(texts(svg)[name][1] - 4)


def test_everything_is_within_the_picture(plotter: Plotter) -> None:
    other = Series("Black", SERIES[1], [0, 1, 2], [0.1, 0.2, 0.3], [0, 0.1, 0.2], [0.2, 0.3, 1.0])
    drawn = [
        plotter.draw_intervals([SOME, other], LEVELS, SHARES, even=0.5, poles=("up", "down")),
        plotter.draw_bands([SOME, other], Axis("ply"), Axis("choices")),
        plotter.draw_steps([SOME, other], Axis("plies"), Axis(percent=True), 1.0),
    ]
    for svg in drawn:
        found = [*texts(svg).values(), *chain(*lines(svg, "rule"))]
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in found)
        assert {"White", "Black"} <= set(texts(svg))


def test_names_of_series_go_on_in_a_second_line(plotter: Plotter) -> None:
    many = [Series(f"a rather long name {n}", SERIES[n], [0, 1], [1, 2]) for n in range(3)]
    found = texts(plotter.draw_bands(many, Axis(), Axis()))
    first, second, third = (found[one.name] for one in many)
    assert first[0] == second[0] == third[0]
    assert first[1] < second[1] < third[1]


def test_steps_show_shares_from_nothing(plotter: Plotter) -> None:
    counted = Series("games", SERIES[0], [30.5, 32.5], [0.25, 0.75])
    svg = plotter.draw_steps([counted], Axis("plies"), Axis(percent=True), 2.0)
    (outline,) = (places(e.get("d", "")) for e in read(svg).iter("path") if e.get("stroke-width"))
    ((_, base), _) = lines(svg, "base")[0]
    heights = [base - y for _, y in outline]
    assert heights[0] == heights[-1] == 0
    assert heights[3] == pytest.approx(3 * heights[1], rel=0.01)


def test_rows_have_their_names_above_their_bars(plotter: Plotter) -> None:
    rows = [("one & only", 0.02, -0.01, 0.05), ("another", -0.03, -0.05, -0.01)]
    axis = Axis("points", percent=True, signed=True, limits=(-0.06, 0.06))
    svg = plotter.draw_bars(rows, axis)
    ((zero, _), _) = lines(svg, "base")[0]
    ((value, _),) = markers(svg)  # of the last row, which is below nothing
    assert value < zero
    assert texts(svg)["one & only"][1] < texts(svg)["another"][1]
