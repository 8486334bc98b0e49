"""The browsers that want to be told, and of which seats.

A browser is known by its endpoint, which its push service made for us alone. It is told about seats
by the hashes of their secrets, so it hears of a rematch, where secrets stay, and no more of a seat
whose link was replaced. Seats that an account alone opens are told to the browsers that are signed
in to it, each known by its session. Nothing else is kept about it.

What it is told is claimed here, and settled once it has arrived or is given up. Claims that a
process leaves behind are taken over by the next.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Update, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.db.durations import DAY, MINUTE, SECOND
from skerry.server.db.engine import Database
from skerry.server.db.upsert import insert_into
from skerry.server.languages.catalogues import ENGLISH
from skerry.server.push.notices import find_game
from skerry.server.push.vapid import Signer
from skerry.server.web.secrets import conceal, opens

MOST_SEATS = 200  # that a browser is told about; those named longest ago are forgotten
MOST_BROWSERS = 8  # that are told about a seat; likewise
KEPT = 90 * DAY  # for which a browser is remembered that never comes back
LEASE = 15 * MINUTE  # after which whoever has claimed a message is gone: nobody tries for so long
SIGNER = "vapid"  # the name of the key in the database

browsers, told, keys = schema.browsers, schema.told, schema.keys
seats, joined, sessions = schema.seats, schema.joined, schema.sessions


@dataclass(frozen=True)
class Subscription:
    """A browser: where it is reached, by which keys, from which site of ours it came, and in which
    language it is told."""

    endpoint: str
    p256dh: str
    auth: str
    origin: str
    language: str = ENGLISH

    @property
    def id(self) -> str:
        return conceal(self.endpoint)


@dataclass(frozen=True)
class Claim:
    """Something that a browser has yet to be told about a seat, which is given by a hash."""

    subscription: Subscription
    secret: str
    mark: str


class Subscriptions:
    """All of them, and the key that they were made for."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        self.signer = Signer.make()  # until ours is read

    async def open(self) -> None:
        """Read the key, which the first server of this database made."""
        async with self._database.transact() as connection:
            made = insert_into(connection, keys).values(name=SIGNER, value=self.signer.write())
            await connection.execute(made.on_conflict_do_nothing())
            kept = await connection.scalar(select(keys.c.value).where(keys.c.name == SIGNER))
        self.signer = Signer.read(str(kept))

    async def is_known(self, subscription: Subscription) -> bool:
        query = select(browsers.c.id).where(browsers.c.id == subscription.id)
        async with self._database.connect() as connection:
            return await connection.scalar(query) is not None

    async def is_shown(self, subscription: Subscription) -> bool:
        """Whether a browser is known, and whoever names it has its keys."""
        async with self._database.connect() as connection:
            return await _is_shown(connection, subscription)

    async def keep(
        self,
        subscription: Subscription,
        held: Collection[tuple[str, str]],
        former: Subscription | None = None,
        session: str = "",
    ) -> int:
        """Tell a browser about more seats, given as games and secrets; how many of them there are.

        A challenge counts as a game, since its secret will open a seat of one. Seats that none of
        the secrets opens are passed over. ``former`` is what the browser was
        known by before: if it has the keys of it, it hears of the seats of that one as well. With
        a ``session`` it hears of the seats of that account, for as long as it is signed in.
        """
        shown = {(game, conceal(secret)) for game, secret in held}
        now = self._now()
        async with self._database.transact() as connection:
            found = {
                secret: game
                for game, secret in await _list_known(connection, {game for game, _ in shown})
                if (game, secret) in shown
            }
            values: dict[str, Any] = {
                "endpoint": subscription.endpoint,
                "p256dh": subscription.p256dh,
                "auth": subscription.auth,
                "origin": subscription.origin,
                "language": subscription.language,
                "seen": now,
            }
            row = insert_into(connection, browsers).values(id=subscription.id, **values)
            await connection.execute(row.on_conflict_do_update(index_elements=["id"], set_=values))
            # Whoever sits down gets another secret, and knows already what the former one was told.
            own = told.c.browser == subscription.id
            marks = await connection.scalars(select(told.c.told).where(own))
            known = {find_game(mark): mark for mark in marks if mark is not None}
            signed = {_name_session(session): ""} if session else {}
            for secret, game in sorted((found | signed).items()):
                row = insert_into(connection, told).values(
                    browser=subscription.id, secret=secret, since=now, told=known.get(game)
                )
                key = ["browser", "secret"]
                await connection.execute(
                    row.on_conflict_do_update(index_elements=key, set_={"since": now})
                )
                await _cut(connection, told.c.secret == secret, told.c.browser, MOST_BROWSERS)
            if former is not None and former.id != subscription.id:
                await _move(connection, former, subscription)
            await _cut(connection, own, told.c.secret, MOST_SEATS)
        return len(found)

    async def forget(self, endpoint: str) -> None:
        """A browser wants to hear no more, or is gone."""
        async with self._database.transact() as connection:
            await connection.execute(delete(browsers).where(browsers.c.id == conceal(endpoint)))

    async def claim(
        self,
        secret: str,
        mark: str,
        except_for: Sequence[str],
        lifetime: int,
        account: str | None = None,
    ) -> list[Claim]:
        """The browsers that have yet to be told something about a seat; now they count as told.

        ``secret`` and those of ``except_for`` are hashes: browsers that hold one of these know.
        Of several workers that ask, one gets each browser. ``lifetime`` is in seconds. If an
        ``account`` alone opens the seat, the browsers are those that are signed in to it.
        """
        knowing = select(told.c.browser).where(told.c.secret.in_(except_for))
        async with self._database.connect() as connection:
            keys = [secret] if account is None else await _list_signed(connection, account)
            waiting = select(told.c.browser).where(told.c.secret.in_(keys)).distinct()
            found = (await connection.scalars(waiting)).all()
            if not found:
                return []  # which is nearly always so, and costs no transaction
        now = self._now()
        claimed = (
            update(told)
            .where(
                told.c.secret == secret,
                told.c.browser.in_(found),
                told.c.told.is_distinct_from(mark),
                told.c.browser.not_in(knowing),
            )
            .values(told=mark, until=now + SECOND * lifetime, due=now + LEASE)
        )
        async with self._database.transact() as connection:
            for browser in found if account is not None else ():
                row = insert_into(connection, told).values(
                    browser=browser, secret=secret, since=now
                )
                await connection.execute(row.on_conflict_do_nothing())
            return await _list_claims(connection, claimed)

    async def take_over(self, at_start: bool) -> list[Claim]:
        """Claim what processes have left behind that are gone; what is too old is dropped.

        An SQLite file belongs to one server: when it starts, nobody else is there.
        """
        now = self._now()
        left: list[ColumnElement[bool]] = [told.c.until.is_not(None)]
        if self._database.is_shared or not at_start:
            left.append(told.c.due <= now)
        async with self._database.connect() as connection:
            if await connection.scalar(select(told.c.browser).where(*left).limit(1)) is None:
                return []
        async with self._database.transact() as connection:
            dropped = update(told).where(*left, told.c.until <= now)
            await connection.execute(dropped.values(until=None, due=None))
            taken = update(told).where(*left).values(due=now + LEASE)
            return await _list_claims(connection, taken)

    async def hand_over(self, claim: Claim) -> None:
        """Leave a message to whichever process looks next."""
        await self._change(claim, due=self._now())

    async def settle(self, claim: Claim) -> None:
        """A message has arrived, or is given up."""
        await self._change(claim, until=None, due=None)

    async def _change(self, claim: Claim, **values: int | None) -> None:
        which = (
            told.c.browser == claim.subscription.id,
            told.c.secret == claim.secret,
            told.c.told == claim.mark,  # else there is something newer
            told.c.until.is_not(None),
        )
        async with self._database.transact() as connection:
            await connection.execute(update(told).where(*which).values(**values))

    async def count(self) -> int:
        async with self._database.connect() as connection:
            return await connection.scalar(select(func.count()).select_from(browsers)) or 0

    async def prune(self) -> None:
        """Forget the browsers that have not come back for a long time."""
        async with self._database.transact() as connection:
            old = browsers.c.seen < self._now() - KEPT
            await connection.execute(delete(browsers).where(old))


