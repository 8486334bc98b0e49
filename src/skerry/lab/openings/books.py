"""Books of beginnings: those that come with skerry, and those in a folder of one's own.

A book is what ``skerry survey`` has found out about one board: first moves, and even starts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from random import Random

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.state import State
from skerry.games import home_of
from skerry.lab.beginnings import Beginnings, EvenStart, read_beginnings

KEPT = 64  # books that a process remembers
# As they come with skerry; a folder of one's own may also be one of surveys.
SHIPPED: tuple[str, ...] = ("*-beginnings.json",)
OWN: tuple[str, ...] = ("*beginnings.json", "*/beginnings.json")


@dataclass(frozen=True)
class Books:
    """All books there are; those in ``folder`` go before those that came."""

    folder: str = ""

    def find(self, game: Game) -> Beginnings | None:
        """What is known of how a game with its options begins."""
        books = self._list(game.name)
        return next((book for book in books if book.options == game.options), None)

    def list_boards(self, name: str) -> list[Mapping[str, int]]:
        """The options of a game with which there are even starts."""
        found: list[Mapping[str, int]] = []
        for book in self._list(name):
            if book.even_starts and book.options not in found:
                found.append(book.options)
        return found

    def list_starts(self, game: Game) -> tuple[EvenStart, ...]:
        """The even starts of a board; OptionsError if none are known."""
        book = self.find(game)
        if book is None or not book.even_starts:
            raise OptionsError(f"no even starts of {game.title} are known on this board")
        return book.even_starts

    def draw(self, game: Game, dice: Random) -> EvenStart:
        """An even start by chance."""
        return dice.choice(self.list_starts(game))

    def look_up(self, state: State) -> EvenStart | None:
        """The even start that a game has begun with, if it is one; a damaged book knows none, since
        that game goes on without it."""
        try:
            book = self.find(state.game)
        except OptionsError:
            return None
        starts = () if book is None else book.even_starts
        return next((start for start in starts if start.position == state.position), None)

    def _list(self, name: str) -> Iterator[Beginnings]:
        home = home_of(name)
        came = files(home) / "openings" if home else files(__package__) / "data"
        places = [(Path(str(came)), SHIPPED)]
        if self.folder:
            places.insert(0, (Path(self.folder), OWN))
        for place, patterns in places:
            for path in sorted(path for pattern in patterns for path in place.glob(pattern)):
                book = _read(path, path.stat().st_mtime_ns)
                if book.game == name:
                    yield book


@lru_cache(maxsize=KEPT)
def _read(path: Path, _: int) -> Beginnings:
    try:
        return read_beginnings(path.read_text("utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise OptionsError(f"{path} cannot be read: {error}") from None


def name_book(game: Game) -> str:
    """What the file of a board's book is called: ``skew-5-beginnings.json``."""
    size = next(iter(game.options.values()))
    return f"{game.name}-{size}-beginnings.json"
