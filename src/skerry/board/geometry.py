"""What all boards have in common: named cells in rows, neighbours by direction, symmetries.

Cells are numbered row by row from the bottom row, left to right within a row.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import InvalidMove, PositionError, shorten

OFF_BOARD = -1
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Point = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A map of the board onto itself: the image of every cell and of every direction."""

    cells: NDArray[np.int16]  # [cells]
    directions: NDArray[np.int16]  # [directions]


@dataclass(frozen=True, eq=False)
class Board:
    """A board: ``points`` places every cell on an integer grid, ``steps`` are the directions."""

    shape: str
    rows: tuple[range, ...]  # cells of every row, bottom row first
    names: tuple[str, ...]
    points: tuple[Point, ...]
    direction_names: tuple[str, ...]
    steps: tuple[Point, ...]
    symmetry_maps: tuple[Callable[[Point], Point], ...]
    drawn_at: tuple[tuple[float, float], ...]  # centre of every cell on the page, y upwards
    cell_at: Mapping[Point, int] = field(init=False, repr=False)
    index: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Boards are shared between games, so nothing about them can be changed.
        cell_at = {point: cell for cell, point in enumerate(self.points)}
        index = {name: cell for cell, name in enumerate(self.names)}
        object.__setattr__(self, "cell_at", MappingProxyType(cell_at))
        object.__setattr__(self, "index", MappingProxyType(index))

    def __len__(self) -> int:
        return len(self.points)

    def cell(self, name: str) -> int:
        """The cell of that name."""
        try:
            return self.index[name]
        except KeyError:
            raise InvalidMove(
                f"{shorten(name)} is no cell of this board: cells run from "
                f"{self.names[0]} to {self.names[-1]}"
            ) from None

    @cached_property
    def neighbours(self) -> NDArray[np.int16]:
        """[cells, directions]: the adjacent cell in every direction, or OFF_BOARD."""
        table = np.full((len(self), len(self.steps)), OFF_BOARD, np.int16)
        for cell, (x, y) in enumerate(self.points):
            for direction, (dx, dy) in enumerate(self.steps):
                table[cell, direction] = self.cell_at.get((x + dx, y + dy), OFF_BOARD)
        return _frozen(table)

    def adjacent(self, cell: int) -> list[int]:
        """The cells next to a cell."""
        return [int(other) for other in self.neighbours[cell] if other != OFF_BOARD]

    def ray(self, cell: int, direction: int) -> Iterator[int]:
        """The cells beyond a cell in a direction, nearest first."""
        while (cell := int(self.neighbours[cell, direction])) != OFF_BOARD:
            yield cell

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries of the board; the first is the identity."""
        return tuple(self._symmetry(image) for image in self.symmetry_maps)

    def _symmetry(self, image: Callable[[Point], Point]) -> Symmetry:
        cells = [self.cell_at[image(point)] for point in self.points]
        # A direction is a difference of points; the maps are affine, so any point will do.
        origin = image((0, 0))
        directions = []
        for step in self.steps:
            x, y = image(step)
            directions.append(self.steps.index((x - origin[0], y - origin[1])))
        return Symmetry(_frozen(np.array(cells, np.int16)), _frozen(np.array(directions, np.int16)))

    def write_rows(self, contents: Sequence[str]) -> str:
        """Position text of the cells: rows from the top, runs of empty cells as numbers."""
        rows = []
        for row in reversed(self.rows):
            text, empty = "", 0
            for cell in row:
                if contents[cell] == ".":
                    empty += 1
                    continue
                text += (str(empty) if empty else "") + contents[cell]
                empty = 0
            rows.append(text + (str(empty) if empty else ""))
        return "/".join(rows)

    def read_rows(self, text: str, letters: str) -> list[str]:
        """The contents of every cell, ``.`` for empty; the inverse of ``write_rows``."""
        rows = text.split("/")
        if len(rows) != len(self.rows):
            raise PositionError(f"{len(self.rows)} rows are needed, {len(rows)} are given")
        contents = ["."] * len(self)
        for number, (cells, row) in enumerate(zip(reversed(self.rows), rows, strict=True), 1):
            expanded = _expand(row, letters, len(cells))
            if len(expanded) != len(cells):
                raise PositionError(
                    f"row {number} from the top has {len(expanded)} cells, "
                    f"not {len(cells)}: {shorten(row)}"
                )
            for cell, letter in zip(cells, expanded, strict=True):
                contents[cell] = letter
        return contents


def _frozen(array: NDArray[np.int16]) -> NDArray[np.int16]:
    """A view of an array that cannot be written to, nor be made writable."""
    array.flags.writeable = False
    return array.view()


def _expand(row: str, letters: str, width: int) -> list[str]:
    """One row of position text with its runs of empty cells written out."""
    expanded: list[str] = []
    digits = ""
    for letter in [*row, ""]:
        if letter.isascii() and letter.isdigit():
            digits += letter
            continue
        if digits:
            if len(digits) > 2 or int(digits) > width:
                raise PositionError(
                    f"a run of {digits[:9]} empty cells does not fit in {shorten(row)}"
                )
            expanded += ["."] * int(digits)
            digits = ""
        if letter and letter not in letters and letter != ".":
            raise PositionError(f"{letter!r} means nothing here: use one of {letters!r}")
        if letter:
            expanded.append(letter)
    return expanded
