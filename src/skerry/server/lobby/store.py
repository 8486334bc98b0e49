"""The challenges that are kept.

A challenge is only changed from the version that was looked at: of two who answer the last free
seat at once, one succeeds and the other gets ``Stale``.
"""

import hmac
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import fields
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.db.durations import DAY, SECOND
from skerry.server.db.engine import Database
from skerry.server.db.naming import select_named
from skerry.server.db.notify import notify
from skerry.server.lobby.challenge import OPEN_STATE, OVER, Challenge, Joined, Terms
from skerry.server.play.table import BOT
from skerry.server.web.entrants import Entrant
from skerry.server.web.errors import Busy, NotFound, Stale, TooMany
from skerry.server.web.secrets import new_secret
from skerry.server.web.text import fold

LOBBY = "lobby"  # the kind of message that tells workers of a change
MOST_OPEN = 500
LATELY = 600 * SECOND  # that somebody with an account is told what has become of theirs
KEPT_FOR = 30 * DAY  # that somebody can ask what has become of their challenge

challenges, joined = schema.challenges, schema.joined
accounts, bots, keys = schema.accounts, schema.bots, schema.keys
HIDING = "visitors"  # the name of the key by which visitors are hidden
KEY = select(keys.c.value).where(keys.c.name == HIDING)
TERMS = tuple(one.name for one in fields(Terms))
JOINED = tuple(one.name for one in fields(Joined))


