"""What people tell moderators about others."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import func, insert, select, update

from skerry.server.db import schema
from skerry.server.db.durations import DAY
from skerry.server.db.engine import Database
from skerry.server.keeping.audit import write_note
from skerry.server.web.entrants import PERSON, Entrant
from skerry.server.web.errors import NotFound, Refusal, TooMany
from skerry.server.web.secrets import Signed, new_id
from skerry.server.web.text import tidy

LONGEST = 1000  # letters
A_DAY = 10  # that somebody can make
SHOWN = 100

complaints, accounts = schema.complaints, schema.accounts


class Complaints:
    """Complaints wait until a moderator has closed them."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def make(self, person: Signed, other: Signed, words: str, game: str | None) -> None:
        said = tidy(words, LONGEST)
        if not said:
            raise Refusal("say what happened, in a sentence or two")
        if person.id == other.id:
            raise Refusal("this is about yourself; ask whoever runs this server")
        now = self._now()
        lately = (complaints.c.author == person.id, complaints.c.at > now - DAY)
        async with self._database.transact() as connection:
            if (await connection.scalar(select(func.count()).where(*lately)) or 0) >= A_DAY:
                raise TooMany("you have reported enough for today; moderators will look at it")
            await connection.execute(
                insert(complaints).values(
                    id=new_id(), at=now, author=person.id, about=other.id, game=game, words=said
                )
            )

    async def list(self, moderator: Signed, is_open: bool) -> list[dict[str, Any]]:
        """Those that wait, the oldest first; or those that were closed last.

        Nobody is told of those about themselves, nor who made them.
        """
        author, about = accounts.alias("authors"), accounts.alias("about_whom")
        order = complaints.c.at if is_open else complaints.c.closed.desc()
        found = complaints.c.closed.is_(None) if is_open else complaints.c.closed.is_not(None)
        query = (
            select(
                *(complaints.c[name] for name in ("id", "at", "game", "words", "closed")),
                complaints.c.verdict,
                author.c.name.label("author"),
                about.c.name.label("about"),
            )
            .join(author, author.c.id == complaints.c.author)
            .join(about, about.c.id == complaints.c.about)
            .where(found, complaints.c.about != moderator.id)
            .order_by(order, complaints.c.id)
            .limit(SHOWN)
        )
        async with self._database.connect() as connection:
            return [dict(row._mapping) for row in await connection.execute(query)]

    async def close(self, moderator: Signed, id: str, verdict: str) -> None:
        """Note what came of a complaint; of two moderators at once, one is too late."""
        now, said = self._now(), tidy(verdict, LONGEST)
        place = update(complaints).where(
            complaints.c.id == id,
            complaints.c.closed.is_(None),
            complaints.c.about != moderator.id,
        )
        closing = place.values(closed=now, verdict=said).returning(complaints.c.about)
        async with self._database.transact() as connection:
            about = await connection.scalar(closing)
            if about is None:
                raise NotFound("there is no such report, or somebody has settled it already")
            actor, whom = (str(Entrant(PERSON, one)) for one in (moderator.id, about))
            details = {"verdict": said} if said else {}
            await write_note(connection, now, actor, "settle", whom, report=id, **details)
