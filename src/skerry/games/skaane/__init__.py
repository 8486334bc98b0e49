"""Skaane: a race of gods, kings, serfs and suns."""

import numpy as np
from numpy.typing import NDArray

from skerry.board import Board, Symmetry, masks, square
from skerry.core import bits
from skerry.core.errors import OptionsError
from skerry.core.game import Game, Setup
from skerry.core.kernels import tables
from skerry.core.options import Option
from skerry.core.scene import Piece
from skerry.games.skaane import rules
from skerry.games.skaane.variants import OPTIONS, VARIANTS, VARIED_CLAUSES

RUNE_OPTIONS = tuple(f"{rune}s" for rune in rules.RUNES)
RUNE_LETTERS = ("GKSU", "gksu")  # by seat
MOST_ROWS = 16


def build_tables(board: Board, words: int, options: dict[str, int]) -> NDArray[np.void]:
    """One board and its pawns for kernels (skaane.1), padded to the capacity of its words."""
    width = options["width"]
    away = np.zeros((2, MOST_ROWS, words), np.uint64)
    for row, cells in enumerate(board.rows):
        away[0, len(board.rows) - 1 - row] = away[1, row] = bits.mask(cells, words)
    steps = np.array([dx + width * dy for dx, dy in board.steps], np.int64)
    return tables(
        rules.NAME,
        board=masks.all_cells(board, words),
        inside=masks.inside(board, words),  # [directions, words]
        step=steps.astype(np.uint64),  # [directions] from a square's number to the next one's
        shift=np.abs(steps).astype(np.uint64),
        far=np.array([bits.mask(board.rows[-1], words), bits.mask(board.rows[0], words)]),
        home=np.array([0, len(board) - 2 * width], np.int64),  # first square of the two rows
        away=away,  # [seats, distance from the far row, words]
        rows=np.int64(len(board.rows)),
        runes=np.array([options[name] for name in RUNE_OPTIONS], np.int64),  # of each seat
        pawns=np.int64(2 * width),  # of each seat
        quiet_limit=np.int32(options["quiet_limit"]),
        quiet_end=np.int32(options["quiet_end"]),
    )


class Skaane(Game, rooms=__name__):
    """Skaane with its options settled."""

    name = rules.NAME
    title = "Skaane"
    credit = "The rule sheet names no designer."
    summary = "Race a pawn across the board; gods, kings, serfs and suns decide who falls."
    seats = ("Light", "Dark")
    seat_letters = "wb"
    clauses = rules.CLAUSES
    varied_clauses = VARIED_CLAUSES
    variants = VARIANTS
    pieces = tuple(
        Piece(seat, rune, letter)
        for seat, letters in enumerate(RUNE_LETTERS)
        for rune, letter in zip(rules.RUNES, letters, strict=True)
    )
    option_specs = (
        Option("width", 8, 2, 12, "squares in a row"),
        Option("height", 8, 4, MOST_ROWS, "rows"),
        Option("gods", 5, 0, 24, "gods of each player"),
        Option("kings", 5, 0, 24, "kings of each player"),
        Option("serfs", 5, 0, 24, "serfs of each player"),
        Option("suns", 1, 0, 24, "suns of each player"),
        Option("quiet_limit", 100, 1, 100_000, "moves without an attack that make a draw"),
        *OPTIONS,
    )
    # Square, with one sun or two and as many gods as kings and serfs.
    sizes = tuple(
        {"width": n, "height": max(n, 4), "gods": third, "kings": third, "serfs": third}
        | {"suns": 2 * n - 3 * third}
        for n in range(2, 13)
        for third in [(2 * n - 1) // 3]
    )
    has_chance = True
    has_counter = True  # actions in a row without an attack

    @classmethod
    def set_up(cls, options: dict[str, int]) -> Setup:
        counts = [options[name] for name in RUNE_OPTIONS]
        if sum(counts) != 2 * options["width"]:
            raise OptionsError(
                f"skaane: {' + '.join(RUNE_OPTIONS)} must be 2 * width = {2 * options['width']}, "
                f"not {' + '.join(map(str, counts))} = {sum(counts)}"
            )
        board = square(options["width"], options["height"])
        words = bits.words_for(len(board))
        return Setup(
            board=board,
            tables=build_tables(board, words, options),
            dtype=rules.state_dtype(words),
            num_actions=len(board) * rules.DIRECTIONS,
        )

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        # Up and down differ: the seats race in opposite directions.
        return self.board.symmetries[:2]

    @property
    def most_actions(self) -> int:
        # Whoever has lost all pawns has no move (skaane.6), and attacks are no farther apart than
        # the limit allows (skaane.7).
        pawns = 4 * self.options["width"]
        return (pawns - 1) * self.options["quiet_limit"]