async def _move(connection: AsyncConnection, former: Subscription, fresh: Subscription) -> None:
    """Let a browser hear of all that it heard of by another subscription, which is forgotten."""
    if not await _is_shown(connection, former):
        return
    here, there = told.c.browser == fresh.id, told.c.browser == former.id
    known = (await connection.scalars(select(told.c.secret).where(here))).all()
    await connection.execute(delete(told).where(there, told.c.secret.in_(known)))
    await connection.execute(update(told).where(there).values(browser=fresh.id))
    await connection.execute(delete(browsers).where(browsers.c.id == former.id))


async def _list_known(connection: AsyncConnection, ids: Collection[str]) -> list[tuple[str, str]]:
    """The hashes of all secrets of games and challenges, each with the id of what it is of."""
    of_seats = select(seats.c.game, seats.c.secret).where(seats.c.game.in_(ids))
    waiting = select(joined.c.challenge, joined.c.secret).where(joined.c.challenge.in_(ids))
    return [(id, secret) for id, secret in await connection.execute(of_seats.union_all(waiting))]


def _name_session(session: str) -> str:
    """What stands for a session where others have the secrets of seats."""
    return conceal(f"session {session}")


async def _list_signed(connection: AsyncConnection, account: str) -> list[str]:
    """What stands for the sessions of an account."""
    ids = await connection.scalars(select(sessions.c.id).where(sessions.c.account == account))
    return [_name_session(id) for id in ids]


async def _is_shown(connection: AsyncConnection, subscription: Subscription) -> bool:
    """Whether somebody has a browser's secret: others may have seen its endpoint, but not that."""
    query = select(browsers.c.auth).where(browsers.c.id == subscription.id)
    kept = await connection.scalar(query)
    return kept is not None and opens((subscription.auth,), conceal(kept))


async def _list_claims(connection: AsyncConnection, claimed: Update) -> list[Claim]:
    """The claims that an update makes."""
    rows = (await connection.execute(claimed.returning(*told.c))).all()
    query = select(browsers).where(browsers.c.id.in_({row.browser for row in rows}))
    found = {
        row.id: Subscription(
            row.endpoint, row.p256dh, row.auth, row.origin, row.language or ENGLISH
        )
        for row in await connection.execute(query)
    }
    return [Claim(found[row.browser], row.secret, row.told) for row in rows]


async def _cut(connection: AsyncConnection, which: Any, column: Any, most: int) -> None:
    """Forget all but the newest of some rows, which ``column`` tells apart."""
    order = (told.c.since.desc(), column)
    kept = select(column).where(which).order_by(*order).limit(most)
    await connection.execute(delete(told).where(which, column.not_in(kept)))
