"""The tables of the database.

A change is answered only after it is committed, and is only made to the version it was meant for:
of two visitors who act on the same version, one succeeds and the other gets ``Stale``.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.games import GAMES, kind
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.play.announcer import Announcer
from skerry.server.play.conditions.book import drop_conditions, find_conditions, keep_conditions
from skerry.server.play.conditions.lines import Conditions, can_plan, follow, list_kept
from skerry.server.play.rows import (
    Umpire,
    add_remark,
    changing_columns,
    close_links,
    count_revision,
    disown_games,
    insert_table,
    judge,
    list_disowned,
    list_seats,
    read_table,
    rewrite_plies,
    update_seat,
)
from skerry.server.play.table import PERSON, VOID, Remark, Seat, Table
from skerry.server.web.errors import NotFound, Refusal, Stale
from skerry.server.web.lru import Recent
from skerry.server.workers.warm import Rulebook

KEPT = 64_000  # plies of tables in memory, of 1.5 kB each
BARE = 10  # what a table weighs without any
REMEMBERED = 4096  # tables whose latest revision is known
LONG = 100  # plies that are played again at once; more of them would keep others waiting
MOST_OWNED = 100  # unfinished games of an account that are listed

Along = Callable[[AsyncConnection, Table], Awaitable[None]]

games, seats, plies, chat = schema.games, schema.seats, schema.plies, schema.chat


@dataclass
class _Transaction:
    """A transaction, and the revisions of tables that it makes."""

    connection: AsyncConnection
    revisions: dict[str, int]


def _weigh(table: Table) -> int:
    return BARE + len(table.plies) + len(table.chat)


class Store:
    """The tables that are kept.

    An SQLite file belongs to one server, which therefore trusts its memory of it. In PostgreSQL
    other workers write too, so a table in memory counts only if its revision is still the same;
    the announcer tells of their changes.
    """

    def __init__(
        self,
        database: Database,
        rulebook: Rulebook,
        announcer: Announcer,
        umpire: Umpire | None = None,
    ) -> None:
        self._database = database
        self._umpire = umpire
        self._rulebook = rulebook
        self._announcer = announcer
        self._kept: Recent[str, Table] = Recent(KEPT, weigh=_weigh)
        self._latest: Recent[str, int] = Recent(REMEMBERED)  # revisions that we have heard of
        announcer.remember(self)

    @asynccontextmanager
    async def _change(self) -> AsyncIterator[_Transaction]:
        """A transaction that changes tables. Once it is committed, they are announced."""
        revisions: dict[str, int] = {}
        try:
            async with self._database.transact() as connection:
                yield _Transaction(connection, revisions)
                for id, revision in revisions.items():
                    await self._announcer.stage(connection, id, revision)
        except Refusal:
            raise
        except BaseException:  # an answer that was lost may have been that all is on disk
            for id in revisions:
                self._announcer.doubt(id)
            raise
        for id, revision in revisions.items():
            self._announcer.committed(id, revision)

    def learn(self, id: str, revision: int) -> None:
        """Forget what is older than a change."""
        self._latest[id] = max(revision, self._latest.get(id) or 0)
        kept = self._kept.get(id)
        if kept is not None and kept.revision < revision:
            self._kept.pop(id)

    def forget(self, id: str | None = None) -> None:
        """Trust nothing in memory, of a game or at all, since we may have missed something."""
        if id is None:
            self._kept.clear()
        else:
            self._kept.pop(id)

    def _keep(self, table: Table) -> None:
        if table.revision >= (self._latest.get(table.id) or 0):
            self._kept[table.id] = table  # otherwise it was read before a change we know of

    # Reading one

    async def find(self, id: str) -> Table:
        """The table of that id as it is now."""
        kept = self._kept.get(id)
        if kept is not None and (not self._database.is_shared or await self._is_current(kept)):
            return kept
        async with self._database.snapshot() as connection:
            row = (await connection.execute(select(games).where(games.c.id == id))).first()
            if row is None:
                raise NotFound("there is no such game; check the address")
            parts = [
                (await connection.execute(query.where(query.selected_columns.game == id))).all()
                for query in (
                    select(seats).order_by(seats.c.seat),
                    select(plies).order_by(plies.c.ply),
                    select(chat).order_by(chat.c.n),
                )
            ]
        table = await self.read(row, *parts)
        if len(table.plies) > LONG:
            await asyncio.to_thread(lambda: table.line)
        self._keep(table)
        return table

    async def _is_current(self, table: Table) -> bool:
        query = select(games.c.revision).where(games.c.id == table.id)
        async with self._database.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            return await connection.scalar(query) == table.revision

    async def recall(self, id: str) -> Table:
        """A table as it was when we last heard of it, for those who hear of changes as we do."""
        return self._kept.get(id) or await self.find(id)

    async def read(self, row: Row[Any], *parts: Sequence[Row[Any]]) -> Table:
        """A table from its rows: of the game, its seats, its plies and its chat."""
        return read_table(await self._rulebook.game(row.game, row.options), row, *parts)

    # Changing one

    async def create(
        self, table: Table, visitor: str | None = None, along: Along | None = None
    ) -> Table:
        """Keep a new table, and what has to change ``along`` with it: both or none.

        The table that comes back may have learnt something about those who sit there.
        """
        try:
            async with self._change() as change:
                table = await judge(self._umpire, change.connection, None, table)
                await insert_table(change.connection, table)
                if along is not None:
                    await along(change.connection, table)
                change.revisions[table.id] = table.revision
        except IntegrityError as error:
            raise Stale("somebody who was to sit here has just deleted their account") from error
        self._keep(table)
        self._announcer.pass_on(table, visitor)
        return table

    async def replace(
        self,
        before: Table,
        after: Table,
        successor: Table | None = None,
        visitor: str | None = None,
    ) -> Table:
        """Put the next version of a table in the place of the one it was made from.

        A ``successor`` is a new table that is linked to by it: either both are there or none.
        ``visitor`` is who brought it about. What seats have planned to answer is played with it:
        the table that comes back may be further.
        """
        try:
            async with self._change() as change:
                connection = change.connection
                result = await connection.execute(
                    update(games)
                    .where(games.c.id == before.id, games.c.version == before.version)
                    .values(**changing_columns(after), revision=games.c.revision + 1)
                    .returning(games.c.revision)
                )
                revision = result.scalar()
                if revision is None:
                    self._kept.pop(before.id)
                    raise Stale("the game has moved on since you saw it; look at it again")
                change.revisions[before.id] = revision
                if can_plan(before):
                    after = await self._follow_plans(connection, before, after)
                after = await judge(self._umpire, connection, before, after)
                await rewrite_plies(connection, before, after)
                await self._rewrite_seats(connection, before, after.seats)
                if successor is not None:
                    successor = await judge(self._umpire, connection, None, successor)
                    await insert_table(connection, successor)
                    change.revisions[successor.id] = successor.revision
        except IntegrityError as error:
            raise Stale("this move has already been made; look at the game again") from error
        if change.revisions[before.id] == after.revision:
            self._keep(after)
        else:  # somebody said something meanwhile
            after = await self.find(before.id)
        for table in (after, successor):
            if table is not None:
                self._announcer.pass_on(table, visitor)
        return after

    async def _follow_plans(
        self, connection: AsyncConnection, before: Table, after: Table
    ) -> Table:
        """Play the answers that were planned, and forget the plans that came to nothing."""
        planned = await find_conditions(connection, before.id)
        if not planned:
            return after
        followed = follow(after, planned, after.updated)
        if followed is not after:
            place = update(games).where(games.c.id == before.id)
            await connection.execute(place.values(**changing_columns(followed)))
        dropped = planned.keys() - list_kept(before, followed, planned)
        await drop_conditions(connection, before.id, dropped)
        return followed

    async def find_conditions(self, id: str) -> dict[int, Conditions]:
        """What the seats of a game have planned."""
        async with self._database.connect() as connection:
            return await find_conditions(connection, id)

    async def keep_conditions(self, table: Table, planned: Conditions) -> None:
        """Keep what a seat plans, unless the game has moved on since that was checked.

        That changes nothing which anybody else may know, not even a revision.
        """
        version = select(games.c.version).where(games.c.id == table.id).with_for_update()
        async with self._database.transact() as connection:
            if await connection.scalar(version) != table.version:
                raise Stale("the game has moved on since you saw it; look at it again")
            await keep_conditions(connection, table.id, planned)

    async def drop_conditions(self, id: str, seat: int) -> None:
        async with self._database.transact() as connection:
            await drop_conditions(connection, id, [seat])

    async def change_seats(self, before: Table, seats: Sequence[Seat]) -> None:
        """Give seats other names or secrets, all of them or none: not if a secret has been replaced
        meanwhile, or somebody has sat down whose seat would be taken from them.
        """
        async with self._change() as change:
            change.revisions[before.id] = await count_revision(change.connection, before.id)
            await self._rewrite_seats(change.connection, before, seats)

    async def _rewrite_seats(
        self, connection: AsyncConnection, before: Table, seats: Sequence[Seat]
    ) -> None:
        for number, (old, new) in enumerate(zip(before.seats, seats, strict=True)):
            if old == new:
                continue
            # Who sits there swaps seats with somebody, or the secret is another's from now on.
            is_exchanged = old.secret not in {seat.secret for seat in seats}
            expected = old.claimed if is_exchanged else None
            if not await update_seat(connection, before.id, number, new, old.secret, expected):
                raise Stale("this seat or its link has changed; look at the game again")
            if is_exchanged:
                await drop_conditions(connection, before.id, [number])

    async def close_links(self, account: str, only_met: bool = False) -> None:
        """Let the account alone open its seats, or those that it found in the lobby."""
        async with self._change() as change:
            change.revisions.update(await close_links(change.connection, account, only_met))

    async def say(self, id: str, remark: Remark) -> None:
        """Add a line to the chat of those who play or watch, and forget the oldest ones there.

        Its number is whatever comes next.
        """
        async with self._change() as change:
            connection = change.connection
            # This also makes others wait for their number.
            change.revisions[id] = await count_revision(connection, id)
            await add_remark(connection, id, remark)

    async def disown(self, account: str) -> bool:
        """Take an account out of some of its games, which stay; whether there was any left.

        Nothing opens these seats any more, and what was said there is gone.
        """
        async with self._change() as change:
            connection = change.connection
            ids = await list_disowned(connection, account)
            for id in sorted(ids):
                change.revisions[id] = await count_revision(connection, id)
            await disown_games(connection, account, ids)
        return bool(ids)

    async def drop_unbegun(self, before: int) -> int:
        """Delete the games in which nobody has moved, and nothing has changed since; how many."""
        unbegun = and_(games.c.playing, games.c.ply == 0, games.c.updated < before)
        async with self._database.transact() as connection:
            gone = await connection.scalars(delete(games).where(unbegun).returning(games.c.id))
            ids = list(gone.all())
        for id in ids:
            self._kept.pop(id)
        return len(ids)

    # Looking for some

    async def list_games(
        self, playing: bool | None, limit: int, least: int = 0
    ) -> list[dict[str, Any]]:
        """Games for the public with so many plies at least, those that changed last first.

        A game that nobody has joined, or in which nobody has moved, is not being played yet.
        """
        begun = and_(games.c.began.is_not(None), games.c.ply > 0)
        query = select(games.c.id, games.c.game, games.c.ply, games.c.updated, games.c.playing)
        query = query.where(games.c.public, games.c.ply >= least, or_(~games.c.playing, begun))
        query = query.where(games.c.result.is_distinct_from(VOID))
        if playing is not None:
            query = query.where(games.c.playing == playing)
        async with self._database.connect() as connection:
            found = (
                await connection.execute(query.order_by(games.c.updated.desc()).limit(limit))
            ).all()
            sitting = await list_seats(connection, [row.id for row in found])
        return [
            {
                "id": row.id,
                "game": row.game,
                "title": kind(row.game).title,
                "state": "playing" if row.playing else "finished",
                "seats": [{"kind": s.kind, "name": s.name} for s in sitting[row.id]],
                "ply": row.ply,
                "updated": row.updated,
            }
            for row in found
            if row.game in GAMES
        ]

    async def count_playing(self) -> int:
        async with self._database.connect() as connection:
            query = select(func.count()).select_from(games).where(games.c.playing)
            return await connection.scalar(query) or 0

    async def next_deadline(self) -> int | None:
        async with self._database.connect() as connection:
            query = select(func.min(games.c.deadline)).where(_can_be_played())
            found: int | None = await connection.scalar(query)
            return found

    async def list_due(self, now: int) -> list[str]:
        """The games in which a flag has fallen."""
        async with self._database.connect() as connection:
            query = select(games.c.id).where(games.c.deadline <= now, _can_be_played())
            return list((await connection.scalars(query)).all())

    async def list_owned(self, account: str) -> list[str]:
        """The games of an account that go on, those that changed last first."""
        owned = select(seats.c.game).where(seats.c.account == account, seats.c.kind == PERSON)
        query = select(games.c.id).where(games.c.id.in_(owned), games.c.playing, _can_be_played())
        async with self._database.connect() as connection:
            newest = query.order_by(games.c.updated.desc()).limit(MOST_OWNED)
            return list((await connection.scalars(newest)).all())

    async def list_thinking(self, watched: Collection[str]) -> list[str]:
        """The games in which an engine is to move: with a person, of a tournament, or watched."""
        asked = or_(games.c.persons > 0, games.c.event.is_not(None), games.c.id.in_(watched))
        wanted = and_(_can_be_played(), asked)
        query = select(games.c.id).where(games.c.thinking, wanted).order_by(games.c.updated)
        async with self._database.connect() as connection:
            return list((await connection.scalars(query)).all())


def _can_be_played() -> ColumnElement[bool]:
    """Games of a distribution that is no longer installed are kept, but nobody can play them."""
    return games.c.game.in_(tuple(GAMES))
