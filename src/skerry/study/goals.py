"""What a reader is asked to bring about, said so that the rules can judge it."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from skerry.core.scene import DANGER
from skerry.core.state import State
from skerry.study.turns import list_turns


class Turn(NamedTuple):
    """A whole turn of a reader: the position before it, its moves, the position after it."""

    before: State
    text: str
    path: tuple[str, ...]  # all that was pointed at
    after: State

    @property
    def seat(self) -> int | None:
        """Whose turn it was."""
        return self.before.to_move


class Goal(Protocol):
    """Whether a turn does what was asked for."""

    def met(self, turn: Turn) -> bool: ...


@dataclass(frozen=True, init=False)
class Play(Goal):
    """One of these turns, each named in full or by what it begins with; any, if none is named."""

    turns: tuple[str, ...]

    def __init__(self, *turns: str) -> None:
        object.__setattr__(self, "turns", turns)

    def met(self, turn: Turn) -> bool:
        return not self.turns or turn.text in self.turns or turn.path[0] in self.turns


@dataclass(frozen=True, init=False)
class Refused(Goal):
    """An attempt at one of these, all of which the rules forbid: paths of what is pointed at."""

    attempts: tuple[str, ...]

    def __init__(self, *attempts: str) -> None:
        object.__setattr__(self, "attempts", attempts)

    def met(self, turn: Turn) -> bool:
        return False  # whatever could be played was not forbidden


@dataclass(frozen=True, init=False)
class Every(Goal):
    """All of these at once."""

    goals: tuple[Goal, ...]

    def __init__(self, *goals: Goal) -> None:
        object.__setattr__(self, "goals", goals)

    def met(self, turn: Turn) -> bool:
        return all(goal.met(turn) for goal in self.goals)


@dataclass(frozen=True)
class Gain(Goal):
    """So much more of what counts, as things stand."""

    least: int

    def met(self, turn: Turn) -> bool:
        return rise(turn, own=True) >= self.least


@dataclass(frozen=True)
class Cut(Goal):
    """So much less of what counts, for the others together."""

    least: int

    def met(self, turn: Turn) -> bool:
        return -rise(turn, own=False) >= self.least


@dataclass(frozen=True)
class Change(Goal):
    """So many pieces on the board look different afterwards."""

    least: int

    def met(self, turn: Turn) -> bool:
        old, new = turn.before.scene().pieces, turn.after.scene().pieces
        return sum(cell in new and new[cell] != piece for cell, piece in old.items()) >= self.least


@dataclass(frozen=True)
class Add(Goal):
    """So many more pieces on the board, or fewer where pieces are taken."""

    pieces: int

    def met(self, turn: Turn) -> bool:
        count = len(turn.after.scene().pieces) - len(turn.before.scene().pieces)
        return count == self.pieces


@dataclass(frozen=True)
class Win(Goal):
    """The game is won."""

    def met(self, turn: Turn) -> bool:
        return turn.after.outcome is not None and turn.after.outcome.winner == turn.seat


@dataclass(frozen=True)
class Draw(Goal):
    """The game is drawn."""

    def met(self, turn: Turn) -> bool:
        return turn.after.outcome is not None and turn.after.outcome.winner is None


@dataclass(frozen=True)
class Hold(Goal):
    """Nobody else wins with the very next turn."""

    def met(self, turn: Turn) -> bool:
        if turn.after.is_over:
            return turn.after.outcome is None or turn.after.outcome.winner in (turn.seat, None)
        return not any(
            after.outcome is not None and after.outcome.winner == turn.after.to_move
            for _, after in list_turns(turn.after)
        )


@dataclass(frozen=True)
class Safe(Goal):
    """Nothing of one's own can be taken with the very next turn."""

    def met(self, turn: Turn) -> bool:
        return not any(
            mark.kind == DANGER and turn.after.scene().pieces[mark.cell].seat == turn.seat
            for mark in turn.after.overlay("standing").marks
        )


def rise(turn: Turn, own: bool) -> int:
    """How much more of what counts there is after a turn: of one's own, or of the others'."""
    before, after = (state.overlay("standing").tally for state in (turn.before, turn.after))
    return sum(
        now - then
        for seat, (then, now) in enumerate(zip(before, after, strict=True))
        if (seat == turn.seat) == own
    )
