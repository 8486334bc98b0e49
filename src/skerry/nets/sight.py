"""How nets see a game: what stands on each cell from the view of whoever moves, and facts about
the game as a whole."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skerry.core.game import Game
from skerry.nets.layout import lay_out
from skerry.nets.shape import Shape, count_flags


@dataclass(frozen=True, eq=False)
class Sight:
    """Where things are for a net that looks at one game."""

    kinds: int  # of things that may stand on a cell
    height: int
    width: int
    labels: NDArray[np.int64]  # [seats, codes] by who looks: 0 for what is empty, else 1 + its kind
    places: NDArray[np.int64]  # [cells] where a cell is on the grid
    options: NDArray[np.float32]  # of the board, each divided by its default; no variants

    @property
    def facts(self) -> int:
        """How many numbers tell of the game as a whole: who moves, two for the counter, options,
        and with more than two seats which of them are strangers', from the mover on."""
        seats = len(self.labels)
        return seats + 2 + len(self.options) + count_flags(seats)


def look_at(game: Game) -> Sight:
    """How nets see a game."""
    layout = lay_out(game)
    _, height, width = layout.shape
    planes = layout.start_of // np.uint32(height * width)
    labels = 1 + planes[:, : game.num_codes].astype(np.int64)
    hidden = {0, *range(1, game.num_codes)} - set(_list_shown(game))
    labels[:, sorted(hidden)] = 0
    # Variants are nothing that a net is told: nets of one game all have one shape.
    specs = [spec for spec in game.option_specs if not spec.ours]
    options = [game.options[spec.name] / spec.default for spec in specs]
    return Sight(
        kinds=int(planes[:, 1:-1].max()) + 1,
        height=height,
        width=width,
        labels=labels,
        places=layout.place_of.astype(np.int64),
        options=np.array(options, np.float32),
    )


def _list_shown(game: Game) -> list[int]:
    """Codes that a plane shows: all but those of pieces that never change."""
    fixed = set(game.fixtures.values())
    letters = [1 + n for n, letter in enumerate(game.letters) if letter not in fixed]
    return letters + list(range(1 + len(game.letters), game.num_codes))


def shape_for(game: Game, channels: int = 64, blocks: int = 6) -> Shape:
    """The shape of a net for all boards of a game."""
    sight = look_at(game)
    ways, extras = divmod(game.num_actions, len(game.board))
    return Shape(sight.kinds, sight.facts, ways, extras, game.num_seats, channels, blocks)
