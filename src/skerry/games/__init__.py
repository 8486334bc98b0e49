"""The registry: one row per game of ours, and the games that other distributions bring.

A game's module is imported when it is first asked for. Those of others are all imported as soon as
somebody asks for a name that is none of ours, or for all games there are: only then is known which
of them work.
"""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from inspect import isabstract
from threading import RLock
from typing import overload

from skerry.core import rules
from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Game
from skerry.core.kernels import IMPLEMENTATIONS
from skerry.core.plugins import load_plugins

# name -> module and class; the order is the order of every listing
REGISTRY = {
    "skew": ("skerry.games.skew", "Skew"),
    "skirt": ("skerry.games.skirt", "Skirt"),
    "x": ("skerry.games.x", "X"),
    "skaane": ("skerry.games.skaane", "Skaane"),
}
GROUP = "skerry.games"  # of entry points: name of a game = module:class
NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")  # as addresses, files and the compiler can have it
REQUIRED = (rules.play, rules.restore)  # all other generics have defaults
SAID = ("title", "credit", "summary", "seats", "seat_letters", "option_specs", "sizes", "clauses")


class _ForeignGames:
    """The games of other distributions, looked for once."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._found: dict[str, type[Game]] | None = None

    def load(self) -> dict[str, type[Game]]:
        with self._lock:
            if self._found is None:
                self._found = {}  # what a game sees that asks while it is being imported
                self._found = load_plugins(GROUP, check_game, REGISTRY)
            return self._found


class GameNames(Sequence[str]):
    """The names of all games: ours, then those of other distributions."""

    def _names(self) -> tuple[str, ...]:
        return (*REGISTRY, *FOREIGN.load())

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._names()[index]

    def __len__(self) -> int:
        return len(self._names())

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __eq__(self, other: object) -> bool:
        return self._names() == (other._names() if isinstance(other, GameNames) else other)

    def __hash__(self) -> int:
        return hash(self._names())

    def __repr__(self) -> str:
        return repr(self._names())


FOREIGN = _ForeignGames()
GAMES = GameNames()


def kind(name: str) -> type[Game]:
    """The class of a game."""
    if isinstance(name, str):
        if name in REGISTRY:
            module, attribute = REGISTRY[name]
            found: type[Game] = getattr(import_module(module), attribute)
            return found
        if name in FOREIGN.load():
            return FOREIGN.load()[name]
    raise OptionsError(f"there is no game {shorten(name)}; the games are {', '.join(GAMES)}")


def make(name: str, /, **options: object) -> Game:
    """A game with its options settled: ``make("skew", side=5)``."""
    return kind(name)(**options)


def home_of(name: str) -> str | None:
    """The package of a game that another distribution brings, where there may be a course, puzzles
    and nets beside it; None for games of ours, and for one that is a single module."""
    if name in REGISTRY or name not in FOREIGN.load():
        return None
    return getattr(import_module(FOREIGN.load()[name].__module__), "__package__", None) or None


def check_game(name: str, found: object) -> type[Game]:
    """A game as another distribution has it; ValueError says what it lacks."""
    if not (isinstance(found, type) and issubclass(found, Game)) or isabstract(found):
        raise ValueError(f"{shorten(found)} is no subclass of skerry.Game with all that it needs")
    if not NAME.fullmatch(name):
        raise ValueError("a name is of lower case letters, digits and _, 32 at most")
    if getattr(found, "name", None) != name:
        raise ValueError(f"the class says that its name is {shorten(getattr(found, 'name', None))}")
    missing = [f"{found.__name__}.{said}" for said in SAID if not hasattr(found, said)]
    missing += [f"rules.{each.__name__}" for each in REQUIRED if name not in IMPLEMENTATIONS[each]]
    if missing:
        raise ValueError(f"it lacks {', '.join(missing)}")
    found()  # its usual board can be set up
    return found
