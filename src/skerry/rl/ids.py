"""Versioned names: ``skew-v0`` is Skew as environments have shown it since version 0.

The number rises when actions, observations or rewards change their meaning, so that what was
learnt or measured under a name stays comparable.
"""

from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Game
from skerry.games import GAMES, make

VERSION = 0
IDS = tuple(f"{name}-v{VERSION}" for name in GAMES)


def id_of(name: str) -> str:
    """The environment of a game."""
    return f"{name}-v{VERSION}"


def game_of(environment: "str | Game", **options: object) -> Game:
    """The game of an environment: ``game_of("skew-v0", side=4)``; a game stays what it is."""
    if isinstance(environment, Game) and not options:
        return environment
    if environment not in IDS:
        raise OptionsError(f"there is no environment {shorten(environment)}; use {', '.join(IDS)}")
    return make(str(environment).rpartition("-v")[0], **options)
