"""Skew: pegs lean, and the lean spreads."""

from collections.abc import Mapping

import numpy as np

from skerry.board import hexagon, masks
from skerry.core import bits
from skerry.core.game import Game, Setup
from skerry.core.kernels import tables
from skerry.core.options import Option
from skerry.core.scene import Piece
from skerry.games.skew import rules
from skerry.games.skew.variants import OPTIONS, VARIANTS, VARIED_CLAUSES

# Lean letters lie around S on a keyboard as the directions lie around a hole.
LEANS = {"e": "d", "ne": "e", "nw": "w", "w": "a", "sw": "z", "se": "x"}
BLACK_PEG = "*"


class Skew(Game, rooms=__name__):
    """Skew with its options settled."""

    name = rules.NAME
    title = "Skew"
    credit = "The rule sheet names no designer."
    summary = "Pegs lean, and the lean spreads: build the bigger share of the leaning chain."
    seats = ("First", "Second")
    seat_letters = "01"
    clauses = rules.CLAUSES
    varied_clauses = VARIED_CLAUSES
    variants = VARIANTS
    pieces = (
        *(Piece(0, "peg", letter.upper(), way) for way, letter in LEANS.items()),
        *(Piece(1, "peg", letter, way) for way, letter in LEANS.items()),
        Piece(None, "peg", BLACK_PEG),
    )
    option_specs = (
        Option("side", 5, 2, 9, "holes on each side of the hexagon"),
        Option("pegs", 24, 1, 216, "pegs of each player"),
        *OPTIONS,
    )
    # As crowded as the default: 24 pegs of each seat for 60 holes.
    sizes = tuple({"side": n, "pegs": 3 * n * (n - 1) * 2 // 5} for n in range(2, 10))

    @classmethod
    def set_up(cls, options: dict[str, int]) -> Setup:
        board = hexagon(options["side"])
        words, centre = bits.words_for(len(board)), len(board) // 2
        num_actions = len(board) * rules.DIRECTIONS + 1
        return Setup(
            board=board,
            tables=tables(
                rules.NAME,
                next_to=masks.next_to(board, words),  # [cells, words] the holes around a hole
                behind=masks.behind(board, words),  # [cells, directions, words] who leans at it
                ray=masks.rays(board, words),  # [cells, directions, words] the holes beyond
                holes=bits.mask((hole for hole in range(len(board)) if hole != centre), words),
                centre=np.int16(centre),
                pass_action=np.int32(num_actions - 1),
                pegs=np.array([options["pegs"] + options["extra"], options["pegs"]], np.int16),
                bonus=np.int16(options["bonus"]),
            ),
            dtype=rules.state_dtype(words),
            num_actions=num_actions,
        )

    @property
    def most_actions(self) -> int:
        # Before every peg but the first there may be a pass (skew.6).
        pegs = 2 * self.options["pegs"] + self.all_options["extra"]
        return 2 * min(pegs, len(self.board) - 1) - 1

    @property
    def fixtures(self) -> Mapping[int, str]:
        return {len(self.board) // 2: BLACK_PEG}  # skew.1
