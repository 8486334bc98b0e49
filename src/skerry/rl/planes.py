"""Observations of single positions; those of batches are made where the batches are."""

import numpy as np
from numpy.typing import NDArray

from skerry.core.state import State
from skerry.nets.layout import Layout
from skerry.rl import seeing


def see(layout: Layout, state: State, seat: int) -> NDArray[np.uint8]:
    """One position as a seat sees it [planes, height, width]."""
    game = state.game
    out = np.zeros((1, int(np.prod(layout.shape))), np.uint8)
    seeing.show_all(
        game.tables,
        np.array([state.raw]),
        np.array([seat], np.int8),
        game.num_seats,
        layout.start_of,
        layout.place_of,
        layout.board,
        layout.counter,
        np.zeros(len(game.board), np.uint8),
        out,
    )
    return out.reshape(layout.shape)
