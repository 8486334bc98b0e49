"""Skirt: Kanare Kato's connection game, played from the rim inwards."""

import numpy as np
from numpy.typing import NDArray

from skerry.board import Board, axis_lines, hexagon, hexagon_sides, masks
from skerry.core import bits
from skerry.core.bits import ALL, NONE, WORD
from skerry.core.game import Game, Setup
from skerry.core.kernels import tables
from skerry.core.options import Option
from skerry.games.skirt import rules
from skerry.games.skirt.rules import ALL_SIDES, AXES, HIGH, LOW, NO_CELL
from skerry.games.skirt.variants import OPTIONS, VARIANTS, VARIED_CLAUSES


def line_capacity(words: int) -> int:
    """The number of lines along one axis on the largest board of this many words."""
    side = 2
    while 3 * side * (side + 1) + 1 <= words * WORD:
        side += 1
    return 2 * side - 1


def link_type(words: int) -> np.dtype[np.unsignedinteger]:
    """The smallest number for a cell and one bit more. Small records make large batches fast."""
    return np.dtype(np.uint8 if words * WORD <= 128 else np.uint16)


def build_tables(board: Board, words: int, options: dict[str, int]) -> NDArray[np.void]:
    """One board for kernels (skirt.1), padded to the capacity of its words.

    Only the inner cells of a line are numbered: position 0 is next to the low end.
    """
    capacity, lines = words * WORD, line_capacity(words)
    touching = np.zeros(capacity, np.uint8)
    for number, side in enumerate(hexagon_sides(board)):
        touching[list(side)] |= 1 << number
    line_of = np.zeros((capacity, AXES), np.uint8)
    position = np.zeros((capacity, AXES), np.uint8)
    length = np.zeros(AXES * lines, np.uint8)
    end = np.full((AXES * lines, 2), NO_CELL, np.int16)
    cell_at = np.zeros((AXES * lines, lines), np.int16)
    before = np.zeros((AXES * lines, lines + 1, words), np.uint64)
    inward = np.full((capacity, 2), NO_CELL, np.int16)
    for axis in range(AXES):
        for line, cells in enumerate(axis_lines(board, axis), start=axis * lines):
            line_of[cells, axis] = line
            inner = [cell for cell in cells if not touching[cell]]
            length[line] = len(inner)
            for place, cell in enumerate(inner):
                position[cell, axis] = place
                cell_at[line, place] = cell
                before[line, place + 1] = bits.mask(inner[: place + 1], words)
            if inner:
                end[line] = cells[0], cells[-1]
                for which, outer in ((LOW, cells[0]), (HIGH, cells[-1])):
                    slot = 0 if inward[outer, 0] == NO_CELL else 1
                    inward[outer, slot] = line * 2 + which
    goals = rules.list_goals(options["alternate"])
    wins = [bool(rules.deciding_sides(touched, goals)) for touched in range(ALL_SIDES + 1)]
    return tables(
        rules.NAME,
        next_to=masks.next_to(board, words),  # [cells, words] the cells around a cell
        touching=touching,  # [cells] bit per side that the cell lies on
        outer=bits.mask(np.flatnonzero(touching).tolist(), words),
        board=masks.all_cells(board, words),
        line_of=line_of,  # [cells, axes]
        position=position,  # [cells, axes] of inner cells
        length=length,  # [lines] number of inner cells
        end=end,  # [lines, 2] outer cells at both ends
        cell_at=cell_at,  # [lines, positions]
        before=before,  # [lines, positions + 1, words] the cells before a position
        inward=inward,  # [cells, 2] ways from an outer cell: line * 2 + end, or NO_CELL
        wins=np.array(wins, np.uint8),  # [sets of sides]
        blocks=NONE if options["jumps"] else ALL,  # the positions at which a piece ends every line
        root=np.uint16(1 << (8 * link_type(words).itemsize - 1)),
        cells=np.int16(len(board)),
    )


class Skirt(Game, rooms=__name__):
    """Skirt with its size settled."""

    name = rules.NAME
    title = "Skirt"
    credit = "Designed by Kanare Kato."
    summary = "Start on the rim, shoot inwards, and connect opposite or three alternate sides."
    seats = ("White", "Black")
    seat_letters = "wb"
    clauses = rules.CLAUSES
    varied_clauses = VARIED_CLAUSES
    variants = VARIANTS
    option_specs = (Option("side", 6, 2, 12, "hexes on each side of the hexagon"), *OPTIONS)
    sizes = tuple({"side": n} for n in range(2, 13))
    impossible = "both seats have won, or a pass or a second placement does not fit the board"
    special_codes = 1  # the outer piece whose inner placement is due
    has_counter = True  # passes in a row
    turns_of_several_actions = True

    @classmethod
    def set_up(cls, options: dict[str, int]) -> Setup:
        board = hexagon(options["side"])
        words = bits.words_for(len(board))
        return Setup(
            board=board,
            tables=build_tables(board, words, options),
            dtype=rules.state_dtype(words, line_capacity(words), link_type(words)),
            num_actions=len(board) + 1,
        )

    @property
    def most_actions(self) -> int:
        # Nobody passes before the outer area is full (skirt.3), nor twice in a row but at the end;
        # a full board has a winner, so that the last two passes leave a hex empty. In a variant it
        # may have none.
        inner = len(hexagon(self.options["side"] - 1))
        return len(self.board) + inner + 2 * (1 - self.all_options["alternate"])
