"""skerry: the home of Skew, Skirt, X and Skaane.

>>> import skerry
>>> game = skerry.make("skew", side=5)
>>> state = game.initial().play("d4-ne")
>>> state.to_move
1
"""

from importlib import import_module
from typing import TYPE_CHECKING

from skerry import render as render  # registers the faces that states can show
from skerry.former import forward_former_names

if TYPE_CHECKING:
    from skerry import rl as rl
    from skerry.agents.engine import AsyncEngine, SimpleEngine
    from skerry.agents.opinions import Opinion
    from skerry.agents.python import Agent, AgentPlayer
    from skerry.core.errors import (
        EngineError,
        Forfeit,
        IllegalMove,
        InvalidMove,
        OptionsError,
        PositionError,
        RecordError,
        SkerryError,
        SkerryWarning,
        SolveLimit,
    )
    from skerry.core.game import Game, Playouts
    from skerry.core.state import Move, Outcome, State
    from skerry.games import GAMES, make
    from skerry.search.analysis import Analysis, MoveAnalysis
    from skerry.search.engine import analyse
    from skerry.search.players import Player, player
    from skerry.search.review import MoveReview, Review, review
    from skerry.search.solver.solver import Solution, solve

__version__ = "0.1.0"
__all__ = [
    "GAMES",
    "Agent",
    "AgentPlayer",
    "Analysis",
    "AsyncEngine",
    "EngineError",
    "Forfeit",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "Move",
    "MoveAnalysis",
    "MoveReview",
    "Opinion",
    "OptionsError",
    "Outcome",
    "Player",
    "Playouts",
    "PositionError",
    "RecordError",
    "Review",
    "SimpleEngine",
    "SkerryError",
    "SkerryWarning",
    "Solution",
    "SolveLimit",
    "State",
    "analyse",
    "make",
    "player",
    "review",
    "solve",
]

forward_former_names()

SUBPACKAGES = ("rl",)  # that need not be imported by name
# Loaded when first asked for: the compiler below the games takes a while, and --help needs none.
_HOMES = {
    **dict.fromkeys(("GAMES", "make"), "skerry.games"),
    **dict.fromkeys(("Game", "Playouts"), "skerry.core.game"),
    **dict.fromkeys(("Agent", "AgentPlayer"), "skerry.agents.python"),
    **dict.fromkeys(("AsyncEngine", "SimpleEngine"), "skerry.agents.engine"),
    "Opinion": "skerry.agents.opinions",
    **dict.fromkeys(("Move", "Outcome", "State"), "skerry.core.state"),
    **dict.fromkeys(("Analysis", "MoveAnalysis"), "skerry.search.analysis"),
    "analyse": "skerry.search.engine",
    **dict.fromkeys(("Player", "player"), "skerry.search.players"),
    **dict.fromkeys(("MoveReview", "Review", "review"), "skerry.search.review"),
    **dict.fromkeys(("Solution", "solve"), "skerry.search.solver.solver"),
}


if not TYPE_CHECKING:  # which would take any name for one of ours

    def __getattr__(name: str) -> object:
        if name in SUBPACKAGES:
            return import_module(f"skerry.{name}")
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOMES.get(name, "skerry.core.errors")), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
