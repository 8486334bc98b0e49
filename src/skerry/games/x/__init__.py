"""X: Mark Steere's three-player fight for corners."""

import numpy as np
from numpy.typing import NDArray

from skerry.board import Board, masks, rhombus
from skerry.core import bits
from skerry.core.bits import WORD
from skerry.core.game import Game, Setup
from skerry.core.kernels import tables
from skerry.core.options import Option
from skerry.games.x import rules


def build_tables(board: Board, size: int, words: int) -> NDArray[np.void]:
    """One board for kernels (x.1).

    Each letter is a run of bits with one bit always clear behind it. The *base* of a corner is its
    side along the first or the last letter; how far a group reaches is measured along the other.
    """
    stride = size + 1
    places = [letter * stride + number for letter, number in board.points]
    place = np.zeros(words * WORD, np.int16)
    cell_at = np.zeros(words * WORD, np.int16)
    place[: len(places)] = places
    cell_at[places] = range(len(places))

    def side(axis: int, line: int) -> NDArray[np.uint64]:
        """The cells of one letter (axis 0) or of one number (axis 1)."""
        return bits.mask(
            (places[cell] for cell, point in enumerate(board.points) if point[axis] == line), words
        )

    first, last = side(1, 0), side(1, size - 1)
    return tables(
        rules.NAME,
        place=place,  # [cells] bit of a cell
        cell_at=cell_at,  # [bits] cell of a bit
        next_to=masks.next_to(board, words, places),  # [bits, words]
        board=bits.mask(places, words),
        base=np.array([side(0, 0), side(0, size - 1)]),  # [2, words]
        along=np.array([first, first, last, last]),  # [corners, words] the side to measure on
        stride=np.uint64(stride),
        cells=np.int16(len(board)),
    )


class X(Game, rooms=__name__):
    """X with its size settled."""

    name = rules.NAME
    title = "X"
    credit = "Designed by Mark Steere, August 2009; marksteeregames.com."
    summary = (
        "Three players fight for four corners. Most wins; if two tie for most, the third wins."
    )
    seats = ("Red", "Yellow", "Green")
    seat_letters = "ryg"
    clauses = rules.CLAUSES
    option_specs = (Option("size", 10, 2, 19, "hexes on each side of the rhombus"),)
    sizes = tuple({"size": n} for n in range(2, 20))

    @classmethod
    def set_up(cls, options: dict[str, int]) -> Setup:
        size = options["size"]
        board = rhombus(size)
        words = bits.words_for(size * (size + 1))
        return Setup(
            board=board,
            tables=build_tables(board, size, words),
            dtype=rules.state_dtype(words),
            num_actions=len(board),
        )

    @property
    def most_actions(self) -> int:
        return len(self.board)  # x.2: a stone each
