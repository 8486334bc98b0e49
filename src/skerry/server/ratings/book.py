"""The ratings that are kept: changed by the transaction that ends a game, or caught up at a start.

The rows of everybody at a table are locked in the order of their names before they are read, so of
two games that end at once one is counted after the other, and none waits for ever. A game is rated
where its log has no row of it: it can be neither forgotten nor rated twice. A game that somebody
leaves and others play on counts for that one alone, at once, and is not rated any more.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import Row, bindparam, exists, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.games import GAMES
from skerry.lab.stats.glicko import Glicko
from skerry.lab.stats.results import Played
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.db.upsert import insert_into
from skerry.server.play.deeds import keep_line
from skerry.server.play.rows import list_seats, read_seats
from skerry.server.play.table import Seat, Table
from skerry.server.ratings.anchors import begin
from skerry.server.ratings.standing import RatedEntrant, settle
from skerry.server.web.entrants import Entrant
from skerry.server.web.logs import log

BATCH = 200  # games that are caught up in one transaction
CATCHING_UP = 5_348_258  # the advisory lock of whoever does so

games, seats, ratings, changes = schema.games, schema.seats, schema.ratings, schema.changes


@dataclass(frozen=True)
class Ended:
    """A game to be rated: who sat there, and the share of it that each seat has won."""

    id: str
    game: str
    sitting: tuple[Entrant, ...]
    shares: tuple[float, ...]
    at: int


@dataclass(frozen=True)
class RatingChange:
    """What a game has made of the rating of one who played it."""

    before: RatedEntrant
    after: RatedEntrant

    def show(self, now: int) -> dict[str, Any]:
        """What the seat shows of it."""
        return {
            "rating": round(self.before.known.rating),
            "rating_after": round(self.after.known.rating),
            "provisional": self.after.is_provisional(now),
        }


class RatingBook:
    """The ratings of all games; the umpire of the store."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def get(self, game: str, entrants: Iterable[Entrant]) -> dict[Entrant, RatedEntrant]:
        """What is known of these in a game, also of those who have not played yet."""
        async with self._database.connect() as connection:
            return await _read(connection, game, set(entrants), self._now())

    async def rate(self, game: str, entrants: Iterable[str]) -> dict[str, int]:
        """The same as whole numbers, by what entrants are written as."""
        found = await self.get(game, map(Entrant.read, entrants))
        return {str(entrant): round(one.known.rating) for entrant, one in found.items()}

    # When games begin and end

    async def begin(self, connection: AsyncConnection, table: Table) -> Table:
        """A game with the ratings of all who sit there. One with a guest is not rated."""
        sitting = list_entrants(table.seats)
        if sitting is None:
            return _leave_unrated(table)
        now = table.updated
        found = await _read(connection, table.game.name, set(sitting), now)
        shown = [
            {"rating": round(one.known.rating), "provisional": one.is_provisional(now)}
            for one in (found[entrant] for entrant in sitting)
        ]
        return _show(table, shown)

    async def end(self, connection: AsyncConnection, table: Table) -> Table:
        """A game that has ended, and everybody's rating with it."""
        sitting = list_entrants(table.seats)
        if sitting is None or table.void or table.outcome is None:
            return _leave_unrated(table)
        at = table.updated if table.finished is None else table.finished
        shares = share_point(table.outcome.returns)
        ended = Ended(table.id, table.game.name, sitting, shares, at)
        (found,) = await _rate(connection, [ended])
        return _show(table, [change.show(at) for change in found])

    async def leave(
        self, connection: AsyncConnection, before: Table, after: Table, seat: int
    ) -> Table:
        """Whoever leaves a game of three has lost to all others, whose ratings stay."""
        sitting = list_entrants(before.seats)
        if sitting is None:
            return after
        at, game, leaver = after.updated, after.game.name, sitting[seat]
        alone = Ended(after.id, game, (leaver,), (0.0,), at)
        found = await _read(connection, game, set(sitting), at)
        found |= await _lock(connection, game, [alone])
        shares = [float(number != seat) / (len(sitting) - 1) for number in range(len(sitting))]
        settled = settle([found[entrant] for entrant in sitting], shares, at)[seat]
        change = RatingChange(found[leaver], settled)
        await connection.execute(insert(changes).values(**_note(alone, seat, 0.0, change)))
        place = update(ratings).where(ratings.c.game == game, ratings.c.entrant == str(leaver))
        await connection.execute(place.values(**_columns(settled)))
        shown: list[Mapping[str, Any]] = [{} for _ in sitting]
        shown[seat] = change.show(at)
        return _show(after, shown)

    # When the server starts

    async def catch_up(self) -> int:
        """Rate the games that were rated before there were such ratings, in their order; how many.

        Later there is nothing left to do, unless another program has ended games.
        """
        total = 0
        while count := await self._catch_up():
            total += count
        if total:
            log("games are rated", count=total)
        return total

    async def _catch_up(self) -> int:
        unrated = ~exists().where(changes.c.played == games.c.id)
        query = (
            select(games.c.id, games.c.game, games.c.returns, games.c.finished)
            .where(games.c.rated, games.c.game.in_(tuple(GAMES)), games.c.finished.is_not(None))
            .where(unrated)
            .order_by(games.c.finished, games.c.id)
            .limit(BATCH)
        )
        async with self._database.transact() as connection:
            if self._database.is_shared:  # workers that start together take turns
                lock = text("SELECT pg_advisory_xact_lock(:key)")
                await connection.execute(lock, {"key": CATCHING_UP})
            rows = (await connection.execute(query)).all()
            sitting = await list_seats(connection, [row.id for row in rows])
            ended = []
            for row in rows:
                table = list_entrants(read_seats(sitting[row.id]))
                if table is None or row.returns is None:
                    place = update(games).where(games.c.id == row.id)
                    await connection.execute(place.values(rated=False))
                    continue
                shares = share_point(row.returns)
                ended.append(Ended(row.id, row.game, table, shares, row.finished))
            for one, found in zip(ended, await _rate(connection, ended), strict=True):
                for number, change in enumerate(found):
                    place = update(seats).where(seats.c.game == one.id, seats.c.seat == number)
                    await connection.execute(place.values(**change.show(one.at)))
        return len(rows)


