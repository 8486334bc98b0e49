"""Games ready to be played: their kernels are loaded before anybody waits for them.

On a machine new to a board size, the first use of its rules compiles them for seconds. That
happens in a thread, so that the pages of everybody else go on.
"""

import asyncio
from collections.abc import Mapping
from functools import lru_cache

from skerry.core.game import Game
from skerry.core.options import settle
from skerry.core.scene import Overlay
from skerry.games import GAMES, kind, make
from skerry.search.warmup import rehearse
from skerry.server.web.lru import Recent

KEPT = 256  # games with their options

Key = tuple[str, tuple[tuple[str, int], ...]]


class Rulebook:
    """All games that were asked for lately, each with its kernels loaded."""

    def __init__(self) -> None:
        self._games: Recent[Key, Game] = Recent(KEPT)
        self._loading = asyncio.Lock()  # compiling one after the other leaves a core to the rest

    async def game(self, name: str, options: Mapping[str, object]) -> Game:
        """A game of that name and options; OptionsError if there is none."""
        game = self._find(name, options)
        if game is not None:
            return game
        async with self._loading:
            game = self._find(name, options)
            if game is None:
                game = await asyncio.to_thread(make, name, **options)
                await asyncio.to_thread(room_for, game)
                self._games[key_of(game)] = game
        return game

    async def load_defaults(self) -> None:
        """Get ready for what newcomers ask for first."""
        for name in GAMES:
            await self.game(name, {})

    def _find(self, name: str, options: Mapping[str, object]) -> Game | None:
        return self._games.get(name_game(name, options))


def key_of(game: Game) -> Key:
    """What tells a game from others: its name and options."""
    return game.name, tuple(game.options.items())


@lru_cache(maxsize=KEPT)
def open_game(key: Key) -> Game:
    """A game in a process of the pool, which has one of each."""
    name, options = key
    return make(name, **dict(options))


def name_game(name: str, options: Mapping[str, object]) -> Key:
    """What tells a game from others, though nobody has set it up; OptionsError if there is none."""
    return name, tuple(settle(name, kind(name).option_specs, options).items())


@lru_cache(maxsize=KEPT)
def room_for(game: Game) -> Overlay:
    """What an explanation of the game may take at the end, so that all its boards have one size."""
    return rehearse(game).overlay("standing")
