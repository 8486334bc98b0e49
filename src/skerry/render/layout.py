"""Where things stand on the page, in units of the board: one step to a neighbour is about 1.

Directions have an exact step on the page, so a label is simply "one step beyond that cell", and
renderers of every kind put their coordinates in the same places.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, pi, sin

from skerry.board import OFF_BOARD, Board

Place = tuple[float, float]  # x to the right, y upwards


@dataclass(frozen=True)
class Label:
    """A coordinate written beyond the edge of the board."""

    text: str
    place: Place


@lru_cache
def turn(board: Board) -> Board:
    """A board as whoever sits opposite sees it: every cell is drawn where its opposite was.

    What is drawn by places of cells turns with them; letters and runes stay upright.
    """
    xs, ys = zip(*board.drawn_at, strict=True)
    width, height = min(xs) + max(xs), min(ys) + max(ys)
    return replace(board, drawn_at=tuple((width - x, height - y) for x, y in board.drawn_at))


def step(board: Board, direction: str) -> Place:
    """How far and whither a direction leads on the page."""
    index = board.direction_names.index(direction)
    for cell, neighbour in enumerate(board.neighbours[:, index].tolist()):
        if neighbour != OFF_BOARD:
            (x, y), (to_x, to_y) = board.drawn_at[cell], board.drawn_at[neighbour]
            return to_x - x, to_y - y
    # Only a board one cell wide has no such pair; its grid is the page.
    dx, dy = board.steps[index]
    return float(dx), float(dy)


def beyond(board: Board, cell: int, direction: str) -> Place:
    """The place one step from a cell, on the board or off it."""
    (x, y), (dx, dy) = board.drawn_at[cell], step(board, direction)
    return x + dx, y + dy


@lru_cache
def labels(board: Board) -> tuple[Label, ...]:
    """The coordinates around a board."""
    found = LABELLERS[board.shape](board)
    return tuple(Label(text, beyond(board, cell, way)) for text, cell, way in found)


def _letter(board: Board, cell: int) -> str:
    return board.names[cell][0]


def _number(board: Board, cell: int) -> str:
    return board.names[cell][1:]


def _hexagon_labels(board: Board) -> Iterator[tuple[str, int, str]]:
    """Letters at the left end of rows, numbers at the right and along the top and bottom lines.

    Cells of one number lie on a line that slants down to the bottom row in the lower half, and up
    to the top row in the upper half: that is where the numbers stand.
    """
    for row in board.rows:
        yield _letter(board, row[0]), row[0], "w"
        yield _number(board, row[-1]), row[-1], "e"
    for row, way in ((board.rows[0], "se"), (board.rows[-1], "ne")):
        for cell in row[:-1]:  # the last number stands at the right end already
            yield _number(board, cell), cell, way


def _rhombus_labels(board: Board) -> Iterator[tuple[str, int, str]]:
    """Both ends of every line: letters run down to the right, numbers up to the right."""
    for row in board.rows:
        yield _letter(board, row[0]), row[0], "number-"
        yield _letter(board, row[-1]), row[-1], "number+"
    for row, way in ((board.rows[0], "letter-"), (board.rows[-1], "letter+")):
        for cell in row:
            yield _number(board, cell), cell, way


def _square_labels(board: Board) -> Iterator[tuple[str, int, str]]:
    """As on a chess board: letters below, numbers at the left, whichever way it is turned."""
    turned = board.drawn_at[0] > board.drawn_at[-1]
    lowest, left, below, beside = (-1, -1, "n", "e") if turned else (0, 0, "s", "w")
    for cell in board.rows[lowest]:
        yield _letter(board, cell), cell, below
    for row in board.rows:
        yield _number(board, row[left]), row[left], beside


LABELLERS = {
    "hexagon": _hexagon_labels,
    "rhombus": _rhombus_labels,
    "square": _square_labels,
}


def _polygon(corners: int, radius: float, first: float) -> tuple[Place, ...]:
    angles = [first + 2 * pi * k / corners for k in range(corners)]
    return tuple((radius * cos(angle), radius * sin(angle)) for angle in angles)


# The outline of a cell around its centre: pointed hexes in rows, flat ones in the diamond.
OUTLINES = {
    "hexagon": _polygon(6, 3**-0.5, pi / 2),
    "rhombus": _polygon(6, 3**-0.5, 0.0),
    "square": _polygon(4, 0.5**0.5, pi / 4),
}