def list_entrants(sitting: Sequence[Seat]) -> tuple[Entrant, ...] | None:
    """Who sits at a rated game; None if that is a guest, or a person or a bot twice."""
    found = [seat.entrant for seat in sitting]
    playing = [seat.entrant for seat in sitting if seat.is_person]
    if None in found or len(set(playing)) < len(playing):
        return None
    return tuple(entrant for entrant in found if entrant is not None)


def share_point(returns: Sequence[float]) -> tuple[float, ...]:
    """What each seat has won of a game as one point."""
    return Played(("",) * len(returns), tuple(returns)).shares


def _show(table: Table, shown: Sequence[Mapping[str, Any]]) -> Table:
    """The table whose seats show this of ratings; its line is not played again."""
    given = zip(table.seats, shown, strict=True)
    seated = tuple(replace(seat, **found) for seat, found in given)
    return keep_line(replace(table, seats=seated), table.line)


def _leave_unrated(table: Table) -> Table:
    return keep_line(replace(table, rated=False), table.line)


async def _rate(connection: AsyncConnection, ended: Sequence[Ended]) -> list[list[RatingChange]]:
    """Rate games in their order, and keep what they change."""
    found: list[list[RatingChange]] = []
    books = {
        game: await _lock(connection, game, [one for one in ended if one.game == game])
        for game in sorted({one.game for one in ended})
    }
    for one in ended:
        book = books[one.game]
        before = [book[entrant] for entrant in one.sitting]
        after = settle(before, one.shares, one.at)
        found.append([RatingChange(*pair) for pair in zip(before, after, strict=True)])
        book |= {new.entrant: new for new in after}
    logged = [
        _note(one, seat, one.shares[seat], change)
        for one, made in zip(ended, found, strict=True)
        for seat, change in enumerate(made)
    ]
    if logged:
        await connection.execute(insert(changes), logged)
        place = update(ratings).where(
            ratings.c.game == bindparam("of"), ratings.c.entrant == bindparam("who")
        )
        moved = [
            {"of": game, "who": str(one.entrant), **_columns(one)}
            for game, book in books.items()
            for one in book.values()
        ]
        await connection.execute(place, moved)
    return found


async def _lock(
    connection: AsyncConnection, game: str, ended: Sequence[Ended]
) -> dict[Entrant, RatedEntrant]:
    """What is known of all who played these games, which nobody else changes until we have."""
    first: dict[Entrant, int] = {}
    for one in ended:
        for entrant in one.sitting:
            first.setdefault(entrant, one.at)
    rows = [
        {"game": game, "entrant": str(one), **_columns(RatedEntrant.new(game, one, first[one]))}
        for one in sorted(first, key=str)
    ]
    await connection.execute(insert_into(connection, ratings).on_conflict_do_nothing(), rows)
    query = (
        select(ratings)
        .where(ratings.c.game == game, ratings.c.entrant.in_([row["entrant"] for row in rows]))
        .order_by(ratings.c.entrant)
        .with_for_update()
    )
    found = [read_rating(row) for row in await connection.execute(query)]
    return {one.entrant: one for one in found}


async def _read(
    connection: AsyncConnection, game: str, entrants: set[Entrant], now: int
) -> dict[Entrant, RatedEntrant]:
    named = [str(entrant) for entrant in entrants]
    query = select(ratings).where(ratings.c.game == game, ratings.c.entrant.in_(named))
    found = [read_rating(row) for row in await connection.execute(query)]
    unknown = {entrant: RatedEntrant.new(game, entrant, now) for entrant in entrants}
    return unknown | {one.entrant: one for one in found}


def read_rating(row: Row[Any]) -> RatedEntrant:
    """What is known of somebody from their row; where anchors lie is not a matter of rows."""
    entrant = Entrant.read(row.entrant)
    start, anchored = begin(row.game, entrant)
    known = start if anchored else Glicko(row.rating, row.deviation, row.volatility)
    return RatedEntrant(entrant, known, row.updated, row.games, row.points, anchored)


def _note(one: Ended, seat: int, share: float, change: RatingChange) -> dict[str, Any]:
    """What the log says of somebody at a game."""
    return {
        "played": one.id,
        "seat": seat,
        "game": one.game,
        "entrant": str(change.after.entrant),
        "share": share,
        "before": change.before.known.rating,
        "rating": change.after.known.rating,
        "deviation": change.after.known.deviation,
        "number": change.after.games,
        "at": one.at,
    }


def _columns(one: RatedEntrant) -> dict[str, Any]:
    kept = {"games": one.games, "points": one.points, "updated": one.updated}
    return {**asdict(one.known), **kept}
