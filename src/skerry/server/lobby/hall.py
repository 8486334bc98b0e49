"""Whoever looks at the lobby: all are sent what has changed, which is read and written once.

A thousand pages that look on cost nothing while nothing changes, and little when something does:
every worker reads the open challenges once for all of them, and at most a few times a second.
"""

import asyncio
import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from skerry.server.bots.events import BotEvents
from skerry.server.db.retry import keep_reading
from skerry.server.lobby.challenge import Challenge
from skerry.server.lobby.store import ChallengeStore
from skerry.server.lobby.views import describe_lobby, list_mine
from skerry.server.web.metrics import Metrics
from skerry.server.web.sockets import write_message

PAUSE = 0.25  # seconds between two readings


@dataclass(eq=False)
class Onlooker:
    """One connection to the lobby. ``shown`` are the hashes of secrets by which they have joined.

    A ``brief`` one is not told of challenges of others, but how many there are; one that is
    ``hidden`` is told of its own ones alone.
    """

    shown: frozenset[str] = frozenset()
    entrant: str | None = None
    brief: bool = False
    hidden: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)
    told: str = ""

    @property
    def is_known(self) -> bool:
        """Whether there may be something to tell that others are not told."""
        return bool(self.shown) or self.entrant is not None


class Hall:
    """All who look at the lobby by this worker, and what they see."""

    def __init__(
        self,
        store: ChallengeStore,
        events: BotEvents,
        metrics: Metrics,
        now: Callable[[], int],
    ) -> None:
        self._store = store
        self._events = events
        self._gauge = metrics.lobby
        self._now = now
        self._onlookers: set[Onlooker] = set()
        self._dirty = asyncio.Event()
        self._held: list[Challenge] = []
        self._lists: dict[bool, str] = {}
        store.changed = self.changed

    def changed(self) -> None:
        """Something has changed: everybody is told a moment later."""
        self._dirty.set()

    @contextmanager
    def enter(self, onlooker: Onlooker) -> Iterator[None]:
        """Look on for as long as this lasts."""
        self._onlookers.add(onlooker)
        if self._lists and not self._dirty.is_set() and not onlooker.is_known:
            onlooker.news.set()
        else:
            self.changed()
        try:
            with self._gauge.track_inprogress():
                yield
        finally:
            self._onlookers.discard(onlooker)
            if not self._onlookers:
                self._lists = {}  # nobody keeps it up to date

    def present(self) -> tuple[Collection[str], Collection[str]]:
        """Who is connected here: by hashes of secrets, and as entrants; bots by their streams."""
        hashes = frozenset().union(*(one.shown for one in self._onlookers))
        people = {one.entrant for one in self._onlookers if one.entrant is not None}
        return hashes, people | self._events.list_listening()

    async def keep_reading(self) -> None:
        """Read the lobby whenever it has changed, for all who look on."""
        await keep_reading(self._dirty, self._read, PAUSE)

    async def _read(self) -> None:
        hashes, entrants = self.present()
        self._held = await self._store.list_held(hashes, entrants, self._now())
        for one in self._held:
            if one.is_open and one.terms.addressee is not None:
                self._events.call(one.terms.addressee)
        if not self._onlookers:
            return
        waiting = await self._store.list_open()
        self._lists = {
            brief: _write_message(describe_lobby(waiting, brief=brief)) for brief in (False, True)
        }
        for onlooker in self._onlookers:
            onlooker.news.set()

    def tell(self, onlooker: Onlooker) -> str | None:
        """What there is to tell somebody, as JSON; None if they know it."""
        text = self._write(onlooker)
        if text == onlooker.told:
            return None
        onlooker.told = text
        return text

    def is_news(self, onlooker: Onlooker) -> bool:
        """Whether there is something to tell somebody."""
        return self._write(onlooker) != onlooker.told

    def _write(self, onlooker: Onlooker) -> str:
        if not self._lists:
            return onlooker.told
        lists = self._lists[onlooker.brief or onlooker.hidden]
        if not onlooker.is_known:
            return lists
        mine = list_mine(self._held, onlooker.shown, onlooker.entrant)
        return _join(lists, mine)


def _write_message(lobby: dict[str, Any]) -> str:
    """What everybody is told, of whom nothing is known."""
    return write_message("lobby", lobby=lobby, mine=[])


def _join(message: str, mine: list[dict[str, Any]]) -> str:
    """The same message with what is one's own."""
    own = json.dumps(mine, ensure_ascii=False, separators=(",", ":"))
    return f"{message.removesuffix('[]}')}{own}}}"
