"""Vacations: so many days a year on which somebody's clocks by days stand still.

A vacation is a row of its own. The seats of the account say until when it lasts, so that a table
knows all that it needs; whatever keeps a seat from being told is made up for by the next round.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from sqlalchemy import ColumnElement, and_, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.db.durations import DAY
from skerry.server.db.engine import Database
from skerry.server.db.office import vacations
from skerry.server.play.clocks import DAYS
from skerry.server.play.deeds import change
from skerry.server.play.flags import Deadlines
from skerry.server.play.store import Store
from skerry.server.play.table import Table
from skerry.server.web.errors import NotFound, Refusal, Stale
from skerry.server.web.secrets import Signed

YEAR = 365 * DAY
ROUND = 30.0  # seconds between two looks for seats that have not been told
BATCH = 200  # games that a look finds

accounts, games, seats = schema.accounts, schema.games, schema.seats


def leave(table: Table, seat: int, until: int, now: int) -> Table:
    """The table at which the clock of a seat stands still until then; ``now`` ends a vacation.

    What had passed of its turn has passed: no time is won or lost.
    """
    before = max(now, table.seats[seat].away or 0)
    away = replace(table.seats[seat], away=until if until > now else None)
    placed = (*table.seats[:seat], away, *table.seats[seat + 1 :])
    is_running = table.running == seat and table.clock is not None and table.clock.kind == DAYS
    since = table.since + (until - before if is_running else 0)
    return change(table, now, seats=placed, since=since)


@dataclass
class Vacations:
    """Takes and ends vacations; ``days`` is how many there are in a year."""

    database: Database
    store: Store
    deadlines: Deadlines
    days: int
    now: Callable[[], int]

    async def show(self, person: Signed) -> dict[str, Any]:
        """Until when somebody is on vacation, and how many days are left."""
        async with self.database.connect() as connection:
            return await self._show(connection, person.id)

    async def _show(self, connection: AsyncConnection, account: str) -> dict[str, Any]:
        now = self.now()
        query = select(vacations).where(
            vacations.c.account == account, vacations.c.ends > now - YEAR
        )
        rows = (await connection.execute(query)).all()
        used = sum(max(1, ceil((row.ends - max(row.begins, now - YEAR)) / DAY)) for row in rows)
        until = max((row.ends for row in rows if row.ends > now), default=None)
        return {"until": until, "left": max(0, self.days - used), "year": self.days}

    async def take(self, person: Signed, days: int) -> dict[str, Any]:
        """Begin a vacation. A flag that is due has fallen."""
        now = self.now()
        async with self.database.transact() as connection:
            await self._lock(connection, person.id)
            known = await self._show(connection, person.id)
            if known["until"] is not None:
                raise Refusal("you are on vacation; end that one before you take another")
            if not 1 <= days <= known["left"]:
                raise Refusal(
                    f"{known['left']} of {self.days} days are left to you for the last 12 months; "
                    "take a vacation of at least one day, and no more than that"
                )
            row = {"account": person.id, "begins": now, "ends": now + days * DAY}
            await connection.execute(insert(vacations).values(**row))
            found = await self._show(connection, person.id)
        await self.settle(person.id)
        return found

    async def end(self, person: Signed) -> dict[str, Any]:
        """Come back early; days that have not begun are not used up."""
        now = self.now()
        async with self.database.transact() as connection:
            await self._lock(connection, person.id)
            going = and_(vacations.c.account == person.id, vacations.c.ends > now)
            ended = await connection.execute(update(vacations).where(going).values(ends=now))
            if not ended.rowcount:
                raise NotFound("you are not on vacation")
            found = await self._show(connection, person.id)
        await self.settle(person.id)
        return found

    async def _lock(self, connection: AsyncConnection, account: str) -> None:
        """Of two requests at once, one waits for the other."""
        query = select(accounts.c.id).where(accounts.c.id == account).with_for_update()
        await connection.execute(query)

    async def settle(self, account: str | None = None) -> None:
        """Tell the seats of an account, or of all, that have not been told yet."""
        tried: set[tuple[str, int]] = set()
        while True:
            found = [row for row in await self._list_untold(account) if row[:2] not in tried]
            for id, seat, until in found:
                tried.add((id, seat))
                await self._tell(id, seat, until)
            if len(found) < BATCH:
                return

    async def _list_untold(self, account: str | None) -> list[tuple[str, int, int | None]]:
        now = self.now()
        going = and_(vacations.c.account == seats.c.account, vacations.c.ends > now)
        ends = select(vacations.c.ends).where(going).correlate(seats).scalar_subquery()
        told = seats.c.away
        wrong: ColumnElement[bool] = or_(
            and_(ends.is_not(None), told.is_distinct_from(ends)),
            and_(ends.is_(None), told > now),
        )
        query = (
            select(seats.c.game, seats.c.seat, ends)
            .join(games, games.c.id == seats.c.game)
            .where(
                games.c.playing,
                games.c.clock["kind"].as_string() == DAYS,
                seats.c.account.is_not(None),
                wrong,
            )
            .limit(BATCH)
        )
        if account is not None:
            query = query.where(seats.c.account == account)
        async with self.database.connect() as connection:
            return [(row[0], row[1], row[2]) for row in await connection.execute(query)]

    async def _tell(self, id: str, seat: int, until: int | None) -> None:
        """Stop or start the clock of a seat; if somebody moves meanwhile, once more."""
        while True:
            table = await self.deadlines.find(id)
            now = self.now()
            if table.is_over:
                return
            with suppress(Stale):
                await self.store.replace(table, leave(table, seat, until or now, now))
                return

    async def watch(self) -> None:
        """Make up for what was missed: a crash, or a seat taken during a vacation."""
        while True:
            await self.settle()
            await asyncio.sleep(ROUND)
