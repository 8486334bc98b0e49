"""Hypothesis strategies: any game at a small size, and any state that play can come to."""

from hypothesis import strategies as st

import skerry
from support.sizes import small_games

GAMES = small_games()


@st.composite
def states(draw: st.DrawFn, game: skerry.Game | None = None, longest: int = 60) -> skerry.State:
    """A state after some random moves; now and then a finished game."""
    if game is None:
        game = draw(st.sampled_from(GAMES))
    state = game.initial(draw(st.integers(0, 2**32)))
    length = draw(st.integers(0, longest))
    chooser = draw(st.randoms(use_true_random=False))
    for _ in range(length):
        if state.is_over:
            break
        state = state.play(chooser.choice(state.legal_actions().tolist()))
    return state
