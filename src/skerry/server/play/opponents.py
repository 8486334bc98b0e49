"""Engines that are due to move: each gets its turn, and no game is forgotten.

An engine's move is made like anybody else's, on the version it was thought about. If the game has
moved on meanwhile, the answer is dropped and the game looked at again.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field

from sqlalchemy.exc import DBAPIError

from skerry.core.errors import Forfeit
from skerry.server.play.deeds import answer, forfeit, swap
from skerry.server.play.engines import Engines
from skerry.server.play.hub import Hub
from skerry.server.play.store import Store
from skerry.server.play.table import Table
from skerry.server.settings import Settings
from skerry.server.web.errors import Busy, Refusal, TooMany
from skerry.server.web.logs import log
from skerry.server.web.lru import Recent
from skerry.server.web.metrics import Metrics
from skerry.server.web.refusals import note_absence

REMEMBERED = 10_000  # games of which we know for whom an engine thinks
MOST_WAITING = 2000  # games that wait for an engine
SWEEP = 5.0  # seconds between looks for games that wait for an engine without anybody's doing
Lock = Callable[[str], AbstractAsyncContextManager[bool]]


def always_alone(_id: str) -> AbstractAsyncContextManager[bool]:
    """The lock of a server that is the only one."""
    return nullcontext(True)


@dataclass(eq=False)
class Opponents:
    """The games in which an engine is thinking, with the visitors for whom it does.

    No more of them think for one visitor than ``settings.thinking``, and none is forgotten: the
    others wait, and visitors take turns.

    ``alone`` is a lock across workers: whether no other thinks about a game meanwhile.
    """

    store: Store
    hub: Hub
    engines: Engines
    settings: Settings
    metrics: Metrics
    now: Callable[[], int]
    alone: Lock = always_alone
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _again: set[str] = field(default_factory=set)
    _waiting: dict[str, None] = field(default_factory=dict)  # games, those that came first first
    _visitors: Recent[str, str] = field(default_factory=lambda: Recent(REMEMBERED))  # by game
    _closed: bool = False

    def check(self, visitor: str) -> None:
        """See that there is room for another game that will need an engine.

        Games that are being played need not ask: their engines wait for their turn.
        """
        if len(self._tasks) >= self.settings.engine_queue:
            raise Busy("all engines are busy; try again in a few seconds")
        games = (*self._tasks, *self._waiting)
        mine = sum(self._visitors.get(id) == visitor for id in games)
        if self.settings.thinking and mine >= self.settings.thinking:
            raise TooMany(
                "engines are thinking for you in enough games; wait until one of them has moved"
            )

    def consider(self, table: Table, visitor: str | None = None) -> None:
        """Let the engine think that is to move, if there is one, for whoever brought it about."""
        if table.thinker is None or not self._wanted(table):
            return
        if visitor is not None:
            self._visitors[table.id] = visitor
        self._begin(table.id)

    def watch(self, table: Table, visitor: str) -> None:
        """Somebody looks at a game: engines among themselves go on for them.

        Where somebody else has made an engine think it goes on thinking for those: looking at
        others' games must not slow them down.
        """
        is_due = table.id in self._tasks or table.id in self._waiting
        theirs = table.persons or (is_due and self._visitors.get(table.id) is not None)
        self.consider(table, None if theirs else visitor)

    def _wanted(self, table: Table) -> bool:
        """Engines among themselves play only while somebody watches, or in a tournament."""
        is_asked = bool(table.persons) or table.event is not None
        return is_asked or self.hub.is_watched(table.id)

    def _begin(self, id: str) -> None:
        if id in self._tasks:
            self._again.add(id)
        elif len(self._waiting) < MOST_WAITING:  # of others a later sweep knows
            self._waiting.setdefault(id)
            self._go_on()

    def _go_on(self) -> None:
        """Begin with games that wait, for as long as there is room: visitors take turns."""
        while self._waiting and not self._closed and len(self._tasks) < self.settings.engine_queue:
            busy = Counter(self._visitors.get(id) for id in self._tasks)
            most = self.settings.thinking or self.settings.engine_queue
            ready = [
                id
                for id in self._waiting
                if (who := self._visitors.get(id)) is None or busy[who] < most
            ]
            if not ready:
                break
            id = min(ready, key=lambda id: busy[self._visitors.get(id)])
            del self._waiting[id]
            self._tasks[id] = asyncio.create_task(self._think(id))

    async def _think(self, id: str) -> None:
        try:
            with self.metrics.engine_queue.track_inprogress():
                async with self.alone(id) as alone:
                    self._again.add(id)
                    while alone and id in self._again:
                        self._again.discard(id)
                        await self._play_on(id)
        except (DBAPIError, ConnectionError) as error:  # a later sweep finds the game again
            note_absence(error)
        except Refusal as error:
            log("an engine could not move", level=logging.ERROR, game=id, reason=str(error))
        except Exception:
            log("an engine could not move", level=logging.ERROR, game=id, exc_info=True)
        finally:
            self._tasks.pop(id, None)
            self._again.discard(id)
            self._go_on()

    async def _play_on(self, id: str) -> None:
        """Move for as long as engines are to move."""
        table = await self.store.find(id)
        while table.thinker is not None and self._wanted(table):
            began = time.monotonic()
            after = await self._decide(table, table.thinker)
            await asyncio.sleep(self.settings.pace / 1000 - (time.monotonic() - began))
            try:
                table = await self.store.replace(table, after(self.now()))
                self.metrics.moves.labels(by="engine").inc()
            except Refusal:  # the game has moved on
                table = await self.store.find(id)
            if self._waiting and not table.persons:  # others go first, and then this one again
                self._again.discard(id)
                self._waiting[id] = None
                return

    async def _decide(self, table: Table, engine: str) -> Callable[[int], Table]:
        """What an engine does, given the time at which it is done."""
        visitor = self._visitors.get(table.id)
        if table.can_swap and await self.engines.wants_swap(table, engine, visitor):
            return lambda now: swap(table, frozenset(range(len(table.seats))), now)
        try:
            chosen = await self.engines.choose(table, engine, visitor)
        except Forfeit as why:
            reason = str(why)
            return lambda now: forfeit(table, reason, now)
        return lambda now: answer(table, chosen, now)

    async def sweep(self) -> None:
        """Find games that wait: from before a restart, from a full queue, from a dead worker."""
        while True:
            for id in await self.store.list_thinking(self.hub.watched()):
                if id not in self._tasks:
                    self._begin(id)
            await asyncio.sleep(SWEEP)

    async def close(self) -> None:
        """Drop what engines are thinking about; it is thought about again by the next server."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
