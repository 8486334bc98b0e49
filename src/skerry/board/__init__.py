"""Boards as arrays: cells, names, neighbours, lines, sides and symmetries."""

from skerry.board.geometry import OFF_BOARD, Board, Symmetry
from skerry.board.lines import axis_lines
from skerry.board.paths import groups, joining_lines
from skerry.board.shapes import hexagon, hexagon_sides, rhombus, square

__all__ = [
    "OFF_BOARD",
    "Board",
    "Symmetry",
    "axis_lines",
    "groups",
    "hexagon",
    "hexagon_sides",
    "joining_lines",
    "rhombus",
    "square",
]
