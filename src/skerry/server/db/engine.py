"""The database: where it is, how it is opened, and who may write to it."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import URL, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from skerry.core.errors import OptionsError, shorten
from skerry.server.settings import Settings

SQLITE, POSTGRES = "sqlite+aiosqlite", "postgresql+asyncpg"
DRIVERS = {
    **dict.fromkeys(("sqlite", SQLITE), SQLITE),
    **dict.fromkeys(("postgres", "postgresql", POSTGRES), POSTGRES),
}
PATIENCE = 15_000  # milliseconds that SQLite waits for another process


class Database:
    """An SQLite file, which belongs to one server, or PostgreSQL, which several workers share."""

    def __init__(self, address: str) -> None:
        """``address`` is a file or a URL; the user's data folder if it is empty."""
        self.url = read_address(address)
        self.engine = _connect(self.url)
        self.is_shared = self.url.drivername == POSTGRES
        # One writer at a time; waiting here is quicker than asking SQLite again and again.
        self._writing: Any = nullcontext() if self.is_shared else asyncio.Lock()

    def connect(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection for reading."""
        return self.engine.connect()

    @asynccontextmanager
    async def transact(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that changes something."""
        async with self._writing, self.engine.begin() as connection:
            yield connection

    def make_file(self) -> None:
        """See that an SQLite file can be used, and make its folder."""
        file = self.url.database
        if self.is_shared or not file:
            return
        try:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(file)) as database:
                database.execute("PRAGMA schema_version")
        except (OSError, sqlite3.Error) as error:
            raise OptionsError(
                f"the database {file} cannot be used: {error}; choose another with --database"
            ) from None

    async def close(self) -> None:
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
    database.make_file()
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
    """An engine for a database; SQLite keeps what it has promised even if the power fails."""
    try:
        engine = create_async_engine(url)
    except ModuleNotFoundError:
        raise OptionsError("PostgreSQL needs its driver: pip install 'skerry[postgres]'") from None
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine.sync_engine, "connect")
        def prepare(connection: Any, _: object) -> None:
            connection.isolation_level = None  # transactions begin where we say, see below
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.execute("PRAGMA synchronous = FULL")
            cursor.execute("PRAGMA foreign_keys = ON")
            cursor.execute(f"PRAGMA busy_timeout = {PATIENCE}")
            cursor.close()

        # Left to itself the driver reads outside of transactions, and a table could be put
        # together from two versions.
        @event.listens_for(engine.sync_engine, "begin")
        def begin(connection: Any) -> None:
            connection.exec_driver_sql("BEGIN")

    return engine
