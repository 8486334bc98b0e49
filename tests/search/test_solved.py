"""The table of solved boards says what the solver says: its quick rows are solved again."""

import re
from pathlib import Path

import pytest

import skerry
from skerry.lab.solved import SolvedBoard, list_solved, mark_optimal, read_solved, write_solved
from support.scripts import load_script

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "lab" / "solved.md").read_text(encoding="utf-8")
PUBLISHED = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in re.search(r"<!-- table: solved -->\n((?:\|.*\n)+)", PAGE)[1].splitlines()[2:]
]
QUICK = 60_000  # nodes
solved = load_script("solved")


def name_board(board: SolvedBoard) -> str:
    return f"{board.game} {board.name()}"


def test_every_row_of_the_script_is_kept() -> None:
    assert [board.row for board in list_solved()] == solved.ROWS


def test_the_page_has_what_is_kept() -> None:
    assert list(map(solved.describe, list_solved())) == PUBLISHED


def test_the_page_says_which_rows_are_solved_again() -> None:
    assert f"up to {QUICK:,} nodes" in PAGE


@pytest.mark.parametrize(
    "board", [board for board in list_solved() if board.nodes <= QUICK], ids=name_board
)
def test_quick_rows_are_true(board: SolvedBoard) -> None:
    """All but the seconds; the nodes too, since the search leaves nothing to chance."""
    found = skerry.solve(board.start(), entries=board.entries)
    assert found.returns == board.returns
    assert found.forceable == board.forceable
    assert tuple(map(str, found.optimal_moves)) == board.optimal
    assert len(board.start().legal_moves()) == board.moves
    assert found.nodes == board.nodes


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "solved.json"
    write_solved(list_solved()[:3], file)
    assert read_solved(file) == list_solved()[:3]


def test_best_first_moves_are_marked() -> None:
    board = next(board for board in list_solved() if board.row == ("x", {"size": 3}, None))
    state = board.start()
    marked = {mark.cell for mark in mark_optimal(board, state).marks}
    assert {state.game.board.names[cell] for cell in marked} == set(board.optimal)
    deal = next(board for board in list_solved() if board.optimal == ("a2xb3",))
    arrows = mark_optimal(deal, deal.start()).arrows
    cells = deal.start().game.board.index
    assert [(arrow.cell, arrow.to) for arrow in arrows] == [(cells["a2"], cells["b3"])]


def test_rows_are_chosen_by_words() -> None:
    chosen = [row for row in solved.ROWS if solved.is_chosen(row, ["skew", "side=4"])]
    assert chosen
    assert all(name == "skew" and options["side"] == 4 for name, options, _ in chosen)
    assert all(solved.is_chosen(row, ["all"]) for row in solved.ROWS)
    assert not any(solved.is_chosen(row, []) for row in solved.ROWS)
    with pytest.raises(SystemExit, match="no board has all of chess"):
        solved.main(["chess"])
