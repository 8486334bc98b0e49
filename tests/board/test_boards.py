"""Boards of every shape and size: names, neighbours, lines, symmetries and rows of text."""

import numpy as np
import pytest

from skerry.board import OFF_BOARD, Board, hexagon, rhombus, square
from skerry.board.shapes import hexagon_sides
from skerry.core.errors import InvalidMove, PositionError

BOARDS = [
    *(pytest.param(hexagon(side), id=f"hexagon-{side}") for side in range(1, 13)),
    *(pytest.param(rhombus(size), id=f"rhombus-{size}") for size in range(2, 20)),
    *(
        pytest.param(square(w, h), id=f"square-{w}x{h}")
        for w, h in [(2, 4), (3, 5), (8, 8), (12, 16)]
    ),
]


def names(board: Board, cells: "list[int]") -> list[str]:
    return sorted(board.names[cell] for cell in cells)


@pytest.mark.parametrize("board", BOARDS)
def test_neighbours_are_mutual_and_opposite(board: Board) -> None:
    opposite = [board.steps.index((-dx, -dy)) for dx, dy in board.steps]
    for cell in range(len(board)):
        for direction, other in enumerate(board.neighbours[cell].tolist()):
            if other != OFF_BOARD:
                assert board.neighbours[other, opposite[direction]] == cell


@pytest.mark.parametrize("board", BOARDS)
def test_names_are_unique_and_lead_back(board: Board) -> None:
    assert [board.cell(name) for name in board.names] == list(range(len(board)))
    assert sum(len(row) for row in board.rows) == len(board)


@pytest.mark.parametrize("board", BOARDS)
def test_symmetries_keep_neighbours_and_form_a_group(board: Board) -> None:
    images = {symmetry.cells.tobytes() for symmetry in board.symmetries}
    if len(board) > 1:
        assert len(images) == len(board.symmetries)
    assert board.symmetries[0].cells.tolist() == list(range(len(board)))
    for symmetry in board.symmetries:
        cells, directions = symmetry.cells, symmetry.directions
        assert sorted(cells.tolist()) == list(range(len(board)))
        moved = board.neighbours[cells][:, directions]
        expected = np.where(board.neighbours == OFF_BOARD, OFF_BOARD, cells[board.neighbours])
        assert np.array_equal(moved, expected)
        for other in board.symmetries:
            assert cells[other.cells].tobytes() in images


@pytest.mark.parametrize("board", BOARDS)
def test_rays_run_straight_to_the_edge(board: Board) -> None:
    for cell in range(len(board)):
        x, y = board.points[cell]
        for direction, (dx, dy) in enumerate(board.steps):
            ray = list(board.ray(cell, direction))
            assert [board.points[c] for c in ray] == [
                (x + k * dx, y + k * dy) for k in range(1, len(ray) + 1)
            ]


@pytest.mark.clause("skew.1", "skirt.1")
def test_hexagon_of_side_5() -> None:
    board = hexagon(5)
    assert len(board) == 61
    assert [len(row) for row in board.rows] == [5, 6, 7, 8, 9, 8, 7, 6, 5]
    assert [board.names[row.start] for row in board.rows] == [
        f"{letter}1" for letter in "abcdefghi"
    ]
    assert board.names[len(board) // 2] == "e5"
    assert board.direction_names == ("e", "ne", "nw", "w", "sw", "se")
    around = [board.names[cell] for cell in board.neighbours[board.cell("e5")]]
    assert around == ["e6", "f5", "f4", "e4", "d4", "d5"]
    assert names(board, board.adjacent(board.cell("a1"))) == ["a2", "b1", "b2"]


@pytest.mark.clause("skirt.1")
def test_sides_of_a_hexagon_share_their_corners() -> None:
    board = hexagon(3)
    sides = [{board.names[cell] for cell in side} for side in hexagon_sides(board)]
    assert sides[0] == {"a1", "a2", "a3"}
    assert sides[3] == {"e1", "e2", "e3"}
    corners = [sides[k] & sides[(k + 1) % 6] for k in range(6)]
    assert corners == [{"a3"}, {"c5"}, {"e3"}, {"e1"}, {"c1"}, {"a1"}]


@pytest.mark.clause("x.1")
def test_rhombus_of_size_10() -> None:
    board = rhombus(10)
    corners = {"a1": 2, "j1": 3, "j10": 2, "a10": 3}
    assert {name: len(board.adjacent(board.cell(name))) for name in corners} == corners
    left, top, right, bottom = (board.drawn_at[board.cell(name)] for name in corners)
    assert left[0] < top[0] == bottom[0] < right[0]
    assert bottom[1] < left[1] == right[1] < top[1]
    assert right[0] - left[0] > top[1] - bottom[1], "the diamond is wide"
    assert names(board, board.adjacent(board.cell("d4"))) == ["c4", "c5", "d3", "d5", "e3", "e4"]


@pytest.mark.clause("skaane.1")
def test_square_has_chess_names() -> None:
    board = square(8, 8)
    assert (board.names[0], board.names[7], board.names[-1]) == ("a1", "h1", "h8")
    b2 = board.neighbours[board.cell("b2")]
    around = dict(zip(board.direction_names, (board.names[c] for c in b2), strict=True))
    assert around == {
        "n": "b3", "s": "b1", "e": "c2", "w": "a2", "ne": "c3", "sw": "a1", "nw": "a3", "se": "c1",
    }  # fmt: skip


def test_rows_of_text_round_trip() -> None:
    board = hexagon(2)
    cells = board.read_rows("w1/.b./2", "wb")
    assert cells == [".", ".", ".", "b", ".", "w", "."]
    assert board.write_rows(cells) == "w1/1b1/2"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("2/3", "3 rows are needed, 2 are given"),
        ("2/4/2", "a run of 4 empty cells does not fit"),
        ("2/2/2", "row 2 from the top has 2 cells, not 3"),
        ("2/1q1/2", "'q' means nothing here"),
        ("2/3/99999999999999999999", "does not fit"),
        ("2/3/²", "means nothing here"),
    ],
)
def test_damaged_rows_are_named(text: str, complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint):
        hexagon(2).read_rows(text, "wb")


def test_unknown_cells_are_named() -> None:
    with pytest.raises(InvalidMove, match="'z9' is no cell of this board: cells run from a1 to c2"):
        hexagon(2).cell("z9")
