"""All access to the database.

A change is answered only after it is committed, and is only made to the version it was meant for:
of two visitors who act on the same version, one succeeds and the other gets ``Stale``.
"""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import asdict
from typing import Any

from sqlalchemy import URL, Row, delete, event, func, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from skerry.core.errors import OptionsError
from skerry.core.state import Outcome
from skerry.server.db import schema
from skerry.server.play.clocks import Clock
from skerry.server.play.table import Ply, Remark, Seat, Table, Takeback
from skerry.server.web.errors import NotFound, Stale
from skerry.server.web.text import fold
from skerry.server.workers.warm import Rulebook

KEPT = 1024  # tables in memory
CHAT_LINES = 200
CHANNEL = "skerry"  # on which PostgreSQL tells the workers of changes
NOTIFY = text(
    "SELECT pg_notify(:channel, id || ' ' || revision) FROM games WHERE id = CAST(:id AS TEXT)"
)
PATIENCE = 15_000  # milliseconds that SQLite waits for another process

games, seats, plies, chat = schema.games, schema.seats, schema.plies, schema.chat


def connect(url: URL) -> AsyncEngine:
    """An engine for a database; SQLite keeps what it has promised even if the power fails."""
    try:
        engine = create_async_engine(url)
    except ModuleNotFoundError:
        raise OptionsError("PostgreSQL needs its driver: pip install 'skerry[postgres]'") from None
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine.sync_engine, "connect")
        def prepare(connection: Any, _: object) -> None:
            connection.isolation_level = None  # transactions begin where we say, see below
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.execute("PRAGMA synchronous = FULL")
            cursor.execute("PRAGMA foreign_keys = ON")
            cursor.execute(f"PRAGMA busy_timeout = {PATIENCE}")
            cursor.close()

        # Left to itself the driver reads outside of transactions, and a table could be put
        # together from two versions.
        @event.listens_for(engine.sync_engine, "begin")
        def begin(connection: Any) -> None:
            connection.exec_driver_sql("BEGIN")

    return engine


