"""Legal actions as bits, for GPUs, are those that are listed."""

from typing import Any

import numpy as np
import pytest

import skerry
from skerry.core import rules
from skerry.core.kernels import kernel
from support.sizes import capacities, small_games


@kernel
def mark(tables: Any, states: Any, marks: Any, scratch: Any) -> None:
    rules.mark(tables[0], states[0], marks, scratch)


@pytest.mark.parametrize(
    "game",
    [
        *small_games(),
        *(pytest.param(game, marks=pytest.mark.soak) for game in capacities()),
    ],
    ids=repr,
)
def test_marks_are_the_legal_actions(game: skerry.Game) -> None:
    chooser = np.random.default_rng(5)
    scratch = np.zeros(game.num_actions, np.int16)
    for seed in range(2):
        state = game.initial(seed)
        while not state.is_over:
            marks = np.zeros(-(-game.num_actions // 32), np.uint32)
            mark(game.tables, np.array([state.raw]), marks, scratch)
            bits = np.unpackbits(marks.view(np.uint8), bitorder="little")
            assert np.array_equal(np.flatnonzero(bits), state.legal_actions())
            state = state.play(int(chooser.choice(state.legal_actions())))
