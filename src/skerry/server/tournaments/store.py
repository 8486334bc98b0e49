"""The events of the database.

A change is made only to the version it was meant for: of two who act on the same version, such as
two workers that pair the same round, one succeeds and the other gets ``Stale``.
"""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

from sqlalchemy import Row, and_, delete, func, insert, or_, select, tuple_, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.core.texts import N_
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.db.notify import Channel, notify
from skerry.server.tournaments.event import PLAYING, UNFINISHED, Entry, Event, EventTerms, HeldBout
from skerry.server.web.errors import NotFound, Stale, TooMany

EVENT = "event"  # the kind of message that tells workers of a change
MOST_LISTED = 50
CHANGED = N_("the tournament has changed meanwhile; look at it again")

tournaments, entries = schema.tournaments, schema.entries
bouts, games = schema.bouts, schema.games
Tell = Callable[[str], None]


class EventStore:
    """The events that are kept. ``tell`` is called with whatever has changed, by any worker."""

    def __init__(
        self, database: Database, tell: Tell = lambda id: None, channel: Channel | None = None
    ) -> None:
        self._database = database
        self._tell = tell
        if channel is not None:
            channel.heard[EVENT] = tell

    @asynccontextmanager
    async def _change(self, id: str) -> AsyncIterator[AsyncConnection]:
        """A transaction that changes an event; everybody is told once it is on disk."""
        async with self._database.transact() as connection:
            yield connection
            await notify(connection, EVENT, id)
        self.committed(id)

    def committed(self, id: str) -> None:
        """A change is on disk; with several workers all are told by the database."""
        if not self._database.is_shared:
            self._tell(id)

    async def find(self, id: str) -> Event:
        async with self._database.snapshot() as connection:
            row = (
                await connection.execute(select(tournaments).where(tournaments.c.id == id))
            ).first()
            if row is None:
                raise NotFound("there is no such tournament; check the address")
            joined = select(entries).where(entries.c.tournament == id).order_by(entries.c.number)
            paired = (
                select(bouts)
                .where(bouts.c.tournament == id)
                .order_by(bouts.c.round, bouts.c.number)
            )
            parts = [(await connection.execute(query)).all() for query in (joined, paired)]
        return _read(row, *parts)

    async def create(self, event: Event, most: int) -> None:
        """Keep a new event, unless its maker has enough that are not over; 0 is no limit."""
        async with self._change(event.id) as connection:
            place = (tournaments.c.maker == event.maker, tournaments.c.state.in_(UNFINISHED))
            count = await connection.scalar(select(func.count()).where(*place)) or 0
            if most and count >= most:
                raise TooMany(
                    f"{count} tournaments of yours are not over yet; wait for one of them to end, "
                    "or call it off"
                )
            terms = {**asdict(event.terms), **_changing(event)}
            about = {"maker": event.maker, "made_by": event.made_by, "created": event.created}
            await connection.execute(
                insert(tournaments).values(id=event.id, seed=event.seed, **about, **terms)
            )
            await _rewrite_entries(connection, event.id, (), event.entries)

    async def replace(self, before: Event, after: Event) -> None:
        """Put the next version of an event in the place of the one it was made from."""
        try:
            async with self._change(before.id) as connection:
                place = (tournaments.c.id == before.id, tournaments.c.version == before.version)
                found = await connection.execute(
                    update(tournaments).where(*place).values(**_changing(after))
                )
                if found.rowcount != 1:
                    raise Stale(CHANGED)
                await _rewrite_entries(connection, after.id, before.entries, after.entries)
                await _rewrite_bouts(connection, after.id, before.bouts, after.bouts)
        except IntegrityError as error:
            raise Stale(CHANGED) from error

    async def give_game(
        self, connection: AsyncConnection, id: str, bout: HeldBout, game: str
    ) -> None:
        """Note the game of a bout, within the transaction that makes it; Stale if it has one."""
        place = (
            bouts.c.tournament == id,
            bouts.c.round == bout.round,
            bouts.c.number == bout.number,
            bouts.c.game.is_(None),
            bouts.c.winners.is_(None),
        )
        found = await connection.execute(update(bouts).where(*place).values(game=game))
        if found.rowcount != 1:
            raise Stale("this game has been made already")
        counted = tournaments.c.version + 1
        await connection.execute(
            update(tournaments).where(tournaments.c.id == id).values(version=counted)
        )
        await notify(connection, EVENT, id)

    # Looking for some

    async def list_due(self, now: int) -> list[str]:
        """The events in which something is to be done that nobody may have done.

        It is time, a game has ended, or a game has yet to be made.
        """
        due = select(tournaments.c.id).where(tournaments.c.due <= now)
        undone = and_(
            tournaments.c.state == PLAYING,
            bouts.c.winners.is_(None),
            or_(bouts.c.game.is_(None), games.c.finished.is_not(None)),
        )
        waiting = (
            select(tournaments.c.id)
            .join(bouts, bouts.c.tournament == tournaments.c.id)
            .outerjoin(games, games.c.id == bouts.c.game)
            .where(undone)
            .distinct()
        )
        async with self._database.connect() as connection:
            found = [*(await connection.scalars(due)), *(await connection.scalars(waiting))]
        return list(dict.fromkeys(found))

    async def list_finished(self, event: Event) -> list[str]:
        """The games of an event that are over, and of which that is not noted yet."""
        query = (
            select(bouts.c.game)
            .join(games, games.c.id == bouts.c.game)
            .where(
                bouts.c.tournament == event.id,
                bouts.c.winners.is_(None),
                games.c.finished.is_not(None),
            )
        )
        async with self._database.connect() as connection:
            return list((await connection.scalars(query)).all())

    async def list_arenas(self) -> list[str]:
        """The arenas that go on: whoever is free there is paired now and then."""
        query = select(tournaments.c.id).where(
            tournaments.c.state == PLAYING, tournaments.c.minutes.is_not(None)
        )
        async with self._database.connect() as connection:
            return list((await connection.scalars(query)).all())

    async def list_events(
        self, states: Iterable[str], before: tuple[int, str] | None = None
    ) -> list[dict[str, Any]]:
        """Events in these states, the newest first, with how many take part."""
        count = (
            select(func.count())
            .where(entries.c.tournament == tournaments.c.id)
            .scalar_subquery()
            .label("count")
        )
        query = select(tournaments, count).where(tournaments.c.state.in_(tuple(states)))
        if before is not None:
            query = query.where(tuple_(tournaments.c.created, tournaments.c.id) < before)
        newest = (tournaments.c.created.desc(), tournaments.c.id.desc())
        async with self._database.connect() as connection:
            rows = await connection.execute(query.order_by(*newest).limit(MOST_LISTED))
            return [dict(row._mapping) for row in rows]


