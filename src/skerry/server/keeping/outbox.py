"""The outbox: mails are written in the transactions that they are about, and sent beside them.

A mail is lost by no restart. Whoever sends it claims it first, for longer than that takes, so two
workers do not send it twice; it is sent again only if a process dies between the mail server's
"taken" and our noting it.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db.durations import HOUR, MINUTE, SECOND
from skerry.server.db.engine import Database
from skerry.server.db.knowing import outbox
from skerry.server.keeping.mail import Mail, NotTaken, Undeliverable
from skerry.server.web.logs import log
from skerry.server.web.secrets import new_id

ROUND = 2.0  # seconds between two looks at what is due
CLAIMED = 5 * MINUTE  # for which nobody else sends a mail; handing it over takes a minute at most
# Before a mail is tried again; then every hour until nobody would want to read it any more.
PAUSES: Sequence[int] = (10 * SECOND, 2 * MINUTE, 15 * MINUTE, HOUR)
AT_ONCE = 8  # mails that a look takes along


@dataclass(frozen=True)
class Letter:
    """A mail to be sent; ``stop`` is the address by which such mails are stopped."""

    account: str
    address: str
    subject: str
    text: str
    stop: str = ""


async def post(connection: AsyncConnection, letter: Letter, now: int, lifetime: int) -> None:
    """Have a mail sent if this transaction is committed; it is worth reading for so long."""
    row = {**letter.__dict__, "id": new_id(), "due": now, "until": now + lifetime, "tries": 0}
    await connection.execute(insert(outbox).values(**row))


@dataclass
class Outbox:
    """Sends what is due."""

    database: Database
    mail: Mail
    now: Callable[[], int]

    async def watch(self) -> None:
        while self.mail.is_configured:
            rows = [row for row in await self._list_due() if await self._claim(row)]
            await asyncio.gather(*(self._send(row) for row in rows))
            if len(rows) < AT_ONCE:
                await asyncio.sleep(ROUND)

    async def _list_due(self) -> Sequence[Row[Any]]:
        query = select(outbox).where(outbox.c.due <= self.now()).order_by(outbox.c.due)
        async with self.database.connect() as connection:
            return (await connection.execute(query.limit(AT_ONCE))).all()

    async def _claim(self, row: Row[Any]) -> bool:
        place = update(outbox).where(outbox.c.id == row.id, outbox.c.due == row.due)
        async with self.database.transact() as connection:
            claimed = await connection.execute(place.values(due=self.now() + CLAIMED))
            return claimed.rowcount == 1

    async def _send(self, row: Row[Any]) -> None:
        pause = PAUSES[min(row.tries, len(PAUSES) - 1)]
        again = self.now() + pause if self.now() + pause < row.until else None
        try:
            if row.until <= self.now():
                raise Undeliverable("it had waited too long to be of use")
            await self.mail.hand_over(row.address, row.subject, row.text, row.stop)
            again = None
        except (NotTaken, Undeliverable) as error:
            again = again if isinstance(error, NotTaken) else None
            level = logging.ERROR if again is None else logging.WARNING
            log("a mail was not taken", level=level, reason=str(error), again=again is not None)
        async with self.database.transact() as connection:
            own = outbox.c.id == row.id
            if again is None:
                await connection.execute(delete(outbox).where(own))
            else:
                later = update(outbox).where(own).values(due=again, tries=row.tries + 1)
                await connection.execute(later)
