"""How Skirt is written: one placement after the other, and what is due in a position."""

from collections.abc import Sequence

from skerry.core.errors import PositionError, shorten
from skerry.core.notation import Notation
from skerry.core.rules import Codes
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.games.skirt.rules import NO_CELL, PENDING_CODE

NOTHING = "-"  # no placement is due
MOST_PASSES = 2


class SkirtNotation(Notation):
    """The notation of Skirt."""

    def why_illegal(self, state: State, action: int) -> str:
        if action == self.pass_action:
            return N_("you cannot pass while you can place a piece")
        name = self.board.names[action]
        piece = state.scene().pieces.get(action)
        if piece is not None and piece.seat is not None:
            return N_(f"{name} already holds a {self.game.seats[piece.seat].lower()} piece")
        pending = int(state.raw["pending"])
        if pending == NO_CELL and state.raw["placed"] == 0:
            return N_(f"the first piece goes on an outer hex, and {name} is an inner one")
        if pending == NO_CELL:
            return N_(f"no line from your outer pieces reaches {name}")
        if self._is_outer(action):
            return N_(f"your second piece goes on an inner hex, and {name} is an outer one")
        return N_(f"no line from {self.board.names[pending]}, just placed, reaches {name}")

    def _is_outer(self, cell: int) -> bool:
        return bool(self.game.tables["touching"][0][cell])

    @property
    def letters(self) -> str:
        return self.game.letters

    def write_cells(self, state: State) -> list[str]:
        letters = [".", *self.letters, self.letters[state.turn]]
        return [letters[code] for code in state.codes.tolist()]

    def check_cells(self, cells: Sequence[str], turn: int) -> None:
        if turn != 0 and all(cell == "." for cell in cells):
            raise PositionError("on an empty board it is White's turn")

    @property
    def tail_fields(self) -> int:
        return 2

    def write_tail(self, state: State) -> list[str]:
        pending = int(state.raw["pending"])
        name = NOTHING if pending == NO_CELL else self.board.names[pending]
        return [name, str(state.counter)]

    def read_tail(self, fields: Sequence[str], codes: Codes, turn: int) -> int:
        pending, passes = fields
        if pending != NOTHING:
            cell = self.board.index.get(pending, NO_CELL)
            if cell == NO_CELL or not self._is_outer(cell) or codes[cell] != 1 + turn:
                raise PositionError(f"{shorten(pending)} is no outer piece of the seat to move")
            codes[cell] = PENDING_CODE
        if passes not in map(str, range(MOST_PASSES + 1)):
            raise PositionError(f"{shorten(passes)} is no number of passes: use 0, 1 or 2")
        return int(passes)
