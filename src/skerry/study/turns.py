"""Whole turns from a position: a turn may be several actions of one seat."""

from collections.abc import Iterator

from skerry.core.notation import TURN_JOINT
from skerry.core.state import State


def list_turns(state: State) -> Iterator[tuple[str, State]]:
    """All turns of the seat to move, written as ``State.play`` reads them, and where they lead."""
    for move in state.legal_moves():
        after = state.play(move)
        if after.to_move != state.to_move:
            yield str(move), after
        else:
            for rest, end in list_turns(after):
                yield f"{move}{TURN_JOINT}{rest}", end


def list_replies(state: State, seat: int) -> Iterator[tuple[tuple[str, ...], State]]:
    """All that can happen before it is the seat's turn again, or the game is over."""
    if state.to_move in (None, seat):
        yield (), state
        return
    for turn, after in list_turns(state):
        for rest, end in list_replies(after, seat):
            yield (turn, *rest), end
