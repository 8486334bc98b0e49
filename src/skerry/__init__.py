"""skerry: the home of Skew, Skirt, X and Skaane.

>>> import skerry
>>> game = skerry.make("skew", side=5)
>>> state = game.initial().play("d4-ne")
>>> state.to_move
1
"""

from skerry import render as render  # registers the faces that states can show
from skerry.core.errors import (
    IllegalMove,
    InvalidMove,
    OptionsError,
    PositionError,
    RecordError,
    SkerryError,
)
from skerry.core.game import Game, Move, Outcome, Playouts, State
from skerry.games import GAMES, make

__version__ = "0.1.0"
__all__ = [
    "GAMES",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "Move",
    "OptionsError",
    "Outcome",
    "Playouts",
    "PositionError",
    "RecordError",
    "SkerryError",
    "State",
    "make",
]