class Store:
    """The tables that are kept. ``changed`` is told the id of every table that has changed.

    A SQLite file belongs to one server, which therefore trusts its memory of it. In PostgreSQL
    other workers write too, so a table in memory counts only if its revision is still the same;
    ``heard`` tells of their changes.
    """

    def __init__(
        self, engine: AsyncEngine, rulebook: Rulebook, changed: Callable[[str], None]
    ) -> None:
        self.engine = engine
        self._rulebook = rulebook
        self._changed = changed
        self._kept: OrderedDict[str, Table] = OrderedDict()
        self._latest: OrderedDict[str, int] = OrderedDict()  # revisions that we have heard of
        self.is_shared = engine.dialect.name == "postgresql"
        # One writer at a time; waiting here is quicker than asking SQLite again and again.
        self._writing: Any = nullcontext() if self.is_shared else asyncio.Lock()

    @asynccontextmanager
    async def transact(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that changes something."""
        async with self._writing, self.engine.begin() as connection:
            yield connection

    @asynccontextmanager
    async def _write(self, id: str) -> AsyncIterator[AsyncConnection]:
        """A transaction that changes one table. PostgreSQL tells everybody once it is committed."""
        async with self.transact() as connection:
            yield connection
            if self.is_shared:
                await connection.execute(NOTIFY, {"channel": CHANNEL, "id": id})

    def _announce(self, id: str, revision: int) -> None:
        self._learn(id, revision)
        if not self.is_shared:
            self._changed(id)

    def _learn(self, id: str, revision: int) -> None:
        """Forget what is older than a change."""
        self._latest[id] = max(revision, self._latest.pop(id, 0))
        while len(self._latest) > 4 * KEPT:
            self._latest.popitem(last=False)
        kept = self._kept.get(id)
        if kept is not None and kept.revision < revision:
            del self._kept[id]

    async def create(self, table: Table) -> None:
        async with self._write(table.id) as connection:
            await _insert(connection, table)
        self._keep(table)
        self._announce(table.id, table.revision)

    async def find(self, id: str) -> Table:
        """The table of that id as it is now."""
        kept = self._kept.get(id)
        if kept is not None and (not self.is_shared or await self._is_current(kept)):
            return kept
        async with self.engine.connect() as connection:
            if self.is_shared:
                await connection.execution_options(isolation_level="REPEATABLE READ")
            row = (await connection.execute(select(games).where(games.c.id == id))).first()
            if row is None:
                raise NotFound("there is no such game; look at the address again")
            parts = [
                (await connection.execute(query.where(query.selected_columns.game == id))).all()
                for query in (
                    select(seats).order_by(seats.c.seat),
                    select(plies).order_by(plies.c.ply),
                    select(chat).order_by(chat.c.n),
                )
            ]
        table = await self.read(row, *parts)
        self._keep(table)
        return table

    async def _is_current(self, table: Table) -> bool:
        query = select(games.c.revision).where(games.c.id == table.id)
        async with self.engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            return await connection.scalar(query) == table.revision

    async def recall(self, id: str) -> Table:
        """A table as it was when we last heard of it, for those who hear of changes as we do."""
        return self._kept.get(id) or await self.find(id)

    def heard(self, id: str, revision: int) -> None:
        """Another worker may have changed a table."""
        self._learn(id, revision)
        self._changed(id)

    def forget(self) -> None:
        """Trust nothing in memory, since we may have missed something."""
        self._kept.clear()

    async def replace(self, before: Table, after: Table, successor: Table | None = None) -> Table:
        """Put the next version of a table in the place of the one it was made from.

        A ``successor`` is a new table that is linked to by it: either both are there or none.
        """
        try:
            async with self._write(before.id) as connection:
                result = await connection.execute(
                    update(games)
                    .where(games.c.id == before.id, games.c.version == before.version)
                    .values(**_columns(after), revision=games.c.revision + 1)
                    .returning(games.c.revision)
                )
                revision = result.scalar()
                if revision is None:
                    self._kept.pop(before.id, None)
                    raise Stale("the game has moved on since you saw it; look at it again")
                await _rewrite_plies(connection, before, after)
                for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
                    if old != new:
                        await _change_seat(connection, before.id, number, new, old.secret)
                if successor is not None:
                    await _insert(connection, successor)
        except IntegrityError as error:
            raise Stale("this move was made already; look at the game again") from error
        is_all = revision == after.revision  # otherwise somebody said something meanwhile
        if is_all:
            self._keep(after)
        self._announce(before.id, revision)
        return after if is_all else await self.find(before.id)

    async def change_seat(self, id: str, number: int, before: Seat, after: Seat) -> None:
        """Give a seat another name or secret, unless its secret has been replaced meanwhile."""
        async with self._write(id) as connection:
            revision = await _touch(connection, id)
            if not await _change_seat(connection, id, number, after, before.secret):
                raise Stale("the link of this seat has been replaced; look at the game again")
        self._announce(id, revision)

    async def say(self, id: str, name: str, words: str, now: int) -> None:
        """Add a line to the chat, and forget the oldest ones."""
        async with self._write(id) as connection:
            revision = await _touch(connection, id)  # which also makes others wait for their number
            last = await connection.scalar(select(func.max(chat.c.n)).where(chat.c.game == id))
            n = (last or 0) + 1
            await connection.execute(
                insert(chat).values(game=id, n=n, name=name, text=words, at=now)
            )
            await connection.execute(
                delete(chat).where(chat.c.game == id, chat.c.n <= n - CHAT_LINES)
            )
        self._announce(id, revision)

    async def list_games(self, playing: bool | None, limit: int) -> list[dict[str, Any]]:
        """Games for the public, those that changed last first."""
        query = select(games.c.id, games.c.game, games.c.ply, games.c.updated, games.c.playing)
        query = query.where(games.c.public)
        if playing is not None:
            query = query.where(games.c.playing == playing)
        async with self.engine.connect() as connection:
            found = (
                await connection.execute(query.order_by(games.c.updated.desc()).limit(limit))
            ).all()
            sitting = await list_seats(connection, [row.id for row in found])
        return [
            {
                "id": row.id,
                "game": row.game,
                "state": "playing" if row.playing else "finished",
                "seats": [{"kind": s.kind, "name": s.name} for s in sitting[row.id]],
                "ply": row.ply,
                "updated": row.updated,
            }
            for row in found
        ]

    async def count_playing(self) -> int:
        async with self.engine.connect() as connection:
            query = select(func.count()).select_from(games).where(games.c.playing)
            return await connection.scalar(query) or 0

    async def next_deadline(self) -> int | None:
        async with self.engine.connect() as connection:
            found: int | None = await connection.scalar(select(func.min(games.c.deadline)))
            return found

    async def list_due(self, now: int) -> list[str]:
        """The games in which a flag has fallen."""
        async with self.engine.connect() as connection:
            query = select(games.c.id).where(games.c.deadline <= now)
            return list((await connection.scalars(query)).all())

    async def list_thinking(self, watched: Collection[str]) -> list[str]:
        """The games in which an engine is to move: those with a person, and those watched."""
        wanted = or_(games.c.persons > 0, games.c.id.in_(watched))
        query = select(games.c.id).where(games.c.thinking, wanted).order_by(games.c.updated)
        async with self.engine.connect() as connection:
            return list((await connection.scalars(query)).all())

    def _keep(self, table: Table) -> None:
        if table.revision < self._latest.get(table.id, 0):
            return  # it was read before a change that we have heard of since
        self._kept[table.id] = table
        self._kept.move_to_end(table.id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    async def read(
        self,
        row: Row[Any],
        seat_rows: Sequence[Row[Any]],
        ply_rows: Sequence[Row[Any]],
        chat_rows: Sequence[Row[Any]] = (),
    ) -> Table:
        """A table from its rows."""
        game = await self._rulebook.game(row.game, row.options)
        asked = row.takeback
        return Table(
            id=row.id,
            start=game.position(row.position),
            seats=tuple(Seat(s.kind, s.name, s.secret, s.claimed) for s in seat_rows),
            created=row.created,
            since=row.since,
            updated=row.updated,
            seed=row.seed,
            clock=None if row.clock is None else Clock.read(row.clock),
            admin=row.admin,
            public=row.public,
            rated=row.rated,
            finished=row.finished,
            version=row.version,
            revision=row.revision,
            plies=tuple(Ply(p.action, p.at, p.spent) for p in ply_rows),
            ending=None if row.ending is None else _read_outcome(row.ending),
            draw=row.draw,
            takeback=asked and Takeback(asked["seat"], frozenset(asked["waiting"])),
            rematch=row.rematch,
            chat=tuple(Remark(c.n, c.name, c.text, c.at) for c in chat_rows),
        )


async def _insert(connection: AsyncConnection, table: Table) -> None:
    await connection.execute(
        insert(games).values(
            id=table.id,
            game=table.game.name,
            options=table.game.options,
            position=table.start.position,
            seed=table.seed,
            clock=table.clock and table.clock.settings(),
            admin=table.admin,
            persons=len(table.persons),
            setup=write_options(table.game.options),
            created=table.created,
            revision=table.revision,
            **_columns(table),
        )
    )
    await connection.execute(
        insert(seats),
        [{"game": table.id, "seat": n, **_sitting(seat)} for n, seat in enumerate(table.seats)],
    )


async def list_seats(
    connection: AsyncConnection, ids: Sequence[str]
) -> defaultdict[str, list[Row[Any]]]:
    """Who sits at these games, in the order of seats."""
    query = select(seats).where(seats.c.game.in_(ids)).order_by(seats.c.game, seats.c.seat)
    found: defaultdict[str, list[Row[Any]]] = defaultdict(list)
    for row in await connection.execute(query):
        found[row.game].append(row)
    return found


async def _change_seat(
    connection: AsyncConnection, id: str, number: int, seat: Seat, secret: str | None
) -> bool:
    """Change a seat that still has this secret."""
    place = update(seats).where(
        seats.c.game == id, seats.c.seat == number, seats.c.secret.is_not_distinct_from(secret)
    )
    return (await connection.execute(place.values(**_sitting(seat)))).rowcount == 1


def _sitting(seat: Seat) -> dict[str, Any]:
    return {**asdict(seat), "folded": fold(seat.name)}


def write_options(options: Mapping[str, int]) -> str:
    """Options on one line, as records have them."""
    return " ".join(f"{name}={value}" for name, value in options.items())


async def _rewrite_plies(connection: AsyncConnection, before: Table, after: Table) -> None:
    """Remove the plies that were taken back and add the new ones."""
    pairs = zip(before.plies, after.plies, strict=False)
    same = 0
    for old, new in pairs:
        if old != new:
            break
        same += 1
    if same < len(before.plies):
        await connection.execute(delete(plies).where(plies.c.game == after.id, plies.c.ply >= same))
    if same < len(after.plies):
        await connection.execute(
            insert(plies),
            [
                {"game": after.id, "ply": n, **asdict(ply)}
                for n, ply in enumerate(after.plies)
                if n >= same
            ],
        )


async def _touch(connection: AsyncConnection, id: str) -> int:
    """Something was said or signed beside the game; its new revision."""
    result = await connection.execute(
        update(games)
        .where(games.c.id == id)
        .values(revision=games.c.revision + 1)
        .returning(games.c.revision)
    )
    return int(result.scalar_one())


def _columns(table: Table) -> dict[str, Any]:
    """What may change about a game; ``revision`` is counted by the database."""
    asked = table.takeback
    return {
        "version": table.version,
        "ply": len(table.plies),
        "public": table.public,
        "rated": table.rated,
        "playing": not table.is_over,
        "finished": table.finished,
        "result": table.result,
        "returns": None if table.outcome is None else list(table.outcome.returns),
        "ending": None if table.ending is None else asdict(table.ending),
        "draw": table.draw,
        "takeback": asked and {"seat": asked.seat, "waiting": sorted(asked.waiting)},
        "rematch": table.rematch,
        "since": table.since,
        "updated": table.updated,
        "deadline": table.deadline,
        "thinking": table.thinker is not None,
    }


def _read_outcome(content: dict[str, Any]) -> Outcome:
    score = content["score"]
    return Outcome(
        tuple(content["returns"]),
        content["winner"],
        None if score is None else tuple(score),
        content["reason"],
    )
