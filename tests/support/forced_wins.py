"""Forced wins by the plainest search there is: every line is played out, nothing is ordered."""

from skerry import State


def forces(state: State, seat: int, turns: int, begun: bool = False) -> bool:
    """Whether a seat forces a win within so many of its turns, all others being against it.

    ``begun`` says that it is in the middle of a turn, which then does not count.
    """
    if state.outcome is not None:
        return state.outcome.winner == seat
    mine = state.to_move == seat
    if mine and not begun:
        turns -= 1
    if turns < 0:
        return False
    after = (state.play(int(action)) for action in state.legal_actions())
    return (any if mine else all)(forces(child, seat, turns, mine) for child in after)


def find_winning_turns(state: State, turns: int) -> list[str]:
    """All first turns of the seat to move that force a win within so many."""
    seat = state.to_move
    assert seat is not None
    ends: dict[str, State] = {}
    begun = {str(move): state.play(move) for move in state.legal_moves()}
    while begun:
        ends |= {text: after for text, after in begun.items() if after.to_move != seat}
        begun = {
            f"{text}-{move}": after.play(move)
            for text, after in begun.items()
            if after.to_move == seat
            for move in after.legal_moves()
        }
    return [text for text, end in ends.items() if forces(end, seat, turns - 1)]
