"""The page of a report: whole, escaped, small, and true to its figures."""

import json
import re
import sys
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path

import pytest

import skerry
from skerry.lab.report.page import html
from skerry.lab.report.page.paints import Paints, Pair
from skerry.lab.report.page.replays import list_turns, shorten_frames
from skerry.lab.report.page.series import SERIES, seat_style
from skerry.lab.report.result.compare import compare
from skerry.lab.report.result.findings import Report, Swap
from skerry.lab.report.shipped import load_shipped
from skerry.lab.stats.figures import Figure
from skerry.records import Record, read
from skerry.render.frames import draw_frames
from support.eyes import LEAST_MARK, LEAST_TEXT, SIGHTS, contrast
from support.measured import measure_small
from support.repeating import some_of

VOID = {"meta", "link", "input", "br", "hr", "img"}
MOST = 1_500_000  # bytes
EVIL = '<script>alert("1")</script> & co'


class Reader(HTMLParser):
    """Reads a page strictly: what is opened is closed, ids are there once, links lead somewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.addresses: list[str] = []
        self.scripts = 0
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self._look(tag, dict(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._look(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def _look(self, tag: str, found: dict[str, str | None]) -> None:
        self.scripts += tag == "script"
        if found.get("id"):
            self.ids.append(found["id"] or "")
        for name in ("href", "xlink:href", "src", "srcset", "action", "data", "poster"):
            target = found.get(name) or ""
            (self.links if target.startswith("#") else self.addresses).append(target)
        for value in found.values():
            self.links += re.findall(r"url\((#[^)]*)\)", value or "")


def figures_of(value: object) -> list[Figure]:
    """All figures of a report, however deep."""
    if isinstance(value, Figure):
        return [value]
    if isinstance(value, tuple):
        return [figure for part in value for figure in figures_of(part)]
    return figures_of(tuple(vars(value).values())) if hasattr(value, "__dict__") else []


@cache
def draw_page(name: str) -> str:
    """The page of the small report of a game; most tests look at the same one."""
    return html.show_report(measure_small(name))


@pytest.fixture(params=some_of(skerry.GAMES, ["x"]))
def report(request: pytest.FixtureRequest) -> Report:
    return measure_small(request.param)


class TestPage:
    def test_it_is_well_formed_and_needs_nothing_else(self, report: Report) -> None:
        text = draw_page(report.game)
        found = Reader(text)
        assert len(found.ids) == len(set(found.ids))
        assert {link.removeprefix("#") for link in found.links} <= set(found.ids)
        assert set(found.addresses) == {""}
        style = text[text.index("<style>") : text.index("</style>")]
        assert "url(" not in style
        assert "@import" not in style
        assert len(text.encode()) < MOST

    def test_it_has_every_section(self, report: Report) -> None:
        text = draw_page(report.game)
        for id, title in html.SECTIONS:
            told = id != "drama" or report.drama is not None  # there may have been draws only
            assert (f'<section id="{id}"><h2>{title}</h2>' in text) == told
            assert (f'<a href="#{id}">{title}</a>' in text) == told
        for sentence in report.summary:
            assert str(html.environment.filters["player"](sentence)) in text.replace("&#39;", "'")

    def test_it_shows_the_figures_with_their_intervals(self, report: Report) -> None:
        text = draw_page(report.game)
        for strength in report.strengths:
            for figure in (*strength.won, strength.draws):
                low, high = 100 * figure.low, 100 * figure.high
                assert f"{100 * figure.value:.1f} % <small>{low:.1f} to {high:.1f}</small>" in text
        for opening in report.openings.moves:
            assert f'<th scope="row">{opening.move}</th>' in text
        for happening in report.happenings:
            assert happening.clause in text

    def test_the_same_report_is_the_same_page(self, report: Report) -> None:
        assert html.show_report(report) == draw_page(report.game)

    def test_every_variable_is_defined_by_day_and_by_night(self, report: Report) -> None:
        text = draw_page(report.game)
        used = set(re.findall(r"var\((--c\d+)\)", text))
        style = text[text.index("<style>") : text.index("</style>")]
        for name in used:
            assert style.count(f"{name}:") == 2

    def test_plots_say_what_they_show(self, report: Report) -> None:
        text = draw_page(report.game)
        labels = re.findall(r'<div class="plot" role="img" aria-label="([^"]*)"', text)
        assert len(labels) >= 4
        won = report.strengths[0].won[0]
        assert f"{report.strengths[0].player} {100 * won.value:.1f} %" in labels[0]


def test_options_titles_and_words_are_escaped() -> None:
    report = measure_small("skirt")
    evil = replace(
        report,
        title=EVIL,
        budget=EVIL,
        version=EVIL,
        summary=(EVIL, EVIL),
        samples=tuple(replace(sample, title=EVIL) for sample in report.samples),
        happenings=tuple(replace(happening, text=EVIL) for happening in report.happenings),
    )
    text = html.show_report(evil)
    assert EVIL not in text
    assert Reader(text).scripts == Reader(draw_page(report.game)).scripts


def test_a_report_of_nothing_is_a_page() -> None:
    """Whoever stops at once gets a page that says so."""
    report = measure_small("skirt")
    empty = replace(
        report,
        strengths=(),
        skill=(),
        drama=None,
        openings=replace(report.openings, moves=(), fairest=()),
        board_use=replace(report.board_use, moves=((0.0,) * 19,) * 2, counts=((0.0,) * 19,) * 2),
        facts=(),
        samples=(),
        summary=("Too few games were played to say anything.",),
    )
    text = html.show_report(empty)
    Reader(text)
    assert "Too few games were played" in text
    assert 'id="seats"' not in text
    assert "There is no opening map" in text


def test_a_swap_rule_is_told() -> None:
    figure = Figure(0.481, 0.41, 0.56, 90)
    report = replace(
        measure_small("skirt"),
        swap=Swap("level:4", 90, figure, (figure, Figure(0.519, 0.44, 0.59, 90))),
    )
    text = html.show_report(report)
    assert "90 games of level 4 in which the second player may take over" in text
    assert "<dt>Whoever chooses wins</dt><dd>51.9 %<small>44.0 to 59.0</small>" in text


class TestComparison:
    def test_it_tells_all_differences(self) -> None:
        report = measure_small("skirt")
        better = tuple(
            replace(told, won=(Figure(0.9, 0.85, 0.95, 99), Figure(0.1, 0.05, 0.15, 99)))
            for told in report.strengths
        )
        found = compare(report, replace(report, options={"side": 4}, strengths=better))
        text = html.show_comparison(found)
        seen = Reader(text)
        assert set(seen.addresses) == {""}
        assert "side=4 beside side=3" in text
        assert text.count('<tr class="fair">') == sum(each.clear for each in found.differences) > 0
        assert text.count('<th scope="row">') == len(found.differences)
        assert "Won by White" in text

    def test_three_seats_share_a_plot(self) -> None:
        report = measure_small("x")
        text = html.show_comparison(compare(report, replace(report, options={"size": 5})))
        assert "Won by Red, Yellow, Green" in text

    def test_a_comparison_of_nothing_is_a_page(self) -> None:
        found = compare(measure_small("skirt"), measure_small("skirt"))
        Reader(html.show_comparison(replace(found, differences=())))


def test_pages_are_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    html.write_page(measure_small("skirt"), path)
    assert path.read_text("utf-8") == draw_page("skirt")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_matplotlib_is_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # so imports of it fail
    path = tmp_path / "report.html"
    html.write_page(measure_small("skirt"), path)
    assert path.read_text("utf-8") == draw_page("skirt")


class TestReplay:
    def test_boards_come_back_from_what_changes(self, report: Report) -> None:
        """A second reading of the edits, as the script does it, gives the very pictures."""
        record = read(report.samples[0].record)
        frames = draw_frames(record.start, record.moves())
        shortened = json.loads(json.dumps(shorten_frames(frames)))
        parts: list[str] = []
        for frame, edits in zip(frames, shortened["edits"], strict=True):
            for at, gone, fresh in edits:
                parts[at : at + gone] = [shortened["parts"][number] for number in fresh]
            assert "".join(parts) == frame

    @pytest.mark.parametrize("name", ["skew-5", "x-10"])
    def test_what_changes_is_a_fraction_of_all(self, name: str) -> None:
        record = read(load_shipped(name).samples[0].record)
        frames = draw_frames(record.start, record.moves())
        assert len(json.dumps(shorten_frames(frames))) < sum(map(len, frames)) / 3

    def test_actions_of_one_turn_are_one(self) -> None:
        game = skerry.make("skirt", side=3)
        record = Record.from_moves(game, moves=["a2", "c5-c4", "a1-c3", "d4-d2"])
        assert [(turn.seat, turn.text, turn.ply) for turn in list_turns(record)] == [
            ("White", "a2", 1),
            ("Black", "c5-c4", 3),
            ("White", "a1-c3", 5),
            ("Black", "d4-d2", 7),
        ]

    def test_everything_can_be_read_without_a_script(self, report: Report) -> None:
        text = draw_page(report.game)
        for sample in report.samples:
            outcome = read(sample.record).states()[-1].outcome
            assert outcome is not None
            assert f">{outcome.reason}</p>" in text.replace("&#39;", "'")
        assert text.count('<div class="steps" hidden>') == len(report.samples)


class TestPaints:
    def test_themes_are_laid_one_upon_the_other(self) -> None:
        """What a browser would make of the variables is each theme's own picture."""
        for name in skerry.GAMES:
            state = skerry.make(name).initial()
            light, dark = state.svg("light"), state.svg("dark")
            paints = Paints()
            blended = paints.blend(light, dark)
            for theme, drawn in (("light", light), ("dark", dark)):
                values = dict(re.findall(r"(--c\d+):(#[0-9a-f]{6});", paints.rules(theme)))
                plain = re.sub(r"var\((--c\d+)\)", lambda m, v=values: v[m.group(1)], blended)
                assert paint_list(plain) == paint_list(drawn)

    def test_a_pair_has_one_name(self) -> None:
        paints = Paints()
        pair = Pair("#112233", "#ddeeff")
        assert paints.variable(pair) == paints.variable(Pair("#112233", "#ddeeff")) == "var(--c1)"
        assert paints.variable(Pair("#112233", "#eeeeff")) == "var(--c2)"


