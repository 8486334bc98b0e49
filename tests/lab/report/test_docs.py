"""The reports of the package: of all games, readable, and summed up in the docs."""

from itertools import chain
from pathlib import Path

import pytest

import skerry
from skerry.core.errors import OptionsError
from skerry.lab.report.result.findings import read_report
from skerry.lab.report.result.words import summarise
from skerry.lab.report.shipped import list_shipped, load_shipped
from support.measured import measure_small
from support.scripts import load_script

reports = load_script("reports")
FOUND = sorted(reports.FOLDER.glob("*.json"))


def test_every_game_is_measured_at_its_default_board_and_two_others() -> None:
    boards = reports.boards().values()
    for name in skerry.GAMES:
        games = [skerry.make(game, **options) for game, options, _ in boards if game == name]
        assert len(set(games)) == 3
        assert skerry.make(name) in games


def test_the_tables_tell_of_all_reports() -> None:
    text = reports.SUMMARY.read_text("utf-8")
    for name, rows in reports.tables().items():
        assert f"<!-- table: {name} -->\n{rows}\n" in text, "run: python tools/reports.py --table"
    assert [path.stem for path in FOUND] == sorted(reports.boards())


def test_reports_are_listed_by_game_and_found_by_name() -> None:
    listed = list_shipped()
    assert list(listed) == list(skerry.GAMES)
    assert listed["x"] == ("x-8", "x-10", "x-12")
    assert sorted(chain(*listed.values())) == [path.stem for path in FOUND]
    assert load_shipped("skirt-6").options == {"side": 6}
    for name in ("skirt-66", "../skirt-6", ""):
        with pytest.raises(OptionsError, match="there is no report"):
            load_shipped(name)


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_reports_are_of_what_their_names_say(path: Path) -> None:
    name, options, budget = reports.boards()[path.stem]
    report = read_report(path)
    assert skerry.make(report.game, **report.options) == skerry.make(name, **options)
    assert report.seed == reports.SEED
    assert report.budget.replace(" ", "") == budget
    assert report.summary == summarise(report), "run: python tools/reports.py --table"


def test_a_row_says_who_is_favoured_and_how_sure_that_is() -> None:
    row = reports.describe("skirt-3", measure_small("skirt"))
    assert row[0] == f"[Skirt 3]({reports.LINK}/skirt-3.json)"
    assert row[1].startswith(("White ", "Black "))
    assert " % ± " in row[1]
    assert len(row) == len(reports.HEAD.split(" | "))
