"""The streams on which bots are told what happens to their games."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.exc import DBAPIError

from skerry.core.errors import SkerryError
from skerry.server.bots.registry import Bot, BotRegistry
from skerry.server.db.readings import finish
from skerry.server.play.boards import describe_outcome, words
from skerry.server.play.store import Store
from skerry.server.play.table import BOT, Table
from skerry.server.play.views import list_sitting
from skerry.server.web.entrants import Entrant
from skerry.server.web.logs import log
from skerry.server.web.lru import Recent
from skerry.server.web.text import fold

KEEP_ALIVE = 15.0  # seconds until an empty line tells that we are still here
REMEMBERED = 1000  # games of which a stream knows what it has told
ENDED, ASKED = -1, -2  # no versions of a game: that it is over, and that a rematch is wanted


@dataclass(eq=False)
class Listener:
    """A stream of events for one bot, with the games that it has to look at again."""

    ids: set[str] = field(default_factory=set)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    everything: bool = True  # whether it has to look at all games of the bot
    called: bool = True  # whether somebody may have challenged it

    def notice(self, id: str) -> None:
        self.ids.add(id)
        self.news.set()

    def notice_all(self) -> None:
        self.everything = True
        self.news.set()


class BotEvents:
    """All streams; a spectator of games, as the announcer has them.

    ``list_challenges`` knows who wants to play with a bot, which is given as an entrant.
    """

    def __init__(self, registry: BotRegistry, store: Store) -> None:
        self.list_challenges: Callable[[str], Awaitable[list[dict[str, Any]]]] = _list_none
        self._registry = registry
        self._store = store
        self._listeners: defaultdict[str, set[Listener]] = defaultdict(set)
        self._changed: set[str] = set()
        self._news = asyncio.Event()

    def changed(self, id: str) -> None:
        """A game has changed: its bots are to be told, if any of them listens."""
        if self._listeners:
            self._changed.add(id)
            self._news.set()

    def everything_changed(self) -> None:
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.notice_all()

    def dismiss(self, name: str) -> None:
        """End the streams of a bot that has left."""
        for listener in self._listeners.get(name, ()):
            listener.news.set()

    def list_listening(self) -> set[str]:
        """The bots that listen here, as entrants."""
        return {entrant_of(name) for name in self._listeners}

    def call(self, entrant: str) -> None:
        """Somebody has challenged a bot, or any other entrant."""
        for name, listeners in self._listeners.items():
            if entrant_of(name) == entrant:
                for listener in listeners:
                    listener.called = True
                    listener.news.set()

    async def tell(self) -> None:
        """Find out which bots a change concerns."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._changed:
                id = self._changed.pop()
                try:
                    table = await self._store.recall(id)
                except (SkerryError, DBAPIError, OSError) as error:
                    log("a bot was not told", level=logging.WARNING, game=id, reason=str(error))
                    continue
                for seat in table.seats:
                    if seat.kind == BOT:
                        for listener in self._listeners.get(seat.name, ()):
                            listener.notice(id)

    @contextmanager
    def _listen(self, bot: Bot) -> Iterator[Listener]:
        listener = Listener()
        self._listeners[bot.name].add(listener)
        try:
            yield listener
        finally:
            self._listeners[bot.name].discard(listener)
            if not self._listeners[bot.name]:
                del self._listeners[bot.name]

    async def follow(self, bot: Bot) -> AsyncIterator[dict[str, Any] | None]:
        """Everything that happens to the games of a bot, until it has left.

        All games that go on come first. None is told now and then to show that we are still here.
        """
        told: Recent[str, int] = Recent(REMEMBERED)
        known: Recent[str, None] = Recent(REMEMBERED)  # challenges
        with self._listen(bot) as listener:
            while True:
                listener.news.clear()  # before anything is looked at, so that nothing is missed
                if not await finish(self._registry.stays(bot)):
                    return
                if listener.everything:
                    listener.everything = False
                    listener.ids.update(await finish(self._registry.list_games(bot)))
                    listener.ids.update(id for id, version in told.items() if version > ENDED)
                ids, listener.ids = sorted(listener.ids), set()
                for id in ids:
                    table = await finish(self._store.recall(id))
                    for event in list_events(table, bot.name, told.get(id)):
                        yield event
                    if not table.is_waiting:
                        told[id] = _note(table)
                if listener.called:
                    listener.called = False
                    for challenge in await finish(self.list_challenges(entrant_of(bot.name))):
                        if challenge["id"] not in known:
                            known[challenge["id"]] = None
                            yield {"type": "challenge", **challenge}
                try:
                    await asyncio.wait_for(listener.news.wait(), KEEP_ALIVE)
                except TimeoutError:
                    yield None
                    listener.everything = listener.called = True  # that may have been missed


async def _list_none(_entrant: str) -> list[dict[str, Any]]:
    return []


def entrant_of(name: str) -> str:
    """A bot among all who are listed and paired."""
    return str(Entrant(BOT, fold(name)))


def _note(table: Table) -> int:
    """How much a bot knows of a game, once it was told how it stands."""
    if not table.is_over:
        return table.version
    return ASKED if table.wanting else ENDED


def list_events(table: Table, name: str, told: int | None) -> list[dict[str, Any]]:
    """What there is to tell a bot about a game of which it knows a version."""
    if told in (_note(table), ASKED) or table.is_waiting:
        return []
    own = next((n for n, s in enumerate(table.seats) if (s.kind, s.name) == (BOT, name)), None)
    if own is None:
        return []
    shown = {
        "id": table.id,
        "game": table.game.name,
        "options": table.game.options,
        "rated": table.rated,
        "seat": own,
        "seats": list_sitting(table.game, table.seats),
        "version": table.version,
        "position": table.state.position,
        "moves": list(table.line.texts),
        "to_move": table.to_move,
        "words": words(table.line, table.outcome),
    }
    if table.is_over:
        outcome = describe_outcome(table.outcome)
        ended = [] if told == ENDED else [{"type": "end", **shown, "outcome": outcome}]
        is_asked = table.wanting and own not in table.wanting and table.rematch is None
        return [*ended, {"type": "rematch", **shown}] if is_asked else ended
    events = [] if told is not None else [{"type": "start", **shown}]
    if table.to_move == own:
        legal = [str(move) for move in table.state.legal_moves()]
        events.append({"type": "turn", **shown, "legal": legal})
    return events
