"""The straight lines of a board, along the first half of its directions."""

import numpy as np

from skerry.board.geometry import OFF_BOARD, Board


def axis_lines(board: Board, axis: int) -> list[list[int]]:
    """All lines in one direction, each from its low end to its high end."""
    opposite = axis + len(board.steps) // 2
    firsts = np.flatnonzero(board.neighbours[:, opposite] == OFF_BOARD).tolist()
    return [[first, *board.ray(first, axis)] for first in firsts]