class ChallengeStore:
    """All challenges; ``changed`` is called when one has changed, by whichever worker."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._key = ""
        self.changed: Callable[[], None] = lambda: None

    async def open(self) -> None:
        """Read the key by which visitors are hidden, or make it."""
        async with self._database.connect() as connection:
            self._key = await connection.scalar(KEY) or ""
        while not self._key:
            with suppress(IntegrityError):  # another worker makes it at the same time
                async with self._database.transact() as connection:
                    row = insert(keys).values(name=HIDING, value=new_secret())
                    await connection.execute(row)
            async with self._database.connect() as connection:
                self._key = await connection.scalar(KEY) or ""

    def hide(self, visitor: str) -> str:
        """What is kept of a visitor, to count what is theirs."""
        return hmac.new(self._key.encode(), visitor.encode(), "sha256").hexdigest()

    def hear(self, _content: str) -> None:
        """A worker has changed something."""
        self.changed()

    def committed(self) -> None:
        """A change of ours is on disk; across workers it will be heard of."""
        if not self._database.is_shared:
            self.changed()

    # Reading

    async def find(self, id: str) -> Challenge:
        found = await self._list(challenges.c.id == id)
        if not found:
            raise NotFound(OVER)
        return found[0]

    async def list_open(self) -> list[Challenge]:
        """All that wait for somebody, the oldest first."""
        return await self._list(challenges.c.state == OPEN_STATE)

    async def find_person(self, name: str) -> tuple[str, str] | None:
        """The account of somebody, and how they write their name."""
        query = select_named(fold(name)).where(accounts.c.closed.is_(None))
        async with self._database.connect() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else (row.id, row.name)

    async def count_people(self) -> int:
        """How many look for a game."""
        waiting = select(challenges.c.id).where(
            challenges.c.state == OPEN_STATE, challenges.c.addressee.is_(None)
        )
        who = func.count(func.distinct(func.coalesce(joined.c.entrant, joined.c.secret)))
        async with self._database.connect() as connection:
            query = select(who).where(joined.c.challenge.in_(waiting))
            return await connection.scalar(query) or 0

    async def list_held(
        self, secrets: Collection[str], entrants: Collection[str], now: int
    ) -> list[Challenge]:
        """All that somebody with one of these has joined, or is challenged by, begun or not.

        Of entrants, who find their games elsewhere, only those that have not long been over.
        """
        if not secrets and not entrants:
            return []
        by_secret = select(joined.c.challenge).where(joined.c.secret.in_(secrets))
        by_entrant = select(joined.c.challenge).where(joined.c.entrant.in_(entrants))
        theirs = or_(challenges.c.id.in_(by_entrant), challenges.c.addressee.in_(entrants))
        lately = or_(challenges.c.ended.is_(None), challenges.c.ended > now - LATELY)
        return await self._list(or_(challenges.c.id.in_(by_secret), and_(theirs, lately)))

    async def _list(self, wanted: ColumnElement[bool]) -> list[Challenge]:
        query = select(challenges).where(wanted).order_by(challenges.c.created, challenges.c.id)
        ids = select(challenges.c.id).where(wanted)
        people = select(joined).where(joined.c.challenge.in_(ids))
        async with self._database.snapshot() as connection:
            rows = (await connection.execute(query)).all()
            found: dict[str, list[Row[Any]]] = {row.id: [] for row in rows}
            if rows:
                for row in await connection.execute(people.order_by(joined.c.n)):
                    found[row.challenge].append(row)
        # Of those who waited alone, and whose account is gone, nobody is left.
        return [_read(row, found[row.id]) for row in rows if found[row.id]]

    # Changing

    async def create(self, challenge: Challenge, visitor: str, most: int) -> None:
        """Keep a new challenge, unless a visitor waits in so many, or there are too many."""
        async with self._change() as connection:
            await _check_room(connection, visitor, most)
            await connection.execute(insert(challenges).values(_write(challenge)))
            await _write_joined(connection, challenge)

    async def replace(self, before: Sequence[Challenge], after: Challenge | None) -> None:
        """Put one challenge, or none, in the place of those that it was made from."""
        async with self._change() as connection:
            await self.rewrite(connection, before, after)

    async def rewrite(
        self, connection: AsyncConnection, before: Sequence[Challenge], after: Challenge | None
    ) -> None:
        """The same as part of a transaction; Stale if one of them has changed meanwhile."""
        for one in sorted(before, key=lambda one: one.id):  # all workers wait in the same order
            same = (challenges.c.id == one.id, challenges.c.version == one.version)
            if after is not None and one.id == after.id:
                done = await connection.execute(
                    update(challenges).where(*same).values(_write(after))
                )
            else:
                done = await connection.execute(delete(challenges).where(*same))
            if not done.rowcount:
                raise Stale("this challenge has changed since you saw it; look at it again")
        if after is not None:
            await connection.execute(delete(joined).where(joined.c.challenge == after.id))
            await _write_joined(connection, after)
        await self.stage(connection)

    async def stage(self, connection: AsyncConnection) -> None:
        """Let all workers hear of a change once it is on disk."""
        await notify(connection, LOBBY, "")

    @asynccontextmanager
    async def _change(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._database.transact() as connection:
                yield connection
                await self.stage(connection)
        finally:
            self.committed()  # or nobody knows: everybody looks again

    async def touch(self, secrets: Collection[str], entrants: Collection[str], now: int) -> None:
        """Note that whoever has joined by these is connected. Nobody needs to be told."""
        if not secrets and not entrants:
            return
        waiting = select(challenges.c.id).where(challenges.c.state == OPEN_STATE)
        here = or_(joined.c.secret.in_(secrets), joined.c.entrant.in_(entrants))
        query = select(joined.c.challenge, joined.c.n).where(here, joined.c.challenge.in_(waiting))
        async with self._database.transact() as connection:
            # What is just being changed is passed over, so that nobody waits for us.
            rows = await connection.execute(query.with_for_update(skip_locked=True))
            for row in rows.all():
                own = (joined.c.challenge == row.challenge, joined.c.n == row.n)
                await connection.execute(update(joined).where(*own).values(seen=now))

    async def drop_old(self, now: int) -> None:
        """Forget what nobody asks about any more, or can ask about."""
        old = and_(challenges.c.state != OPEN_STATE, challenges.c.created < now - KEPT_FOR)
        empty = challenges.c.id.not_in(select(joined.c.challenge))
        async with self._database.transact() as connection:
            await connection.execute(delete(challenges).where(or_(old, empty)))

    async def list_left(self, connection: AsyncConnection, challenge: Challenge) -> set[str]:
        """The bots among those who have joined that have left the server.

        None leaves before the end of the transaction: one that wants to finds the game then.
        """
        there = {one.entrant for one in challenge.joined if one.kind == BOT and one.entrant}
        if not there:
            return set()
        names = [Entrant.read(entrant).key for entrant in there]
        query = select(bots.c.folded).where(bots.c.folded.in_(names), bots.c.token.is_not(None))
        staying = (await connection.scalars(query.with_for_update(read=True))).all()
        return there - {str(Entrant(BOT, name)) for name in staying}


async def _check_room(connection: AsyncConnection, visitor: str, most: int) -> None:
    """See that there is room for one more. Two at once may both find some, which is no harm."""
    is_open = challenges.c.state == OPEN_STATE
    total = select(func.count()).select_from(challenges).where(is_open)
    if (await connection.scalar(total) or 0) >= MOST_OPEN:
        raise Busy("the lobby is full; answer a challenge, or try again in a moment")
    own = (
        select(func.count())
        .select_from(joined.join(challenges))
        .where(is_open, joined.c.visitor == visitor)
    )
    if most and (await connection.scalar(own) or 0) >= most:
        raise TooMany(f"you wait in {most} challenges already; take one of them back first")


def _read(row: Row[Any], people: Sequence[Row[Any]]) -> Challenge:
    return Challenge(
        id=row.id,
        terms=Terms(**{name: getattr(row, name) for name in TERMS}),
        joined=tuple(Joined(**{name: getattr(one, name) for name in JOINED}) for one in people),
        created=row.created,
        until=row.until,
        version=row.version,
        state=row.state,
        table=row.table,
        ended=row.ended,
    )


def _write(challenge: Challenge) -> dict[str, Any]:
    return {
        "id": challenge.id,
        **{name: getattr(challenge.terms, name) for name in TERMS},
        "state": challenge.state,
        "table": challenge.table,
        "version": challenge.version,
        "created": challenge.created,
        "until": challenge.until,
        "ended": challenge.ended,
    }


async def _write_joined(connection: AsyncConnection, challenge: Challenge) -> None:
    for number, one in enumerate(challenge.joined):
        values = {name: getattr(one, name) for name in JOINED}
        await connection.execute(insert(joined).values(challenge=challenge.id, n=number, **values))
