"""Boards as arrays: cells, names, neighbours, lines, sides and symmetries."""

from skerry.board.geometry import OFF_BOARD, Board, Symmetry
from skerry.board.shapes import hexagon, hexagon_sides, rhombus, square

__all__ = ["OFF_BOARD", "Board", "Symmetry", "hexagon", "hexagon_sides", "rhombus", "square"]
