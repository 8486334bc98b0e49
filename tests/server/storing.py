"""Databases for tests that need no server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from skerry.server.db.engine import Database
from skerry.server.db.migrate import migrate
from skerry.server.play.announcer import Announcer
from skerry.server.play.store import Store
from skerry.server.workers.warm import Rulebook


@asynccontextmanager
async def open_database(address: str) -> AsyncIterator[Database]:
    """A database that is up to date."""
    database = Database(address)
    try:
        await migrate(database.engine)
        yield database
    finally:
        await database.close()


def make_store(database: Database, announcer: Announcer | None = None) -> Store:
    return Store(database, Rulebook(), announcer or Announcer(across=database.is_shared))
