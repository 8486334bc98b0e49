"""A course of moves from a start: played out on a table, or tried by anybody on any board."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from skerry.core.errors import SkerryError
from skerry.core.game import Game
from skerry.core.notation import TURN_JOINT
from skerry.core.state import State
from skerry.server.web.errors import Refusal

KEPT = 2048  # courses that somebody looked at lately


@dataclass(frozen=True)
class Course:
    """What plies come to: who made them, how they are written, where it stands."""

    start: State
    movers: tuple[int, ...]
    texts: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]  # what was pointed at
    state: State
    turn_start: State  # before the last turn; the state itself if there was none

    @classmethod
    def begin(cls, start: State) -> Self:
        return cls(start, (), (), (), start, start)

    def after(self, action: int) -> "Course":
        move, mover = self.state.move(action), self.state.to_move
        if mover is None:  # ``move`` has refused it
            raise AssertionError
        goes_on = bool(self.movers) and self.movers[-1] == mover
        return Course(
            self.start,
            (*self.movers, mover),
            (*self.texts, str(move)),
            (*self.paths, self.state.path(move)),
            self.state.play(move),
            self.turn_start if goes_on else self.state,
        )

    @property
    def turn_length(self) -> int:
        """How many plies the last turn has; a turn is all that one seat does in a row."""
        count = 0
        for mover in reversed(self.movers):
            if mover != self.movers[-1]:
                break
            count += 1
        return count

    @property
    def last_turn(self) -> str | None:
        """How the last turn is written."""
        count = self.turn_length
        return TURN_JOINT.join(self.texts[-count:]) if count else None


class Courses:
    """Courses by how they are written; whoever goes on from a known one pays for the new moves."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._known: OrderedDict[tuple[Game, str, tuple[str, ...]], Course] = OrderedDict()

    def find(self, start: State, moves: Sequence[str]) -> Course:
        """The course of these moves or whole turns; a Refusal says which of them is wrong."""
        written = tuple(moves)
        known = len(written)
        while known and (start.game, start.position, written[:known]) not in self._known:
            known -= 1
        course = (
            self._known[start.game, start.position, written[:known]]
            if known
            else Course.begin(start)
        )
        for number in range(known, len(written)):
            course = _follow(course, written[number], number, len(written))
        self._keep((start.game, start.position, written), course)
        return course

    def _keep(self, key: tuple[Game, str, tuple[str, ...]], course: Course) -> None:
        self._known[key] = course
        self._known.move_to_end(key)
        while len(self._known) > self._kept:
            self._known.popitem(last=False)


def _follow(course: Course, written: str, number: int, count: int) -> Course:
    try:
        for move in course.state.parse_turn(written):
            course = course.after(int(move))
    except SkerryError as error:
        if number == count - 1:  # the one that is being tried
            raise
        raise Refusal(f"move {number + 1}: {error}") from None
    return course