def _changing(event: Event) -> dict[str, Any]:
    return {
        "state": event.state,
        "version": event.version,
        "began": event.began,
        "ends": event.ends,
        "finished": event.finished,
        "due": event.due,
    }


async def _rewrite_entries(
    connection: AsyncConnection, id: str, before: Iterable[Entry], after: Iterable[Entry]
) -> None:
    known = {entry.entrant: entry for entry in before}
    kept = {entry.entrant: entry for entry in after}
    gone = [entrant for entrant in known if entrant not in kept]
    own = entries.c.tournament == id
    if gone:
        await connection.execute(delete(entries).where(own, entries.c.entrant.in_(gone)))
    for entrant, entry in kept.items():
        values = asdict(entry)
        if entrant not in known:
            await connection.execute(insert(entries).values(tournament=id, **values))
        elif known[entrant] != entry:
            place = update(entries).where(own, entries.c.entrant == entrant)
            await connection.execute(place.values(**values))


async def _rewrite_bouts(
    connection: AsyncConnection, id: str, before: Iterable[HeldBout], after: Iterable[HeldBout]
) -> None:
    known = {(bout.round, bout.number): bout for bout in before}
    for bout in after:
        key = (bout.round, bout.number)
        results = {
            "winners": None if bout.winners is None else list(bout.winners),
            "absent": list(bout.absent) or None,
        }
        if key not in known:
            values = {"round": bout.round, "number": bout.number, "players": list(bout.players)}
            await connection.execute(insert(bouts).values(tournament=id, **values, **results))
        elif known[key] != bout:
            place = and_(bouts.c.tournament == id, bouts.c.round == key[0])
            await connection.execute(
                update(bouts).where(place, bouts.c.number == key[1]).values(**results)
            )


def _read(row: Row[Any], joined: Iterable[Row[Any]], paired: Iterable[Row[Any]]) -> Event:
    return Event(
        id=row.id,
        terms=EventTerms(
            title=row.title,
            game=row.game,
            options=row.options,
            seats=row.seats,
            clock=row.clock,
            system=row.system,
            rounds=row.rounds,
            minutes=row.minutes,
            rated=row.rated,
            starts=row.starts,
            quorum=row.quorum,
        ),
        maker=row.maker,
        made_by=row.made_by,
        created=row.created,
        seed=row.seed,
        state=row.state,
        version=row.version,
        began=row.began,
        ends=row.ends,
        finished=row.finished,
        entries=tuple(
            Entry(e.entrant, e.name, e.joined, e.number, e.rating, e.secret, e.left, e.missed)
            for e in joined
        ),
        bouts=tuple(
            HeldBout(
                b.round,
                b.number,
                tuple(b.players),
                b.game,
                None if b.winners is None else tuple(b.winners),
                tuple(b.absent or ()),
            )
            for b in paired
        ),
    )
