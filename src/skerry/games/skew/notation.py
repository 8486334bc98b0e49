"""How Skew is written: a hole and a lean, d4-ne; and what is wrong with moves and positions."""

from collections.abc import Sequence

from skerry.core.errors import InvalidMove, PositionError, shorten
from skerry.core.notation import Notation
from skerry.core.state import State
from skerry.core.texts import N_


class SkewNotation(Notation):
    """The notation of Skew."""

    def read_action(self, state: State, text: str) -> int:
        try:
            return super().read_action(state, text)
        except InvalidMove:
            names = self.board.direction_names
            hole, _, lean = text.partition("-")
            if hole and lean in names:
                raise  # the hole is not on this board
            raise InvalidMove(
                f"{shorten(text)} is no Skew move: write a hole and where the peg leans, one of "
                f"{', '.join(names)}; for example d4-ne"
            ) from None

    def why_illegal(self, state: State, action: int) -> str:
        if action == self.pass_action:
            return N_("you cannot pass while you have a peg and a hole for it")
        if state.raw["left"][state.turn] == 0:
            return N_("you have no peg left and must pass")
        hole = action // self.ways
        name = self.board.names[hole]
        if hole in self.game.fixtures:
            return N_(f"the black peg stands on {name}")
        if state.cells[hole] != ".":
            return N_(f"{name} already holds a peg")
        return N_(f"{name} is not next to the black peg or an opponent's peg")

    def check_cells(self, cells: Sequence[str], turn: int) -> None:
        ((centre, black),) = self.game.fixtures.items()
        if cells[centre] != black or cells.count(black) != 1:
            raise PositionError(
                f"the black peg {black!r} stands on {self.board.names[centre]} only"
            )
        for seat, title in enumerate(self.game.seats):
            pegs = sum(cell != "." and self.game.piece(cell).seat == seat for cell in cells)
            most = int(self.game.tables["pegs"][0][seat])
            if pegs > most:
                raise PositionError(f"{title} has {pegs} pegs on the board, but only {most} in all")
