"""Tables as rows of the database, and back."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, fields
from typing import Any, Protocol

from sqlalchemy import FromClause, Row, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.core.game import Game
from skerry.server.db import schema
from skerry.server.play.clocks import Clock
from skerry.server.play.table import (
    PERSON,
    VOID,
    Declined,
    Ply,
    Remark,
    Seat,
    Table,
    Takeback,
    name_engine,
    read_outcome,
)
from skerry.server.web.entrants import DELETED
from skerry.server.web.text import fold

games, seats, plies, chat = schema.games, schema.seats, schema.plies, schema.chat
challenges, joined = schema.challenges, schema.joined
CHAT_LINES = 200  # of those who play, and as many of those who watch
DISOWNED = 100  # games at a time

SEAT_FIELDS = tuple(field.name for field in fields(Seat))
Rows = defaultdict[str, list[Row[Any]]]  # by game


class Umpire(Protocol):
    """Whoever rates games, in the very transactions in which they begin and end."""

    async def begin(self, connection: AsyncConnection, table: Table) -> Table:
        """A game that begins with everybody's rating; not rated if somebody has none."""

    async def end(self, connection: AsyncConnection, table: Table) -> Table:
        """A game that has ended with what that has changed."""

    async def leave(
        self, connection: AsyncConnection, before: Table, after: Table, seat: int
    ) -> Table:
        """A game that others play on, with what leaving it has cost whoever had this seat."""


def read_table(
    game: Game,
    row: Row[Any],
    seat_rows: Sequence[Row[Any]],
    ply_rows: Sequence[Row[Any]],
    chat_rows: Sequence[Row[Any]] = (),
) -> Table:
    """A table from its rows."""
    asked = row.takeback
    return Table(
        id=row.id,
        start=game.position(row.position),
        seats=read_seats(seat_rows),
        created=row.created,
        since=row.since,
        updated=row.updated,
        seed=row.seed,
        clock=None if row.clock is None else Clock.read(row.clock),
        admin=row.admin,
        public=row.public,
        rated=row.rated,
        event=row.event,
        stand_in=row.stand_in,
        swap=row.swap,
        began=row.began,
        finished=row.finished,
        version=row.version,
        revision=row.revision,
        plies=tuple(Ply(p.action, p.at, p.spent) for p in ply_rows),
        ending=None if row.ending is None else read_outcome(row.ending),
        void=row.result == VOID,
        draw=row.draw,
        takeback=asked and Takeback(asked["seat"], frozenset(asked["waiting"])),
        declined=tuple(Declined(**one) for one in row.declined or ()),
        wanting=frozenset(row.wanting or ()),
        rematch=row.rematch,
        chat=tuple(Remark(c.n, c.name, c.text, c.at, c.gallery, c.account) for c in chat_rows),
    )


def read_seats(rows: Iterable[Row[Any]]) -> tuple[Seat, ...]:
    """Seats from their rows."""
    return tuple(Seat(**{name: getattr(row, name) for name in SEAT_FIELDS}) for row in rows)


async def list_seats(connection: AsyncConnection, ids: Sequence[str]) -> Rows:
    """Who sits at these games, in the order of seats."""
    return await _list_by_game(connection, seats, ids, seats.c.seat)


async def list_plies(connection: AsyncConnection, ids: Sequence[str]) -> Rows:
    """What was played in these games."""
    return await _list_by_game(connection, plies, ids, plies.c.ply)


async def _list_by_game(
    connection: AsyncConnection, rows: FromClause, ids: Sequence[str], order: Any
) -> Rows:
    found: Rows = defaultdict(list)
    query = select(rows).where(rows.c.game.in_(ids)).order_by(rows.c.game, order)
    for row in await connection.execute(query):
        found[row.game].append(row)
    return found


async def insert_table(connection: AsyncConnection, table: Table) -> None:
    """Add a table that is new."""
    await connection.execute(
        insert(games).values(
            id=table.id,
            game=table.game.name,
            options=table.game.options,
            position=table.start.position,
            seed=table.seed,
            clock=table.clock and table.clock.settings(),
            persons=len(table.persons),
            event=table.event,
            stand_in=table.stand_in,
            setup=schema.write_setup(table.game.options),
            created=table.created,
            revision=table.revision,
            **changing_columns(table),
        )
    )
    await connection.execute(
        insert(seats),
        [{"game": table.id, "seat": n, **_sitting(seat)} for n, seat in enumerate(table.seats)],
    )


async def update_seat(
    connection: AsyncConnection,
    id: str,
    number: int,
    seat: Seat,
    secret: str | None,
    claimed: bool | None = None,
) -> bool:
    """Change a seat that still has this secret and, if said, is free or not; whether it was so."""
    place = update(seats).where(
        seats.c.game == id, seats.c.seat == number, seats.c.secret.is_not_distinct_from(secret)
    )
    if claimed is not None:
        place = place.where(seats.c.claimed == claimed)
    return (await connection.execute(place.values(**_sitting(seat)))).rowcount == 1


