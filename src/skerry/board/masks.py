"""The geometry of a board as sets of cells, for kernels: padded to the capacity of their words.

Shapes inside tables are part of their type, so boards of different sizes that are padded alike
share their compiled code.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from skerry.board.geometry import OFF_BOARD, Board
from skerry.core import bits
from skerry.core.bits import WORD


def all_cells(board: Board, words: int) -> NDArray[np.uint64]:
    """[words] the whole board."""
    return bits.mask(range(len(board)), words)


def next_to(board: Board, words: int, place: Sequence[int] | None = None) -> NDArray[np.uint64]:
    """[cells, words] the cells around every cell; ``place`` is the bit of a cell, if not its own
    number."""
    places = range(len(board)) if place is None else place
    found = np.zeros((words * WORD, words), np.uint64)
    for cell in range(len(board)):
        found[places[cell]] = bits.mask([places[other] for other in board.adjacent(cell)], words)
    return found


def beside(board: Board, words: int) -> NDArray[np.int16]:
    """[cells, directions] the next cell in every direction, or OFF_BOARD."""
    found = np.full((words * WORD, len(board.steps)), OFF_BOARD, np.int16)
    found[: len(board)] = board.neighbours
    return found


def behind(board: Board, words: int) -> NDArray[np.uint64]:
    """[cells, directions, words] the cell from which a direction leads to a cell."""
    found = np.zeros((words * WORD, len(board.steps), words), np.uint64)
    for cell in range(len(board)):
        for direction, ahead in enumerate(board.neighbours[cell]):
            if ahead != OFF_BOARD:
                found[ahead, direction] = bits.mask([cell], words)
    return found


def rays(board: Board, words: int) -> NDArray[np.uint64]:
    """[cells, directions, words] all cells beyond a cell in a direction."""
    found = np.zeros((words * WORD, len(board.steps), words), np.uint64)
    for cell in range(len(board)):
        for direction in range(len(board.steps)):
            found[cell, direction] = bits.mask(board.ray(cell, direction), words)
    return found


def inside(board: Board, words: int) -> NDArray[np.uint64]:
    """[directions, words] the cells that have a next one in a direction."""
    stays = (board.neighbours != OFF_BOARD).T
    return np.array([bits.mask(np.flatnonzero(row).tolist(), words) for row in stays])
