"""The ladder of a game: everybody who is rated, the best first, and how they came there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Integer, Select, and_, exists, func, or_, select

from skerry.games import GAMES, kind
from skerry.lab.stats.ratings import ELO
from skerry.search.players import LEVELS
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.ratings.anchors import LEVEL_ONE
from skerry.server.ratings.book import RatingBook, read_rating
from skerry.server.ratings.standing import PERIOD, PROVISIONAL, RatedEntrant
from skerry.server.web.entrants import BOT, LEVEL, PERSON, Entrant, EntrantNames

MOST = 100  # on one page of a ladder
MOST_SHOWN = 500  # games of a graph; of more, some are left out evenly

accounts, changes, games, ratings = (
    schema.accounts,
    schema.changes,
    schema.games,
    schema.ratings,
)


@dataclass(frozen=True)
class RatingPoint:
    """A rating and its deviation after a game."""

    at: int
    id: str  # of the game
    rating: float
    deviation: float
    number: int


class Ladder:
    """The ladders of all games."""

    def __init__(
        self,
        database: Database,
        book: RatingBook,
        names: EntrantNames,
        top_level: int,
        now: Callable[[], int],
    ) -> None:
        self._database = database
        self._book = book
        self._names = names
        self._levels = [Entrant(LEVEL, str(level)) for level in LEVELS[:top_level]]
        self._now = now

    async def show(
        self, name: str, who: str | None = None, begin: int = 0, limit: int = MOST
    ) -> dict[str, Any]:
        """A page of the ladder of a game, with those of a kind only if ``who`` says so."""
        now = self._now()
        rated = (games.c.rated, games.c.game == name, games.c.finished.is_not(None))
        async with self._database.connect() as connection:
            count = await connection.scalar(select(func.count()).where(*rated)) or 0
            found: list[RatedEntrant] = []
            ahead, is_last, above = 0, True, None
            if who != LEVEL:
                query = _list_ranked(name, who).offset(begin).limit(limit + 1)
                found = [read_rating(row) for row in await connection.execute(query)]
                is_last = len(found) <= limit
                found = found[:limit]
                if begin:
                    ahead, above = (
                        await connection.execute(_count_ahead(name, who, begin, now))
                    ).one()
        if who in (None, LEVEL):
            known = await self._book.get(name, self._levels)
            below = None if is_last or not found else found[-1].known.rating
            found += [
                one
                for one in known.values()
                if (above is None or one.known.rating <= above)
                and (below is None or one.known.rating > below)
            ]
        found.sort(key=_order)
        players = await self._describe(found, ahead, now)
        return {
            "game": name,
            "title": kind(name).title,
            "games": count,
            "players": players,
            "after": None if is_last else begin + limit,
        }

    async def _describe(
        self, found: Sequence[RatedEntrant], ahead: int, now: int
    ) -> list[dict[str, Any]]:
        names = await self._names.name_entrants([one.entrant for one in found])
        shown, rank = [], ahead
        for one in found:
            is_ranked = one.entrant.kind != LEVEL and not one.is_provisional(now)
            rank += is_ranked
            shown.append(
                {
                    "name": names[one.entrant] if one.entrant.kind != LEVEL else str(one.entrant),
                    "kind": one.entrant.kind,
                    "rank": rank if is_ranked else None,
                    **describe(one, now),
                }
            )
        return shown

    async def list_ratings(self, entrant: Entrant) -> list[dict[str, Any]]:
        """What somebody has in all games that they were rated in."""
        query = select(ratings).where(ratings.c.entrant == str(entrant), ratings.c.games > 0)
        async with self._database.connect() as connection:
            rows = [row for row in await connection.execute(query) if row.game in GAMES]
        now = self._now()
        return [
            {"game": row.game, "title": kind(row.game).title, **describe(read_rating(row), now)}
            for row in sorted(rows, key=lambda row: list(GAMES).index(row.game))
        ]

    async def list_history(self, game: str, entrant: Entrant) -> list[RatingPoint]:
        """How somebody's rating came about; evenly thinned out if there are very many games."""
        own = (changes.c.entrant == str(entrant), changes.c.game == game)
        async with self._database.connect() as connection:
            last = await connection.scalar(select(func.max(changes.c.number)).where(*own)) or 0
            step = -(-last // MOST_SHOWN) or 1
            query = (
                select(changes)
                .where(*own, (last - changes.c.number) % step == 0)
                .order_by(changes.c.at, changes.c.number)
            )
            rows = (await connection.execute(query)).all()
        return [
            RatingPoint(row.at, row.played, row.rating, row.deviation, row.number) for row in rows
        ]


def _order(one: RatedEntrant) -> tuple[float, int, str]:
    """The best first, and of levels that were measured alike the higher one."""
    level = int(one.entrant.key) if one.entrant.kind == LEVEL else 0
    return -one.known.rating, -level, str(one.entrant)


def describe(one: RatedEntrant, now: int) -> dict[str, Any]:
    """A rating as the API tells it."""
    known = one.at(now)
    return {
        "entrant": str(one.entrant),
        "rating": round(known.rating, 1),
        "deviation": round(known.deviation, 1),
        "margin": round(known.margin, 1),
        "elo": round(known.rating - LEVEL_ONE, 1),
        "provisional": one.is_provisional(now),
        "anchored": one.anchored,
        "games": one.games,
        "points": round(one.points, 2),
        "updated": one.updated if one.games else None,
    }


def _list_ranked(name: str, who: str | None) -> Select[Any]:
    """All who have played, but for levels and for those who are gone, the best first."""
    kinds = (PERSON, BOT) if who is None else (who,)
    is_wanted = or_(*(ratings.c.entrant.startswith(f"{kind}:", autoescape=True) for kind in kinds))
    own = func.substr(ratings.c.entrant, len(PERSON) + 2) == accounts.c.id
    is_gone = and_(
        ratings.c.entrant.startswith(f"{PERSON}:", autoescape=True),
        ~exists().where(own, accounts.c.closed.is_(None)),
    )
    return (
        select(ratings)
        .where(ratings.c.game == name, ratings.c.games > 0, is_wanted, ~is_gone)
        .order_by(ratings.c.rating.desc(), ratings.c.entrant)
    )


def _count_ahead(name: str, who: str | None, begin: int, now: int) -> Select[int, Any]:
    """How many of those before a page have a rank, and the least rating among them."""
    before = _list_ranked(name, who).limit(begin).subquery()
    return select(
        func.coalesce(func.sum(_is_established(before.c, now).cast(Integer)), 0),
        func.min(before.c.rating),
    )


def _is_established(columns: Any, now: int) -> ColumnElement[bool]:
    """What ``RatedEntrant.is_provisional`` says, for the database."""
    passed = (now - columns.updated) * 1.0 / PERIOD
    grown = columns.volatility * ELO
    variance = columns.deviation * columns.deviation + passed * grown * grown
    is_known: ColumnElement[bool] = variance <= PROVISIONAL**2
    return is_known
