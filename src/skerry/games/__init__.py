"""The registry: one row per game. A game's module is imported when it is first asked for."""

from importlib import import_module

from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Game

# name -> module and class; the order is the order of every listing
REGISTRY = {
    "skew": ("skerry.games.skew", "Skew"),
    "skirt": ("skerry.games.skirt", "Skirt"),
    "x": ("skerry.games.x", "X"),
    "skaane": ("skerry.games.skaane", "Skaane"),
}
GAMES = tuple(REGISTRY)


def kind(name: str) -> type[Game]:
    """The class of a game."""
    if not isinstance(name, str) or name not in REGISTRY:
        raise OptionsError(f"there is no game {shorten(name)}; the games are {', '.join(GAMES)}")
    module, attribute = REGISTRY[name]
    found: type[Game] = getattr(import_module(module), attribute)
    return found


def make(name: str, /, **options: object) -> Game:
    """A game with its options settled: ``make("skew", side=5)``."""
    return kind(name)(**options)
