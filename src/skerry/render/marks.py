"""The overlay of the last turn, which needs to know what was there before."""

from skerry.core.game import State
from skerry.core.scene import CHANGED, LAST, Mark, Overlay


def last_turn(before: State, turn: str) -> Overlay:
    """The cells that a turn names, and what else looks different after it."""
    named, state = [], before
    index = before.game.board.index
    for move in before.parse_turn(turn):
        named += [index[name] for name in state.path(move) if name in index]
        state = state.play(move)
    old, new = before.scene().pieces, state.scene().pieces
    changed = [cell for cell in sorted({*old, *new}) if old.get(cell) != new.get(cell)]
    marks = [Mark(cell, CHANGED) for cell in changed if cell not in named]
    return Overlay(marks=(*marks, *(Mark(cell, LAST) for cell in named)))
