"""Changes from outside: commands work on the database of a server while it runs.

Such a command says so in its own transaction. With PostgreSQL the workers hear of it by NOTIFY;
the owner of an SQLite file looks again and again.
"""

import asyncio
from collections.abc import Callable

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db.engine import Database
from skerry.server.db.notify import POSTGRESQL, Channel, notify
from skerry.server.db.schema import keys
from skerry.server.web.logs import log
from skerry.server.web.secrets import new_id

OUTSIDE = "outside"  # the kind of message, and the name of the row that changes each time
ROUND = 1.0  # seconds between two looks


async def tell_server(connection: AsyncConnection) -> None:
    """Let the server know, once this is committed, that what it remembers may be wrong."""
    if connection.dialect.name == POSTGRESQL:
        await notify(connection, OUTSIDE, "")
        return
    row = keys.c.name == OUTSIDE
    changed = await connection.execute(update(keys).where(row).values(value=new_id()))
    if not changed.rowcount:
        await connection.execute(insert(keys).values(name=OUTSIDE, value=new_id()))


class Outside:
    """Tells whoever remembers something that somebody else has changed the database."""

    def __init__(self, database: Database, channel: Channel | None) -> None:
        self._database = database
        self._followers: list[Callable[[], None]] = []
        if channel is not None:
            channel.heard[OUTSIDE] = self._hear

    def follow(self, follower: Callable[[], None]) -> None:
        self._followers.append(follower)

    def _hear(self, _: str = "") -> None:
        log("the database was changed from outside")
        for follower in self._followers:
            follower()

    async def watch(self) -> None:
        """Look at an SQLite file for as long as this lasts."""
        if self._database.is_shared:
            return
        seen = await self._look()
        while True:
            await asyncio.sleep(ROUND)
            found = await self._look()
            if found != seen:
                seen = found
                self._hear()

    async def _look(self) -> str | None:
        async with self._database.connect() as connection:
            query = select(keys.c.value).where(keys.c.name == OUTSIDE)
            value: str | None = await connection.scalar(query)
            return value
