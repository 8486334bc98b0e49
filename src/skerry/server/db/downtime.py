"""Time in which no server was there: it is nobody's.

A server notes again and again that it is there. The next one that starts moves all running clocks
on by what has passed since, and gives everybody a while to come back. The same makes up for a clock
of the machine that was set meanwhile, in whichever direction.
"""

import asyncio
from collections.abc import Callable

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.web.logs import log

ALIVE = "alive"  # the name of the row that says when a server was last there
BEAT = 5_000  # milliseconds, as all times here
RETURN_TIME = 30_000  # for pages and people to come back after a restart

games, keys = schema.games, schema.keys


class Uptime:
    """Notes when a server was there."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def note(self) -> None:
        row, value = keys.c.name == ALIVE, str(self._now())
        async with self._database.transact() as connection:
            found = await connection.execute(update(keys).where(row).values(value=value))
            if not found.rowcount:
                await connection.execute(insert(keys).values(name=ALIVE, value=value))

    async def keep_noting(self) -> None:
        while True:
            try:
                await self.note()
            except IntegrityError:  # another worker has noted it for the first time
                continue
            await asyncio.sleep(BEAT / 1000)

    async def make_up(self) -> None:
        """Before anybody is served: let no clock have run while there was no server."""
        now = self._now()
        async with self._database.transact() as connection:
            query = select(keys.c.value).where(keys.c.name == ALIVE).with_for_update()
            before = await connection.scalar(query)
            if before is None:
                return
            gap = now - int(before)
            # With PostgreSQL there may be another server that has been there all the time.
            if self._database.is_shared and abs(gap) <= 2 * BEAT:
                return
            await move_on(connection, gap, now)


async def move_on(connection: AsyncConnection, gap: int, now: int) -> None:
    """Give back the time since a server was last there, and a while to return."""
    later = gap + RETURN_TIME
    running = update(games).where(games.c.deadline.is_not(None))
    moved = await connection.execute(
        running.values(
            since=games.c.since + later,
            deadline=games.c.deadline + later,
            revision=games.c.revision + 1,
        )
    )
    there = update(keys).where(keys.c.name == ALIVE)
    await connection.execute(there.values(value=str(now)))
    log("clocks moved on", games=moved.rowcount, gap=gap)