async def add_remark(connection: AsyncConnection, id: str, remark: Remark) -> None:
    """Add a line to the chat, under the next number, and forget the oldest one beside it."""
    last = await connection.scalar(select(func.max(chat.c.n)).where(chat.c.game == id))
    numbered = {**asdict(remark), "n": (last or 0) + 1}
    await connection.execute(insert(chat).values(game=id, **numbered))
    said = (chat.c.game == id, chat.c.gallery == remark.gallery)
    oldest = select(chat.c.n).where(*said).order_by(chat.c.n.desc()).offset(CHAT_LINES).limit(1)
    await connection.execute(delete(chat).where(*said, chat.c.n.in_(oldest)))


async def list_disowned(connection: AsyncConnection, account: str) -> set[str]:
    """Some games in which an account has a seat, or has said something."""
    queries = (
        select(table.c.game).where(table.c.account == account).distinct().limit(DISOWNED)
        for table in (seats, chat)
    )
    return {id for query in queries for id in (await connection.scalars(query)).all()}


async def disown_games(connection: AsyncConnection, account: str, ids: Collection[str]) -> None:
    """Let the seats of an account be those of a deleted player, whom nobody knows."""
    await connection.execute(delete(chat).where(chat.c.account == account, chat.c.game.in_(ids)))
    mine = (seats.c.account == account, seats.c.game.in_(ids))
    for row in (await connection.execute(select(seats).where(*mine))).all():
        known = {"name": DELETED, "left": None}
        if row.left is not None:
            known = {"name": f"{name_engine(row.kind)} for {DELETED}", "left": DELETED}
        place = update(seats).where(seats.c.game == row.game, seats.c.seat == row.seat)
        await connection.execute(
            place.values(**known, folded=fold(DELETED), account=None, secret=None)
        )


async def rewrite_plies(connection: AsyncConnection, before: Table, after: Table) -> None:
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


async def count_revision(connection: AsyncConnection, id: str) -> int:
    """Something was said or signed beside the game; its new revision."""
    result = await connection.execute(
        update(games)
        .where(games.c.id == id)
        .values(revision=games.c.revision + 1)
        .returning(games.c.revision)
    )
    return int(result.scalar_one())


async def close_links(
    connection: AsyncConnection, account: str, only_met: bool = False
) -> dict[str, int]:
    """Let no secret open the seats of an account, which does so itself; the games with their new
    revisions.

    Seats in games that the lobby has yet to begin count as well; with ``only_met`` nothing else
    does but what comes, or came, of the lobby: there a browser alone has the secret.
    """
    mine = select(joined.c.challenge).where(joined.c.account == account)
    # First, so that whoever begins a game just now has done so, or finds that this has changed.
    changed = update(challenges).where(challenges.c.id.in_(mine))
    await connection.execute(changed.values(version=challenges.c.version + 1))
    own = [seats.c.account == account, seats.c.kind == PERSON, seats.c.secret.is_not(None)]
    if only_met:
        own.append(seats.c.secret.in_(select(joined.c.secret).where(joined.c.account == account)))
    ids = (await connection.scalars(select(seats.c.game).where(*own).distinct())).all()
    await connection.execute(update(seats).where(*own).values(secret=None))
    await connection.execute(update(joined).where(joined.c.account == account).values(secret=""))
    return {id: await count_revision(connection, id) for id in ids}


async def judge(
    umpire: Umpire | None, connection: AsyncConnection, before: Table | None, after: Table
) -> Table:
    """Let a rated game have its ratings, when it begins, when somebody leaves and when it ends."""
    if umpire is None:
        return after
    if not after.rated:
        gone = None if before is None else _find_gone(before, after)
        if before is None or gone is None:
            return after
        return await umpire.leave(connection, before, after, gone)
    judged = after
    if after.is_over and before is not None and not before.is_over:
        judged = await umpire.end(connection, after)
    elif after.began is not None and (before is None or before.began is None):
        judged = await umpire.begin(connection, after)
    if before is not None and not judged.rated:
        place = update(games).where(games.c.id == after.id)
        await connection.execute(place.values(rated=False))
    return judged


def _find_gone(before: Table, after: Table) -> int | None:
    """The seat that somebody has just left of a rated game in which everybody had moved."""
    if not before.rated or before.is_open:
        return None
    pairs = enumerate(zip(before.seats, after.seats, strict=True))
    return next((n for n, (old, new) in pairs if old.left is None and new.left is not None), None)


def changing_columns(table: Table) -> dict[str, Any]:
    """What may change about a game; ``revision`` is counted by the database."""
    asked = table.takeback
    return {
        "version": table.version,
        "ply": len(table.plies),
        "public": table.public,
        "rated": table.rated,
        "admin": table.admin,
        "swap": table.swap,
        "playing": not table.is_over,
        "began": table.began,
        "finished": table.finished,
        "result": table.result,
        "returns": None if table.outcome is None else list(table.outcome.returns),
        "ending": None if table.ending is None else asdict(table.ending),
        "draw": table.draw,
        "takeback": asked and {"seat": asked.seat, "waiting": sorted(asked.waiting)},
        "declined": [asdict(one) for one in table.declined] or None,
        "wanting": sorted(table.wanting) or None,
        "rematch": table.rematch,
        "since": table.since,
        "updated": table.updated,
        "deadline": table.deadline,
        "thinking": table.thinker is not None,
    }


def _sitting(seat: Seat) -> dict[str, Any]:
    return {**asdict(seat), "folded": fold(seat.left or seat.name)}
