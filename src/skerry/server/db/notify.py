"""Messages between workers, by PostgreSQL's LISTEN and NOTIFY, and locks that they share.

A lock that a worker holds is freed by the database when the worker is gone.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from secrets import token_hex
from typing import Any
from zlib import crc32

from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db.engine import SESSION
from skerry.server.web.logs import log

CHANNEL = "skerry"
POSTGRESQL = "postgresql"  # the dialect
BEAT = "beat"  # the kind of message by which a worker hears whether it hears
HEARTBEAT = 5.0  # seconds
ANSWER_TIME = 3.0  # seconds after which a connection that says nothing counts as lost
LOCKS = 53_482  # the first half of the keys of our locks
NOTIFY = text("SELECT pg_notify(:channel, :payload)")
# Sessions of ours that the database still believes in: they hold locks, and nobody is there.
END_FORMER = """
SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
WHERE application_name = $1 AND pid <> pg_backend_pid()
"""


async def notify(connection: AsyncConnection, kind: str, content: str) -> None:
    """Send a message as part of a transaction: it is delivered if and when that is committed.

    With SQLite there is one worker, which knows what it does.
    """
    if connection.dialect.name != POSTGRESQL:
        return
    await connection.execute(NOTIFY, {"channel": CHANNEL, "payload": f"{kind} {content}"})


class Channel:
    """The connection on which this worker hears from all workers, itself included.

    ``heard`` are called with the messages of a kind, ``missed`` when messages may have been lost,
    and ``beats`` every few seconds. ``failure`` says why nothing is heard, if so: with every beat
    a worker sends something to itself and waits until it has heard it, since a connection that is
    half-open looks like one on which nothing happens.
    """

    def __init__(self, url: URL) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._connection: Any = None
        self._name = f"skerry {token_hex(8)}"
        self._busy = asyncio.Lock()  # a connection does one thing at a time
        self._errands: set[asyncio.Task[None]] = set()
        self._own = asyncio.Event()
        self.failure: str | None = None
        self.heard: dict[str, Callable[[str], None]] = {BEAT: self._recognise}
        self.missed: list[Callable[[], None]] = []
        self.beats: list[Callable[[], Awaitable[None]]] = []

    async def open(self) -> None:
        # Only those who use PostgreSQL have its driver.
        import asyncpg  # type: ignore[import-untyped]  # noqa: PLC0415

        self._errors = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)
        session = {**SESSION, "application_name": self._name}
        connection = await asyncpg.connect(self._address, server_settings=session)
        try:
            await connection.execute(END_FORMER, self._name)
            await connection.add_listener(CHANNEL, self._hear)
        except BaseException:
            connection.terminate()
            raise
        self._connection = connection

    async def listen(self) -> None:
        """Stay connected, for as long as this lasts."""
        try:
            while True:
                await self.beat()
                await asyncio.sleep(HEARTBEAT)
        finally:
            await self.close()

    async def close(self) -> None:
        with suppress(*self._errors):
            await self._connection.close(timeout=1)

    async def beat(self) -> None:
        """See that we hear; if not, begin anew, and make up for what was missed."""
        try:
            async with asyncio.timeout(ANSWER_TIME):
                if self._connection.is_closed():
                    await self.open()
                    for missed in self.missed:
                        missed()
                for beat in self.beats:
                    await beat()
                self._own.clear()
                await self.send(BEAT, self._name)
                await self._own.wait()
            self.failure = None
        except self._errors as error:
            self.failure = str(error) or f"nothing was heard within {ANSWER_TIME:g} s"
            _note_absence(self.failure)
            self._connection.terminate()  # whoever waits for an answer is told

    def _recognise(self, name: str) -> None:
        if name == self._name:
            self._own.set()

    async def send(self, kind: str, content: str) -> None:
        async with self._busy:
            payload = f"{kind} {content}"
            await self._connection.execute("SELECT pg_notify($1, $2)", CHANNEL, payload)

    def post(self, kind: str, content: str) -> None:
        """Send a message without waiting for it, or for whether it arrives."""
        task = asyncio.create_task(self.send(kind, content))
        self._errands.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: "asyncio.Task[None]") -> None:
        self._errands.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _note_absence(str(error))

    def _hear(self, _connection: object, _sender: int, _channel: str, payload: str) -> None:
        kind, _, content = payload.partition(" ")
        if kind in self.heard:
            self.heard[kind](content)

    @asynccontextmanager
    async def alone(self, id: str) -> AsyncIterator[bool]:
        """Whether this worker may work on a game; no other may until this ends."""
        locked = await self._ask("SELECT pg_try_advisory_lock($1, $2)", id)
        try:
            yield locked
        finally:
            if locked:
                with suppress(ConnectionError):  # it is freed with the connection
                    await self._ask("SELECT pg_advisory_unlock($1, $2)", id)

    async def _ask(self, query: str, id: str) -> bool:
        # Two games may share a number: then one of them waits for a later sweep.
        key = crc32(id.encode()) - 2**31
        async with self._busy:
            try:
                return bool(await self._connection.fetchval(query, LOCKS, key))
            except self._errors as error:
                raise ConnectionError(str(error)) from error


def _note_absence(reason: str) -> None:
    log("the database is away", level=logging.WARNING, reason=reason)
