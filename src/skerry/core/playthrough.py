"""A ``Playthrough``: a line of play, with all that follows from its start and its moves.

Who moved, where the game stood in between, and which actions make up a turn are found here and
nowhere else. A playthrough is a point in a tree of lines: ``after`` goes on from it without playing
anything again, and lines that part later share what they have in common.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from skerry.core.notation import TURN_JOINT
from skerry.core.state import Move, State


@dataclass(frozen=True)
class PlayedTurn:
    """What a seat did before it was another's turn."""

    number: int  # from 1
    seat: int
    moves: tuple[Move, ...]
    begins: "Playthrough"
    ends: "Playthrough"

    @property
    def text(self) -> str:
        """How the turn is written, as ``State.play`` reads it."""
        return TURN_JOINT.join(str(move) for move in self.moves)


@dataclass(frozen=True, eq=False)
class Playthrough:
    """Where a line of play has come to, and how; ``Playthrough(start)`` is one without moves."""

    state: State
    before: "Playthrough | None" = None  # one action earlier
    action: int | None = None  # that led from there to here
    plies: int = 0
    number: int = 1  # of the turn that is due, or that has begun
    begun: bool = False  # whether the seat to move has moved already in this turn
    moved: frozenset[int] = frozenset()  # the seats that have moved so far

    def after(self, action: Move | int) -> "Playthrough":
        """The line with one action more; IllegalMove or InvalidMove where it cannot be played."""
        state, seat = self.state.play(action), self.state.turn
        begun = state.to_move == seat
        number = self.number if begun else self.number + 1
        moved = self.moved if seat in self.moved else self.moved | {seat}
        return Playthrough(state, self, int(action), self.plies + 1, number, begun, moved)

    def follow(self, moves: Iterable[str | Move | int]) -> "Playthrough":
        """The line with more moves, of which texts may be whole turns."""
        here = self
        for move in moves:
            for action in here.state.parse_turn(move) if isinstance(move, str) else (move,):
                here = here.after(action)
        return here

    @property
    def points(self) -> tuple["Playthrough", ...]:
        """The start, and where the line stood after each action; this point is the last.

        Every point of a line lives as long as its end, so none of them remembers the others: a
        line would take as much memory as it is long, squared.
        """
        return self.since(-1)

    def since(self, plies: int) -> tuple["Playthrough", ...]:
        """The points after so many plies, which are all that is looked at."""
        found: list[Playthrough] = []
        here: Playthrough | None = self
        while here is not None and here.plies > plies:
            found.append(here)
            here = here.before
        return tuple(reversed(found))

    @property
    def start(self) -> State:
        return self.points[0].state

    @property
    def states(self) -> tuple[State, ...]:
        """The start, and the state after each action."""
        return tuple(point.state for point in self.points)

    @cached_property
    def move(self) -> Move | None:
        """The last move, None at the start."""
        if self.before is None or self.action is None:
            return None
        return self.before.state.move(self.action)

    @property
    def mover(self) -> int | None:
        """The seat that made the last move, None at the start."""
        return None if self.before is None else self.before.state.turn

    @cached_property
    def path(self) -> tuple[str, ...]:
        """What a person pointed at to make the last move."""
        return () if self.before is None or self.move is None else self.before.state.path(self.move)

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves, one for each action."""
        return tuple(point.move for point in self.points if point.move is not None)

    @property
    def texts(self) -> tuple[str, ...]:
        """How the moves are written."""
        return tuple(str(move) for move in self.moves)

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat that made each of them."""
        return tuple(state.turn for state in self.states[:-1])

    @property
    def last_turn(self) -> PlayedTurn | None:
        """The turn that was made or begun last, None at the start."""
        here, moves = self, []
        while here.before is not None and here.move is not None:
            moves.append(here.move)
            here = here.before
            if not here.begun:
                break
        if not moves:
            return None
        return PlayedTurn(here.number, here.state.turn, tuple(reversed(moves)), here, self)

    @property
    def turns(self) -> tuple[PlayedTurn, ...]:
        """All turns, the last of which may not be complete."""
        found: list[PlayedTurn] = []
        here: Playthrough = self
        while (turn := here.last_turn) is not None:
            found.append(turn)
            here = turn.begins
        return tuple(reversed(found))
