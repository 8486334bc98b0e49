"""The archive: public games that are over, looked for and read one page after the other.

Pages are cut by when games ended, the newest first: a page goes on after the last game of the one
before. So nothing is lost or shown twice while games are added, and a late page costs no more than
the first.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, select, tuple_

from skerry.core.errors import OptionsError, shorten
from skerry.core.options import settle
from skerry.games import kind
from skerry.records import write_text
from skerry.server.db import schema
from skerry.server.play.store import Store, list_seats, write_options
from skerry.server.play.table import Table, record
from skerry.server.play.views import list_sitting
from skerry.server.web.errors import Refusal
from skerry.server.web.text import fold

MOST_COUNTED = 10_000  # games; beyond that nobody wants to know, and counting takes long
MOST_DOWNLOADED = 10_000
BATCH = 100
PLACE = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{1,32})")

games, seats, plies = schema.games, schema.seats, schema.plies


@dataclass(frozen=True)
class Wanted:
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
        found: list[ColumnElement[bool]] = [games.c.public, games.c.finished.is_not(None)]
        if self.game:
            found.append(games.c.game == kind(self.game).name)
        if self.options:
            found.append(games.c.setup == write_options(read_options(self.game, self.options)))
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


def read_options(name: str | None, text: str) -> Mapping[str, int]:
    """All options of a game from those that are not as usual, such as ``side=3 pegs=5``."""
    if not name:
        raise Refusal("choose a game first: options differ from game to game")
    chosen: dict[str, object] = {}
    for part in text.replace(",", " ").split():
        option, _, value = part.partition("=")
        if not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise OptionsError(f"{shorten(part)} is no option: write options such as side=3")
        chosen[option] = int(value)
    return settle(name, kind(name).option_specs, chosen)


@dataclass(frozen=True)
class Page:
    """Some games of the archive; ``after`` is where the next page begins, None on the last one."""

    games: list[dict[str, Any]]
    after: str | None


class Archive:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def list(self, wanted: Wanted, after: str | None, limit: int) -> Page:
        """The newest games that are wanted, or those that come after a page."""
        query = _newest(wanted, after).limit(limit + 1)  # one more tells whether there are more
        async with self._store.engine.connect() as connection:
            found = (await connection.execute(query)).all()
            sitting = await list_seats(connection, [row.id for row in found])
        shown = found[:limit]
        more = len(found) > limit
        return Page(
            [_describe(row, sitting[row.id]) for row in shown],
            _place(shown[-1]) if more else None,
        )

    async def count(self, wanted: Wanted) -> int:
        """How many games are wanted, as far as they are counted."""
        some = select(games.c.id).where(*wanted.conditions()).limit(MOST_COUNTED + 1)
        async with self._store.engine.connect() as connection:
            query = select(func.count()).select_from(some.subquery())
            return await connection.scalar(query) or 0

    async def write(self, wanted: Wanted, after: str | None) -> AsyncIterator[str]:
        """All games that are wanted as one file of records, a batch at a time."""
        left = MOST_DOWNLOADED
        while left:
            query = _newest(wanted, after).limit(min(BATCH, left))
            async with self._store.engine.connect() as connection:
                found = (await connection.execute(query)).all()
                ids = [row.id for row in found]
                sitting = await list_seats(connection, ids)
                made: defaultdict[str, list[Row[Any]]] = defaultdict(list)
                chosen = select(plies).where(plies.c.game.in_(ids))
                for ply in await connection.execute(chosen.order_by(plies.c.game, plies.c.ply)):
                    made[ply.game].append(ply)
            tables = [await self._store.read(row, sitting[row.id], made[row.id]) for row in found]
            if tables:  # writing plays through all of them
                yield await asyncio.to_thread(_write, tables)
            left -= len(found)
            if len(found) < BATCH:
                return
            after = _place(found[-1])


def _write(tables: list[Table]) -> str:
    return write_text(record(table) for table in tables) + "\n"


def _newest(wanted: Wanted, after: str | None) -> Select[Any]:
    query = select(games).where(*wanted.conditions())
    if after:
        query = query.where(tuple_(games.c.finished, games.c.id) < tuple_(*_read_place(after)))
    return query.order_by(games.c.finished.desc(), games.c.id.desc())


def _place(row: Row[Any]) -> str:
    return f"{row.finished}-{row.id}"


def _read_place(text: str) -> tuple[int, str]:
    found = PLACE.fullmatch(text)
    if found is None:
        raise Refusal("after is what the page before called so; leave it out to begin anew")
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
        "words": describe_result(game.seats, row.result),
        "plies": row.ply,
        "finished": row.finished,
        "rated": row.rated,
        "url": f"/g/{row.id}",
    }


def describe_result(seats: Sequence[str], result: str) -> str:
    """A result in words, for seats of these titles."""
    if result == "draw":
        return "Draw"
    return "Nobody won" if result == "none" else f"{seats[int(result)]} won"
