"""Mails about turns that wait in games by days: one for all of them, and seldom.

That a digest was written is noted in the transaction that puts it into the outbox, so there is one
of it, however many workers there are and whenever they end.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, select, update

from skerry.server.db import schema
from skerry.server.db.durations import DAY, HOUR
from skerry.server.db.engine import Database
from skerry.server.keeping.mail import Mail
from skerry.server.keeping.outbox import Letter, post
from skerry.server.languages.catalogues import ENGLISH
from skerry.server.languages.choice import ngettext, pgettext, speaking
from skerry.server.play.clocks import DAYS
from skerry.server.play.store import Store
from skerry.server.play.table import PERSON, Table
from skerry.server.push.notices import list_notices
from skerry.server.web.errors import NotFound

ROUND = 60.0  # seconds between two looks for turns that wait
PATIENCE = HOUR // 4  # for which a turn waits before it is worth a mail
SPACING = 6 * HOUR  # between two digests for somebody
BATCH = 500  # games that a look finds

accounts, games, seats, mailing = schema.accounts, schema.games, schema.seats, schema.mailing


@dataclass
class Digests:
    """Writes digests; ``site`` is where links in mails lead."""

    database: Database
    store: Store
    mail: Mail
    site: str
    now: Callable[[], int]

    async def watch(self) -> None:
        while self.mail.is_configured:
            await self.write_all()
            await asyncio.sleep(ROUND)

    async def write_all(self) -> None:
        """Write to all who have not been told of a turn that has waited for some time."""
        found: defaultdict[str, list[Row[Any]]] = defaultdict(list)
        for row in await self._list_waiting():
            found[row.account].append(row)
        for rows in found.values():
            with speaking(rows[0].language or ENGLISH):
                turns = [turn for row in rows if (turn := await self._describe(row)) is not None]
                if turns:
                    await self._write(rows[0], turns)

    async def _list_waiting(self) -> Sequence[Row[Any]]:
        """Games in which it may be the turn of somebody who has not been told."""
        now = self.now()
        query = (
            select(games.c.id, *(mailing.c[name] for name in ("account", "stop", "told")))
            .add_columns(accounts.c.name, accounts.c.email, accounts.c.language)
            .join(seats, seats.c.game == games.c.id)
            .join(mailing, mailing.c.account == seats.c.account)
            .join(accounts, accounts.c.id == mailing.c.account)
            .where(games.c.playing, games.c.clock["kind"].as_string() == DAYS)
            .where(games.c.began.is_not(None), seats.c.kind == PERSON)
            .where(games.c.since > mailing.c.told, games.c.since <= now - PATIENCE)
            .where(mailing.c.turns, mailing.c.told <= now - SPACING)
            .where(accounts.c.email.is_not(None), accounts.c.closed.is_(None))
            .order_by(games.c.deadline, games.c.id)
            .limit(BATCH)
        )
        async with self.database.connect() as connection:
            return (await connection.execute(query)).all()

    async def _describe(self, row: Row[Any]) -> str | None:
        """The turn in a sentence, if it is theirs."""
        try:
            table: Table = await self.store.find(row.id)
        except NotFound:
            return None
        seat = table.to_move
        if seat is None or table.seats[seat].owner != row.account:
            return None
        notice = next((one for one in list_notices(table, self.now()) if one.seat == seat), None)
        if notice is None:
            return None
        title, body = notice.say()
        return f"{title}\n{body}\n{self.site}/g/{row.id}"

    async def _write(self, row: Row[Any], turns: Sequence[str]) -> None:
        now, stop = self.now(), f"{self.site}/mail/stop/{row.stop}"
        words = _write_digest(row.name, turns, self.site, stop)
        letter = Letter(row.account, row.email, *words, stop)
        place = update(mailing).where(
            mailing.c.account == row.account, mailing.c.told == row.told, mailing.c.turns
        )
        async with self.database.transact() as connection:
            # What has begun to wait a moment ago is told next time.
            told = await connection.execute(place.values(told=now - PATIENCE))
            if told.rowcount:
                await post(connection, letter, now, DAY)


def _write_digest(name: str, turns: Sequence[str], site: str, stop: str) -> tuple[str, str]:
    """The subject and the text of a mail about turns that wait."""
    count = len(turns)
    text = pgettext(
        "a mail",
        """Hello {name},

{waiting}

{turns}

All your games: {games}
No more such mails: {stop}
""",
    )
    waiting = ngettext("a game waits for you.", "{n} games wait for you.", count).format(n=count)
    filled = text.format(
        name=name, waiting=waiting, turns="\n\n".join(turns), games=f"{site}/yours", stop=stop
    )
    return pgettext("a mail", "It is your turn"), filled
