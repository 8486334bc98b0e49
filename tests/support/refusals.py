"""What a game says when it refuses a move."""

import pytest

import skerry


def illegal(state: skerry.State, move: str | int) -> str:
    """What the game says when it refuses a move that it can read."""
    with pytest.raises(skerry.IllegalMove) as caught:
        state.play(move)
    return str(caught.value)


def invalid(state: skerry.State, move: object) -> str:
    """What the game says about a move that it cannot read."""
    with pytest.raises(skerry.InvalidMove) as caught:
        state.play(move)  # type: ignore[arg-type]
    return str(caught.value)
