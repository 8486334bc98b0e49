"""Announcements: a sentence or two on all pages, until it is dismissed or its time is up.

Every worker remembers the one that counts, since every page asks for it.
"""

import asyncio
from collections.abc import Callable

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db.durations import HOUR
from skerry.server.db.engine import Database
from skerry.server.db.notify import Channel, notify
from skerry.server.db.office import announcements
from skerry.server.db.outside import tell_server
from skerry.server.db.retry import keep_reading
from skerry.server.keeping.audit import SERVER, write_note
from skerry.server.web.address import Announcement
from skerry.server.web.errors import NotFound, Refusal
from skerry.server.web.secrets import new_id
from skerry.server.web.text import tidy

LONGEST = 500  # letters
ANNOUNCED = "announced"  # the kind of message that tells workers of another announcement


class Announcements:
    """Makes and withdraws announcements, and knows which one counts."""

    def __init__(
        self, database: Database, now: Callable[[], int], channel: Channel | None = None
    ) -> None:
        self._database = database
        self._now = now
        self._last: Announcement | None = None
        self._stale = asyncio.Event()
        self._stale.set()
        if channel is not None:
            channel.heard[ANNOUNCED] = lambda _: self.forget()
            channel.missed.append(self.forget)

    @property
    def current(self) -> Announcement | None:
        """What pages show."""
        last = self._last
        is_over = last is None or (last.until is not None and last.until <= self._now())
        return None if is_over else last

    def forget(self) -> None:
        """Another one may count."""
        self._stale.set()

    async def keep_reading(self) -> None:
        """Find out which one counts, whenever that may have changed."""
        await keep_reading(self._stale, self.read)

    async def read(self) -> None:
        query = select(announcements).order_by(announcements.c.at.desc()).limit(1)
        async with self._database.connect() as connection:
            row = (await connection.execute(query)).first()
        self._last = None if row is None else Announcement(row.id, row.text, row.at, row.until)

    async def announce(
        self, actor: str, words: str, hours: int | None, outside: bool = False
    ) -> Announcement:
        """Show something on all pages, for so many hours or until it is withdrawn.

        ``outside`` of the server that shows it, that is told.
        """
        text = tidy(words, LONGEST)
        if not text or len(" ".join(words.split())) > LONGEST:
            raise Refusal(f"an announcement has 1 to {LONGEST} characters")
        now = self._now()
        made = Announcement(new_id(), text, now, None if hours is None else now + HOUR * hours)
        row = {"id": made.id, "text": made.text, "at": made.at, "until": made.until}
        async with self._database.transact() as connection:
            await connection.execute(insert(announcements).values(**row))
            await write_note(connection, now, actor, "announce", SERVER, text=text, hours=hours)
            await self._tell(connection, outside)
        self._last = made
        return made

    async def withdraw(self, actor: str, outside: bool = False) -> None:
        """Show nothing from now on."""
        now = self._now()
        is_shown = announcements.c.until.is_(None) | (announcements.c.until > now)
        async with self._database.transact() as connection:
            ended = await connection.execute(
                update(announcements).where(is_shown).values(until=now)
            )
            if not ended.rowcount:
                raise NotFound("nothing is announced")
            await write_note(connection, now, actor, "withdraw", SERVER)
            await self._tell(connection, outside)
        self._last = None

    async def _tell(self, connection: AsyncConnection, outside: bool) -> None:
        if outside:
            await tell_server(connection)
        else:
            await notify(connection, ANNOUNCED, "")
