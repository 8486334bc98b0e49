"""The overlay of the last turn, which needs to know what was there before."""

from skerry.core.playthrough import PlayedTurn, Playthrough
from skerry.core.scene import CHANGED, LAST, Mark, Overlay
from skerry.core.state import State


def last_turn(before: State, turn: str) -> Overlay:
    """The cells that a turn names, and what else looks different after it."""
    played = Playthrough(before).follow([turn]).last_turn
    return Overlay() if played is None else mark_turn(played)


def mark_turn(turn: PlayedTurn) -> Overlay:
    """The same for a turn that has been played."""
    index = turn.ends.state.game.board.index
    named = []
    for point in turn.ends.since(turn.begins.plies):
        if point.before is not None and point.move is not None:
            named += [index[name] for name in point.before.state.path(point.move) if name in index]
    old, new = (point.state.scene().pieces for point in (turn.begins, turn.ends))
    changed = [cell for cell in sorted({*old, *new}) if old.get(cell) != new.get(cell)]
    marks = [Mark(cell, CHANGED) for cell in changed if cell not in named]
    return Overlay(marks=(*marks, *(Mark(cell, LAST) for cell in named)))
