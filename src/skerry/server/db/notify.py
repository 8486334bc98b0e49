"""Word between workers, by PostgreSQL's LISTEN and NOTIFY.

The store announces every change by the id and revision of its game. Workers also tell each other
which seats are connected to them, again and again, so that a worker that has died is forgotten. The
locks that a worker holds while its engines think are freed by the database when the worker is gone.
"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from secrets import token_hex
from typing import Any
from zlib import crc32

from sqlalchemy import URL

from skerry.server.play.hub import Hub
from skerry.server.play.store import CHANNEL, Store
from skerry.server.play.table import Held
from skerry.server.web.logs import log

HEARTBEAT = 5.0
FORGOTTEN_AFTER = 3 * HEARTBEAT
LOCKS = 53_482  # the first half of the keys of our locks


class Post:
    """One connection of this worker on which it hears from the others."""

    def __init__(self, url: URL, store: Store, hub: Hub) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._store = store
        self._hub = hub
        self._name = token_hex(8)
        self._connection: Any = None
        self._busy = asyncio.Lock()  # a connection does one thing at a time
        self._heard: dict[str, float] = {}  # worker -> when
        self._errands: set[asyncio.Task[Any]] = set()
        hub.tell = self._tell

    async def open(self) -> None:
        # Only those who use PostgreSQL have its driver.
        import asyncpg  # type: ignore[import-untyped]  # noqa: PLC0415

        self._connection = await asyncpg.connect(self._address)
        await self._connection.add_listener(CHANNEL, self._hear)

    async def listen(self) -> None:
        """Stay connected, tell the others who is here, and forget those who have gone."""
        try:
            while True:
                try:
                    if self._connection.is_closed():
                        await self.open()
                        self._store.forget()
                        self._hub.everything_changed()
                    await self._send({"worker": self._name, "all": self._everybody()})
                except OSError as error:
                    log("the database is away", level=logging.WARNING, reason=str(error))
                self._forget()
                await asyncio.sleep(HEARTBEAT)
        finally:
            await self._connection.close(timeout=1)

    @asynccontextmanager
    async def alone(self, id: str) -> AsyncIterator[bool]:
        """Whether this worker may think about a game; no other may until this ends."""
        locked = await self._ask("SELECT pg_try_advisory_lock($1, $2)", id)
        try:
            yield locked
        finally:
            if locked:
                await self._ask("SELECT pg_advisory_unlock($1, $2)", id)

    async def _ask(self, query: str, id: str) -> bool:
        async with self._busy:
            # Two games may share a number: then one of them waits for a later sweep.
            return bool(await self._connection.fetchval(query, LOCKS, crc32(id.encode()) - 2**31))

    def _tell(self, id: str, held: Held) -> None:
        self._run(self._send({"worker": self._name, "game": id, "seats": sorted(held)}))

    def _run(self, errand: Any) -> None:
        """Do something without waiting for it; what fails is told again with the next heartbeat."""
        task = asyncio.ensure_future(errand)
        self._errands.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: "asyncio.Task[Any]") -> None:
        self._errands.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log("the database is away", level=logging.WARNING, reason=str(task.exception()))

    async def _send(self, content: dict[str, Any]) -> None:
        async with self._busy:
            await self._connection.execute("SELECT pg_notify($1, $2)", CHANNEL, json.dumps(content))

    def _everybody(self) -> dict[str, list[int]]:
        here = self._hub.games_here().items()
        # A message has at most 8000 bytes; the rest is told when it changes.
        return dict([(id, sorted(held)) for id, held in here if held][:200])

    def _hear(self, _connection: object, _sender: int, _channel: str, payload: str) -> None:
        if not payload.startswith("{"):
            id, _, revision = payload.partition(" ")
            self._store.heard(id, int(revision))
            return
        content = json.loads(payload)
        worker = content["worker"]
        if worker == self._name:
            return
        is_new = worker not in self._heard
        self._heard[worker] = time.monotonic()
        told = content.get("all", {}) if "all" in content else {content["game"]: content["seats"]}
        for id, seats in told.items():
            self._note(worker, id, frozenset(seats))
        if is_new:  # it does not know who is here
            self._run(self._send({"worker": self._name, "all": self._everybody()}))

    def _note(self, worker: str, id: str, held: Held) -> None:
        workers = self._hub.elsewhere[id]
        if workers.get(worker, frozenset()) == held:
            return
        if held:
            workers[worker] = held
        else:
            workers.pop(worker, None)
        if not workers:
            del self._hub.elsewhere[id]
        self._hub.changed(id)

    def _forget(self) -> None:
        """Nobody is connected to a worker that says nothing."""
        late = time.monotonic() - FORGOTTEN_AFTER
        for worker in [name for name, heard in self._heard.items() if heard < late]:
            del self._heard[worker]
            for id in [id for id, found in self._hub.elsewhere.items() if worker in found]:
                self._note(worker, id, frozenset())
