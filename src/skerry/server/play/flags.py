"""Flags fall when they fall, whether anybody is connected or not."""

import asyncio
import logging
from collections.abc import Callable

from sqlalchemy.exc import DBAPIError

from skerry.server.db.retry import PAUSE
from skerry.server.play.deeds import flag
from skerry.server.play.store import Store
from skerry.server.play.table import Table
from skerry.server.web.errors import Refusal
from skerry.server.web.logs import log
from skerry.server.web.metrics import Metrics

LONGEST_SLEEP = 5.0  # seconds; another worker may have died with a deadline only it knew of


class Deadlines:
    """Sleeps until the next deadline in the database, or until a nearer one is set."""

    def __init__(self, store: Store, metrics: Metrics, now: Callable[[], int]) -> None:
        self._store = store
        self._metrics = metrics
        self._now = now
        self._nearer = asyncio.Event()
        self._next: int | None = None

    async def find(self, id: str) -> Table:
        """A game as it is now; its flag falls if it is time."""
        table = await self._store.find(id)
        return await self.enforce(id) if self._is_due(table) else table

    async def recall(self, id: str) -> Table:
        """A game for those who are told of its changes."""
        table = await self._store.recall(id)
        return await self.find(id) if self._is_due(table) else table

    async def list_owned(self, account: str) -> list[str]:
        """The games of an account that go on, those that changed last first."""
        return await self._store.list_owned(account)

    def _is_due(self, table: Table) -> bool:
        return table.deadline is not None and table.deadline <= self._now()

    def consider(self, table: Table, visitor: str | None = None) -> None:
        """A table has changed: wake up earlier if its deadline is the next."""
        if table.deadline is not None and (self._next is None or table.deadline < self._next):
            self._nearer.set()

    async def watch(self) -> None:
        while True:
            self._nearer.clear()
            least = 0.0
            for id in await self._store.list_due(self._now()):
                try:
                    await self.enforce(id)
                except (DBAPIError, ConnectionError):  # no other game fares better
                    raise
                except Exception:  # one game must not keep the others waiting
                    log("a flag could not fall", level=logging.ERROR, game=id, exc_info=True)
                    least = PAUSE
            self._next = await self._store.next_deadline()
            left = LONGEST_SLEEP
            if self._next is not None:
                left = min(left, max(least, (self._next - self._now()) / 1000))
            try:
                await asyncio.wait_for(self._nearer.wait(), left)
            except TimeoutError:
                continue

    async def enforce(self, id: str) -> Table:
        """The table after its flag has fallen, if it has."""
        table = await self._store.find(id)
        after = flag(table, self._now())
        if after is table:
            return table
        try:
            table = await self._store.replace(table, after)
            self._metrics.flags.inc()
        except Refusal:  # somebody did something at the last moment
            table = await self._store.find(id)
        return table
