"""How moves and positions of a game are written, and what is said about moves that are illegal.

Actions are numbered ``cell * ways + way``, with a pass at the end where a game has one. A way is a
direction of the board, and a game with one way only puts something on a cell. What is here writes
such actions as ``d4-ne`` or ``d4``; a game with other habits brings a ``Notation`` of its own.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import InvalidMove, PositionError, shorten
from skerry.core.room import Room
from skerry.core.rules import REST_BITS, Codes
from skerry.core.texts import N_

if TYPE_CHECKING:
    from skerry.board import Symmetry
    from skerry.core.state import State

EMPTY = "."
PASS = "pass"
WAY_JOINT = "-"  # between a cell and a direction: d4-ne
TURN_JOINT = "-"  # between the actions of one turn: a3-c5
SPECIAL_LETTERS = "!?%&#"  # for codes that no piece has
LONGEST_COUNTER = 9  # digits


class Notation(Room):
    """The notation of one game; this one is for stones on cells, and for pieces with directions."""

    @property
    def pass_action(self) -> int:
        """The action that is a pass; where the game has none, one that does not exist."""
        return len(self.board) * self.ways

    @property
    def ways(self) -> int:
        """How many actions there are for each cell."""
        return self.game.num_actions // len(self.board)

    # Moves

    def write_action(self, state: "State", action: int) -> str:
        """The notation of an action."""
        return WAY_JOINT.join(self.split(action))

    def split(self, action: int) -> tuple[str, ...]:
        """The names of an action's cell and way, or the one word for a pass."""
        if action == self.pass_action:
            return (PASS,)
        cell, way = divmod(action, self.ways)
        name = self.board.names[cell]
        return (name,) if self.ways == 1 else (name, self.board.direction_names[way])

    def read_action(self, state: "State", text: str) -> int:
        """The action of a notation; InvalidMove or IllegalMove where there is none."""
        if text == PASS and self.pass_action < self.game.num_actions:
            return self.pass_action
        if self.ways == 1:
            return self.board.cell(text)
        cell, _, way = text.partition(WAY_JOINT)
        names = self.board.direction_names
        if not cell or way not in names:
            raise InvalidMove(
                f"{shorten(text)} is no move of {self.game.title}: write a cell and a direction, "
                f"one of {', '.join(names)}; for example {self.board.names[0]}-{names[0]}"
            )
        return self.board.cell(cell) * self.ways + names.index(way)

    def why_illegal(self, state: "State", action: int) -> str:
        """Why the rules forbid an action here, in the game's own terms."""
        if action == self.pass_action:
            return N_("you cannot pass while you have another move")
        cell = action // self.ways
        piece = state.scene().pieces.get(cell)
        name = self.board.names[cell]
        if piece is None:
            return N_(f"{name} is not open to you")
        owner = "neutral" if piece.seat is None else self.game.seats[piece.seat].lower()
        return N_(f"{name} already holds a {owner} {piece.kind}")

    def map_action(self, action: int, symmetry: "Symmetry") -> int:
        """The image of an action under a symmetry."""
        if action == self.pass_action:
            return action
        cell, way = divmod(action, self.ways)
        image = int(symmetry.directions[way]) if self.ways > 1 else way
        return int(symmetry.cells[cell]) * self.ways + image

    # Positions

    @property
    def tail_fields(self) -> int:
        """How many fields of position text there are behind the seat to move."""
        return 1 if self.game.has_counter else 0

    def write_tail(self, state: "State") -> list[str]:
        """The fields behind the seat to move."""
        return [str(state.counter)] if self.game.has_counter else []

    def read_tail(self, fields: Sequence[str], codes: Codes, turn: int) -> int:
        """The counter that the fields behind the seat to move tell; PositionError if none.

        Fields that name cells may change their codes.
        """
        if not fields:
            return 0
        most = (1 << REST_BITS) // self.game.num_seats - 1
        return self.read_counter(fields[0], most, "counter")

    def read_counter(self, text: str, most: int, name: str) -> int:
        """A counter of position text."""
        known = text.isascii() and text.isdigit() and len(text) < LONGEST_COUNTER
        if not known or int(text) > most:
            raise PositionError(
                f"the {name} is a whole number from 0 to {most}, not {shorten(text)}"
            )
        return int(text)

    def check_cells(self, cells: Sequence[str], turn: int) -> None:
        """PositionError where these letters cannot stand on the board, whatever the rest is."""

    @property
    def letters(self) -> str:
        """All letters that a cell of position text may carry, in the order of their codes."""
        known = self.game.letters
        return known + SPECIAL_LETTERS[: self.game.num_codes - 1 - len(known)]

    def write_cells(self, state: "State") -> list[str]:
        """The letter of every cell."""
        letters = EMPTY + self.letters
        cells = [letters[code] for code in state.codes.tolist()]
        for cell, letter in self.game.fixtures.items():
            cells[cell] = letter
        return cells

    def read_cells(self, cells: Sequence[str]) -> NDArray[np.uint8]:
        """The codes of letters; what always stands on its cell has none."""
        codes = {letter: code for code, letter in enumerate(EMPTY + self.letters)}
        found = np.array([codes[letter] for letter in cells], np.uint8)
        found[list(self.game.fixtures)] = 0
        return found
