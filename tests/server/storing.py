"""Databases for tests that need no server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine

from skerry.server.db.engine import Database
from skerry.server.db.migrate import migrate, upgrade
from skerry.server.play.announcer import Announcer
from skerry.server.play.store import Store
from skerry.server.workers.warm import Rulebook


@cache
def make_database() -> bytes:
    """A new SQLite database as migrations leave it, which takes a tenth of a second to make."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "skerry.db"
        engine = create_engine(f"sqlite:///{file}")
        with engine.begin() as connection:
            upgrade(connection)
        engine.dispose()
        return file.read_bytes()


def begin_file(address: str) -> None:
    """If that is a file which is not there yet, have it made."""
    if "://" not in address and not Path(address).exists():
        Path(address).write_bytes(make_database())


@asynccontextmanager
async def open_database(address: str) -> AsyncIterator[Database]:
    """A database that is up to date."""
    begin_file(address)
    database = Database(address)
    try:
        await migrate(database.engine)
        yield database
    finally:
        await database.close()


def make_store(database: Database, announcer: Announcer | None = None) -> Store:
    return Store(database, Rulebook(), announcer or Announcer(across=database.is_shared))
