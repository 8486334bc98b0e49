"""The reports of the docs: there as pages and as JSON, and summed up in a table."""

from pathlib import Path

import pytest

import skerry
from skerry.lab.report.result.findings import read_report
from skerry.lab.stats.figures import Figure
from support.measured import measure_small
from support.scripts import load_script

MOST = 1_500_000  # bytes of a page

reports = load_script("reports")
FOUND = sorted(reports.FOLDER.glob("*.json"))


def test_every_game_is_measured_at_its_default_board_and_two_others() -> None:
    boards = reports.boards().values()
    for name in skerry.GAMES:
        games = [skerry.make(game, **options) for game, options, _ in boards if game == name]
        assert len(set(games)) == 3
        assert skerry.make(name) in games


def test_the_tables_tell_of_all_reports() -> None:
    text = (reports.FOLDER / "README.md").read_text("utf-8")
    for name, rows in reports.tables().items():
        assert f"<!-- table: {name} -->\n{rows}\n" in text, "run: python tools/reports.py --table"
    assert [path.stem for path in FOUND] == sorted(reports.boards())


def test_figures_are_pooled_by_games() -> None:
    value, margin = reports.pool([Figure(0.5, 0.4, 0.6, 100), Figure(0.8, 0.7, 0.9, 300)])
    assert value == pytest.approx(0.725)
    assert margin == pytest.approx((0.1**2 * (100**2 + 300**2)) ** 0.5 / 400)


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_reports_are_of_what_their_names_say(path: Path) -> None:
    name, options, budget = reports.boards()[path.stem]
    report = read_report(path)
    assert skerry.make(report.game, **report.options) == skerry.make(name, **options)
    assert report.seed == reports.SEED
    assert report.budget.replace(" ", "") == budget
    page = path.with_suffix(".html").read_text("utf-8")
    assert len(page.encode()) < MOST
    assert f"<h1>{report.title} <small>" in page
    assert f"<dd>{report.games:,} in all</dd>" in page


def test_a_row_says_who_is_favoured_and_how_sure_that_is() -> None:
    row = reports.describe("skirt-3", measure_small("skirt"))
    assert row[0] == "[Skirt 3](skirt-3.html)"
    assert row[1].startswith(("White ", "Black "))
    assert " % ± " in row[1]
    assert len(row) == len(reports.HEAD.split(" | "))
