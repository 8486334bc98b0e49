"""Counts of sampled actions, through the same generic that playouts use."""

import numpy as np
from numpy.typing import NDArray

import skerry
from skerry.core import rules
from skerry.core.kernels import kernel
from skerry.core.random import seeded


@kernel
def count_samples(tables, states, n, counts, scratch):  # type: ignore[no-untyped-def]
    rng = seeded(5)
    for _ in range(n):
        action, rng = rules.sample(tables[0], states[0], rng, scratch)
        counts[action] += 1


def sample_counts(state: skerry.State, n: int) -> NDArray[np.int64]:
    """How often each action is drawn in ``n`` samples."""
    counts = np.zeros(state.game.num_actions, np.int64)
    scratch = np.zeros(state.game.num_actions, np.int32)
    count_samples(state.game.tables, np.array([state.raw]), n, counts, scratch)
    return counts
