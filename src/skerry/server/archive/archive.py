"""The archive: public games that are over, looked for and read one page after the other.

Pages follow a cursor, the time and id of the last game shown, the newest first. So nothing is lost
or shown twice while games are added, and a late page costs no more than the first.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, select, tuple_

from skerry.core.options import settle
from skerry.core.texts import N_
from skerry.games import GAMES, kind
from skerry.server.archive.exports import ExportedGame
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.languages.sentences import translate
from skerry.server.play.rows import list_plies, list_seats
from skerry.server.play.table import VOID
from skerry.server.play.views import list_sitting
from skerry.server.web.errors import Refusal
from skerry.server.web.requests import read_options
from skerry.server.web.text import fold
from skerry.server.workers.warm import name_game

MOST_COUNTED = 10_000  # games; beyond that nobody wants to know, and counting takes long
MOST_DOWNLOADED = 10_000
BATCH = 25  # games; whoever saves a study waits for one batch at most
SEAT_FIELDS = ("kind", "name", "lost", "left", "left_at")  # all that a record says of a seat
CURSOR = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{1,32})")

games, seats = schema.games, schema.seats
Work = Callable[[list[ExportedGame]], Awaitable[str]]


@dataclass(frozen=True)
class GameFilter:
    """Which games are looked for; what is None or empty does not matter.

    ``player`` is a name and ``engine`` a level, on any seat. ``result`` is the number of the seat
    that won, ``draw`` or ``none``. Days are days of UTC.
    """

    game: str | None = None
    options: str | None = None
    player: str | None = None
    engine: str | None = None
    result: str | None = None
    shortest: int | None = None  # plies
    longest: int | None = None
    since: date | None = None
    until: date | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        found: list[ColumnElement[bool]] = [
            games.c.public,
            games.c.finished.is_not(None),
            games.c.result.is_distinct_from(VOID),
        ]
        if self.game:
            found.append(games.c.game == kind(self.game).name)
        if self.options:
            settled = settle_options(self.game, self.options)
            found.append(games.c.setup == schema.write_setup(settled))
        if self.player:
            found.append(_at_table(seats.c.folded == fold(self.player)))
        if self.engine:
            found.append(_at_table(seats.c.kind == self.engine))
        if self.result:
            found.append(games.c.result == self.result)
        if self.shortest is not None:
            found.append(games.c.ply >= self.shortest)
        if self.longest is not None:
            found.append(games.c.ply <= self.longest)
        if self.since is not None:
            found.append(games.c.finished >= _stamp(self.since, time.min))
        if self.until is not None:
            found.append(games.c.finished <= _stamp(self.until, time.max))
        return found


def _at_table(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return games.c.id.in_(select(seats.c.game).where(condition))


def _stamp(day: date, at: time) -> int:
    return int(datetime.combine(day, at, UTC).timestamp() * 1000)


def settle_options(name: str | None, text: str) -> Mapping[str, int]:
    """All options of a game from those that are not as usual, such as ``side=3 pegs=5``."""
    if not name:
        raise Refusal("choose a game first: options differ from game to game")
    return settle(name, kind(name).option_specs, read_options(text))


@dataclass(frozen=True)
class ArchiveSlice:
    """Some games of the archive; ``after`` is the cursor of the next page, None on the last one."""

    games: list[dict[str, Any]]
    after: str | None


class Archive:
    """Looks for games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, wanted: GameFilter, after: str | None, limit: int) -> ArchiveSlice:
        """The newest games that are wanted, or those that come after a page."""
        query = _newest(wanted, after).limit(limit + 1)  # one more tells whether there are more
        async with self._database.connect() as connection:
            found = (await connection.execute(query)).all()
            sitting = await list_seats(connection, [row.id for row in found])
        shown = found[:limit]
        more = len(found) > limit
        return ArchiveSlice(
            [_describe(row, sitting[row.id]) for row in shown if row.game in GAMES],
            _cursor_of(shown[-1]) if more else None,
        )

    async def count(self, wanted: GameFilter) -> int:
        """How many games are wanted, as far as they are counted."""
        some = select(games.c.id).where(*wanted.conditions()).limit(MOST_COUNTED + 1)
        async with self._database.connect() as connection:
            query = select(func.count()).select_from(some.subquery())
            return await connection.scalar(query) or 0

    async def write(self, wanted: GameFilter, after: str | None, work: Work) -> AsyncIterator[str]:
        """All games that are wanted as one file of records; ``work`` writes a batch of them."""
        left = MOST_DOWNLOADED
        while left:
            query = _newest(wanted, after).limit(min(BATCH, left))
            async with self._database.connect() as connection:
                found = (await connection.execute(query)).all()
                ids = [row.id for row in found]
                sitting = await list_seats(connection, ids)
                made = await list_plies(connection, ids)
            if found:  # writing plays through all of them
                known = [row for row in found if row.game in GAMES]
                yield await work([_export(row, sitting[row.id], made[row.id]) for row in known])
            left -= len(found)
            if len(found) < BATCH:
                return
            after = _cursor_of(found[-1])


def _export(row: Row[Any], sitting: Sequence[Row[Any]], made: Sequence[Row[Any]]) -> ExportedGame:
    return ExportedGame(
        name_game(row.game, row.options),
        row.position,
        row.seed,
        [{field: getattr(seat, field) for field in SEAT_FIELDS} for seat in sitting],
        [(ply.action, ply.spent) for ply in made],
        row.clock,
        row.ending,
        row.result == VOID,
    )


def _newest(wanted: GameFilter, after: str | None) -> Select[Any]:
    query = select(games).where(*wanted.conditions())
    if after:
        query = query.where(tuple_(games.c.finished, games.c.id) < tuple_(*_read_cursor(after)))
    return query.order_by(games.c.finished.desc(), games.c.id.desc())


def _cursor_of(row: Row[Any]) -> str:
    return f"{row.finished}-{row.id}"


def _read_cursor(text: str) -> tuple[int, str]:
    found = CURSOR.fullmatch(text)
    if found is None:
        raise Refusal("after is the cursor that the page before gave; leave it out to start again")
    return int(found[1]), found[2]


def _describe(row: Row[Any], sitting: list[Row[Any]]) -> dict[str, Any]:
    game = kind(row.game)
    return {
        "id": row.id,
        "game": row.game,
        "title": game.title,
        "options": row.options,
        "seats": list_sitting(game, sitting),
        "result": row.result,
        "words": translate(describe_result(game.seats, row.result)),
        "plies": row.ply,
        "finished": row.finished,
        "rated": row.rated,
        "url": f"/g/{row.id}",
    }


def describe_result(seats: Sequence[str], result: str) -> str:
    """A result in words, for seats of these titles."""
    if result == "draw":
        return N_("Draw")
    return N_("Nobody won") if result == "none" else N_(f"{seats[int(result)]} won")
