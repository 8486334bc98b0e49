"""docs/lab/solved.md says what the solver says: its quick rows are solved again."""

import re
from pathlib import Path

import pytest

from support.scripts import load_script

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "lab" / "solved.md").read_text(encoding="utf-8")
PUBLISHED = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in re.findall(r"^\|.*\|$", PAGE, re.MULTILINE)[2:]
]
QUICK = 60_000  # nodes
solved = load_script("solved")
BOARDS = {(row[0], solved.name_board(row)): row for row in solved.ROWS}


def nodes_of(cells: tuple[str, ...]) -> int:
    return int(cells[4].replace(",", ""))


def test_every_row_of_the_script_is_published() -> None:
    assert [(cells[0].lower(), cells[1]) for cells in PUBLISHED] == list(BOARDS)


def test_the_page_says_which_rows_are_solved_again() -> None:
    assert f"up to {QUICK:,} nodes" in PAGE


@pytest.mark.parametrize(
    "cells",
    [cells for cells in PUBLISHED if nodes_of(cells) <= QUICK],
    ids=lambda cells: f"{cells[0]} {cells[1]}",
)
def test_quick_rows_are_true(cells: tuple[str, ...]) -> None:
    """All but the seconds; the nodes too, since the search leaves nothing to chance."""
    assert tuple(solved.describe(BOARDS[cells[0].lower(), cells[1]]))[:-1] == cells[:-1]