def paint_list(svg: str) -> list[dict[str, str]]:
    """What every element is painted with."""
    found = []
    for tag in re.findall(r"<[a-zA-Z][^>]*>", svg):
        colours = re.findall(r' (fill|stroke|stop-color)="(#[0-9a-f]{6})"', tag)
        found.append(dict(colours))
    return found


def page_colour(name: str, theme: str) -> str:
    """A colour of the page, which plots lie on and are written in."""
    style = (html.HERE / "templates" / "alone.css").read_text("utf-8")
    day, night = re.findall(rf"--{name}: (#\w{{6}})", style)
    return day if theme == "light" else night


@pytest.mark.parametrize("theme", ["light", "dark"])
class TestColours:
    def test_text_is_legible(self, theme: str) -> None:
        for name in ("ink", "soft"):
            assert contrast(page_colour(name, theme), page_colour("panel", theme)) >= LEAST_TEXT

    @pytest.mark.parametrize("sight", ["full", "greyscale", *SIGHTS])
    def test_series_stand_out_and_differ_in_brightness(self, theme: str, sight: str) -> None:
        colours = [getattr(look.strong, theme) for look in SERIES]
        for colour in colours:
            assert contrast(colour, page_colour("panel", theme), sight) >= LEAST_MARK
        for one, other in combinations(colours, 2):
            assert contrast(one, other, sight) >= 1.5

    @pytest.mark.parametrize("name", skerry.GAMES)
    @pytest.mark.parametrize("sight", ["full", "greyscale", *SIGHTS])
    def test_seats_stand_out(self, theme: str, sight: str, name: str) -> None:
        seats = skerry.games.kind(name).seats
        for seat in range(len(seats)):
            colour = getattr(seat_style(seat, seats).strong, theme)
            assert contrast(colour, page_colour("panel", theme), sight) >= LEAST_MARK


def test_no_two_series_share_a_shape() -> None:
    seats = [seat_style(seat, ("Red", "Yellow", "Green")) for seat in range(3)]
    for looks in (SERIES, seats):
        assert len({look.marker for look in looks}) == len(looks)
        assert len({look.dashes for look in looks}) == len(looks)
