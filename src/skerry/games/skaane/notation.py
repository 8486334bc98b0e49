"""How Skaane is written: b2-b3 to move and b2xc3 to attack; and what is wrong with moves."""

from collections.abc import Sequence

from skerry.core.errors import IllegalMove, InvalidMove, PositionError, shorten
from skerry.core.notation import Notation
from skerry.core.rules import Codes
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.games.skaane.rules import DIRECTIONS, OFF_BOARD, POSITIONING, find_goal

ATTACK = "x"
STEP = "-"


class SkaaneNotation(Notation):
    """The notation of Skaane."""

    def write_action(self, state: State, action: int) -> str:
        origin, direction = divmod(action, DIRECTIONS)
        joint = STEP if direction < POSITIONING else ATTACK
        return f"{self.board.names[origin]}{joint}{self.board.names[self.goal(state, action)]}"

    def goal(self, state: State, action: int) -> int:
        """Where an action leads, if the square were free or could be attacked; or OFF_BOARD."""
        return int(find_goal(self.game.tables, state.array, *divmod(action, DIRECTIONS)))

    def read_action(self, state: State, text: str) -> int:
        joint = ATTACK if ATTACK in text else STEP
        first, found, second = text.partition(joint)
        if not (first and found and second):
            raise InvalidMove(
                f"{shorten(text)} is no Skaane move: write b2-b3 to move or b2xc3 to attack"
            )
        origin, goal = self.board.cell(first), self.board.cell(second)
        if origin == goal:
            raise IllegalMove(f"a pawn on {first} that goes to {second} has not moved")
        kinds = range(POSITIONING) if joint == STEP else range(POSITIONING, DIRECTIONS)
        for direction in kinds:
            if goal in self.board.ray(origin, direction):
                action = origin * DIRECTIONS + direction
                if self.goal(state, action) == goal:
                    return action
                raise IllegalMove(self._why_not_there(state, action, goal))
        if joint == ATTACK:
            raise IllegalMove(
                f"{second} is not diagonally next to {first}, and attacks go diagonally"
            )
        if goal in self.board.adjacent(origin):
            raise IllegalMove(
                f"{second} is diagonal to {first}: pawns move straight and attack diagonally, "
                f"written {first}x{second}"
            )
        raise IllegalMove(f"{second} is not straight above, below, left or right of {first}")

    def _is_own(self, state: State, cell: int) -> bool:
        piece = state.scene().pieces.get(cell)
        return piece is not None and piece.seat == state.turn

    def _why_not_there(self, state: State, action: int, goal: int) -> str:
        """Why an action does not lead to a square on its line."""
        names = self.board.names
        origin, direction = divmod(action, DIRECTIONS)
        if not self._is_own(state, origin):
            return self.why_illegal(state, action)
        if direction >= POSITIONING:
            return N_(f"{names[goal]} is not next to {names[origin]}: an attack goes one space")
        if self._is_own(state, goal):
            return N_(f"your own pawn stands on {names[goal]}")
        stop = self.goal(state, action)
        if stop in state.scene().pieces:
            return N_(f"the enemy pawn on {names[stop]} is in the way")
        return N_(
            f"a pawn moves one space: from {names[origin]} that way it comes to {names[stop]}"
        )

    def why_illegal(self, state: State, action: int) -> str:
        pieces, names = state.scene().pieces, self.board.names
        origin, direction = divmod(action, DIRECTIONS)
        if origin not in pieces:
            return N_(f"there is no pawn on {names[origin]}")
        if not self._is_own(state, origin):
            return N_(f"the pawn on {names[origin]} is not yours")
        goal = self.goal(state, action)
        if goal == OFF_BOARD:
            return N_(f"from {names[origin]} that way leads off the board")
        if direction < POSITIONING:
            return N_(f"the enemy pawn on {names[goal]} blocks the way, and attacks go diagonally")
        if goal not in pieces:
            return N_(f"there is nothing to attack on {names[goal]}")
        if self._is_own(state, goal):
            return N_(f"your own pawn stands on {names[goal]}")
        return N_(f"a {pieces[origin].kind} does not beat a {pieces[goal].kind}")

    def check_cells(self, cells: Sequence[str], turn: int) -> None:
        for piece in self.game.pieces:
            option = f"{piece.kind}s"
            found, most = cells.count(piece.letter), self.game.options[option]
            if found > most:
                owner = self.game.seats[piece.seat or 0]
                raise PositionError(f"{owner} has {found} {option}, but starts with {most}")

    def read_tail(self, fields: Sequence[str], codes: Codes, turn: int) -> int:
        return self.read_counter(fields[0], self.game.options["quiet_limit"], "quiet count")
