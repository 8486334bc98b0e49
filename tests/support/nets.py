"""Nets that were never trained, and positions to show them: whatever they think, rules and proofs
must hold."""

import numpy as np

import skerry
from skerry.nets.file import Net
from skerry.nets.sight import shape_for
from skerry.rl import BatchEnv


def random_net(game: skerry.Game, channels: int = 16, blocks: int = 2, seed: int = 0) -> Net:
    """A net of random weights, small enough that what it says stays within bounds."""
    rng = np.random.default_rng(seed)
    shape = shape_for(game, channels, blocks)
    weights = {
        name: (
            rng.standard_normal(sizes) * (np.prod(sizes[1:]) ** -0.5 if len(sizes) > 1 else 0.1)
        ).astype(np.float32)
        for name, sizes in shape.list_weights()
    }
    return Net(game.name, shape, weights, {"seed": seed})


def play_some(game: skerry.Game, plies: int, count: int = 24) -> list[skerry.State]:
    """Positions of random games."""
    env = BatchEnv(game, count, auto_reset=False)
    for _ in range(plies):
        env.step(env.sample())
    return [state for k in range(count) if not (state := env.state(k)).is_over]


def play_until(state: skerry.State, plies: int, seed: int = 0) -> skerry.State:
    """A position of a random game, after so many plies or before its end."""
    chooser = np.random.default_rng(seed)
    for _ in range(plies):
        after = state.play(int(chooser.choice(state.legal_actions())))
        if after.is_over:
            break
        state = after
    return state


def has_win(state: skerry.State) -> bool:
    """Whether an action wins at once."""
    ends = (state.play(action).outcome for action in state.legal_actions().tolist())
    return any(end is not None and end.returns[state.turn] == 1 for end in ends)
