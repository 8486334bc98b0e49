"""The symmetries of a board as nets use them: one position in all its images."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core.game import Game


class Images(NamedTuple):
    """By symmetry, what a position becomes."""

    cells: NDArray[np.int64]  # [symmetries, cells] from which cell each cell's code comes
    codes: NDArray[np.int64]  # [symmetries, codes] what each code becomes
    actions: NDArray[np.int64]  # [symmetries, actions] what each action becomes


def list_images(game: Game) -> Images:
    """The symmetries of a game."""
    actions = range(game.num_actions)
    return Images(
        np.array([np.argsort(symmetry.cells) for symmetry in game.symmetries]),
        np.array([game.map_codes(symmetry).astype(np.int64) for symmetry in game.symmetries]),
        np.array(
            [
                [game.transform_action(action, number) for action in actions]
                for number in range(len(game.symmetries))
            ]
        ),
    )
