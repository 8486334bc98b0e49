"""Plain minimax, slow and obviously right."""

from functools import cache

import skerry


@cache
def solve(state: skerry.State) -> frozenset[tuple[float, ...]]:
    """Every returns vector that best play may lead to: minimax, and max-n with all its ties."""
    if state.outcome is not None:
        return frozenset([state.outcome.returns])
    seat = state.to_move
    assert seat is not None
    options = [solve(state.play(move)) for move in state.legal_moves()]
    # A seat takes what is best for it; where a child is unclear, its worst case is what it has.
    best = max(min(returns[seat] for returns in option) for option in options)
    return frozenset(returns for option in options for returns in option if returns[seat] >= best)
