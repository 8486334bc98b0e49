"""The database: where it is, how it is opened, and who may write to it."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    nullcontext,
    suppress,
)
from pathlib import Path
from typing import Any

from sqlalchemy import URL, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import QueuePool

from skerry.core.errors import OptionsError, shorten
from skerry.core.extras import needs
from skerry.server.db.file import DatabaseFile
from skerry.server.settings import Settings

SQLITE, POSTGRES = "sqlite+aiosqlite", "postgresql+asyncpg"
DRIVERS = {
    **dict.fromkeys(("sqlite", SQLITE), SQLITE),
    **dict.fromkeys(("postgres", "postgresql", POSTGRES), POSTGRES),
}
LOCKED = 2.0  # seconds that SQLite waits for another program
QUEUEING = 5.0  # seconds that a change of an SQLite file waits for those before it
BEGINNING = "beginning"  # the name of the option that says how a transaction of SQLite begins
ENDING = 5.0  # seconds for connections to be given back at the end
PATIENCE = 10.0  # seconds that whatever we do with PostgreSQL may take
# What PostgreSQL does about connections of which we know nothing any more, as when a network was
# parted: it stops what they do, frees what they have locked, and notices that nobody is there.
SESSION = {
    "statement_timeout": f"{PATIENCE:.0f}s",
    "idle_in_transaction_session_timeout": f"{PATIENCE:.0f}s",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "25000",
}


class Database:
    """An SQLite file, which belongs to one server, or PostgreSQL, which several workers share.

    A connection to PostgreSQL may be half-open: nothing comes back, and nothing says so. So nobody
    waits for longer than ``PATIENCE``; afterwards no connection from before is used again.
    """

    def __init__(self, address: str) -> None:
        """``address`` is a file or a URL; the user's data folder if it is empty."""
        self.url = read_address(address)
        self.is_shared = self.url.drivername == POSTGRES
        has_file = not self.is_shared and self.url.database not in (None, "", ":memory:")
        self.file = DatabaseFile(str(self.url.database)) if has_file else None
        self.engine = _connect(self.url)
        # Whoever reads first and then writes would be refused if another program wrote meanwhile.
        self.writing = self.engine.execution_options(**{BEGINNING: "BEGIN IMMEDIATE"})
        self._writing = asyncio.Lock()
        self._froze = 0.0  # when a connection last did not answer
        if self.is_shared:
            self._watch_connections()
        else:
            _prepare_connections(self.engine, self.file)

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading."""
        async with self._in_time(self.engine.connect()) as connection:
            yield connection

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading several things as they are at one moment."""
        async with self.connect() as connection:
            if self.is_shared:  # SQLite does so anyway
                await connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @asynccontextmanager
    async def transact(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that changes something."""
        async with self._turn():
            async with self._in_time(self.writing.begin()) as connection:
                yield connection
                self.check_file()
            self.check_file()  # if it was lost at the last moment, nobody is told that it is kept

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """SQLite has one writer at a time; waiting here is quicker than asking it again and again.

        If another program has locked the file, those who wait are told so one after the other.
        """
        if self.is_shared:
            yield
            return
        try:
            async with asyncio.timeout(QUEUEING):
                await self._writing.acquire()
        except TimeoutError:
            raise ConnectionError("the database is locked, or slow") from None
        try:
            yield
        finally:
            self._writing.release()

    @asynccontextmanager
    async def _in_time(
        self, opened: AbstractAsyncContextManager[AsyncConnection]
    ) -> AsyncIterator[AsyncConnection]:
        """ConnectionError if PostgreSQL does not answer, or cannot be reached.

        To give a connection back waits for an answer, too, and cannot be cancelled: so when time is
        up it is broken off. That this has failed must not hide that we were cancelled meanwhile.
        """
        task: Any = asyncio.current_task()
        cancelled = task.cancelling()
        late = None
        try:
            patience = PATIENCE if self.is_shared else None
            async with asyncio.timeout(patience) as limit, opened as connection:
                when = limit.when()
                if when is not None:
                    driven: Any = (await connection.get_raw_connection()).driver_connection
                    late = task.get_loop().call_at(when, driven.terminate)
                yield connection
        except (OSError, DBAPIError) as error:
            if isinstance(error, TimeoutError) or limit.expired():
                self._froze = time.monotonic()
                if task.cancelling() > cancelled:
                    raise asyncio.CancelledError from None
                said = f"the database did not answer within {PATIENCE:g} s"
                raise ConnectionError(said) from None
            if isinstance(error, OSError):
                raise ConnectionError(str(error)) from error
            raise
        finally:
            if late is not None:
                late.cancel()

    def _watch_connections(self) -> None:
        """See that no connection is used which may be half-open."""

        @event.listens_for(self.engine.sync_engine, "connect")
        def note(_: Any, record: Any) -> None:
            record.info["since"] = time.monotonic()

        @event.listens_for(self.engine.sync_engine, "checkout")
        def check(connection: Any, record: Any, _: Any) -> None:
            if record.info["since"] < self._froze:
                connection.driver_connection.terminate()  # to close it would wait for an answer
                raise DisconnectionError

    def own(self) -> AbstractContextManager[None]:
        """Keep other servers from using an SQLite file meanwhile."""
        return nullcontext() if self.file is None else self.file.own()

    def check_file(self) -> None:
        """FileLost if what is written to an SQLite file would not be found again."""
        if self.file is not None:
            self.file.check()

    async def close(self) -> None:
        """Close all connections. Requests that were given up may still be on their way to give
        theirs back, and nobody would close one that comes later."""
        pool = self.engine.pool
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING):
                while isinstance(pool, QueuePool) and pool.checkedout():
                    await asyncio.sleep(0.01)
        await self.engine.dispose()


def open_database(settings: Settings) -> Database:
    """The database of a server; OptionsError if it does not fit the rest of the settings."""
    database = Database(settings.database)
    if settings.workers > 1 and not database.is_shared:
        raise OptionsError(
            "--workers above 1 needs PostgreSQL, since SQLite does not tell one worker what "
            "another has done: give --database postgresql://user:password@host/name, or use one "
            "worker"
        )
    if database.file is not None:
        database.file.make()
    return database


def read_address(text: str) -> URL:
    """The URL of a database for SQLAlchemy."""
    chosen = text or str(data_folder() / "skerry.db")
    kind, sign, _ = chosen.partition("://")
    if not sign:
        return URL.create(SQLITE, database=str(Path(chosen).expanduser().resolve()))
    driver = DRIVERS.get(kind)
    try:
        if driver is not None:
            return make_url(chosen).set(drivername=driver)
    except ArgumentError:
        pass  # it may hold a password, so nobody is shown what it was
    raise OptionsError(
        f"--database {shorten(kind)}://... cannot be read: give an SQLite file, or "
        "postgresql://user:password@host/name"
    )


def data_folder() -> Path:
    """The user's folder for what is to be kept."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "skerry"


def _connect(url: URL) -> AsyncEngine:
    """An engine for a database."""
    shared = {"server_settings": SESSION, "timeout": PATIENCE}
    with needs("postgres", "PostgreSQL"):
        engine = create_async_engine(url, connect_args=shared if url.drivername == POSTGRES else {})
    return engine


def _prepare_connections(engine: AsyncEngine, file: DatabaseFile | None) -> None:
    """SQLite keeps what it has promised even if the power fails."""

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, see below
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {1000 * LOCKED:.0f}")
        cursor.execute("PRAGMA journal_mode = WAL")
        if file is not None:
            file.has_log = cursor.fetchone() == ("wal",)
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()
        if file is not None:
            file.join()

    @event.listens_for(engine.sync_engine, "close")
    def leave(*_: object) -> None:
        if file is not None:
            file.leave()

    # Left to itself the driver reads outside of transactions, and a table could be put together
    # from two versions.
    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get(BEGINNING, "BEGIN"))
