"""The audit log: what those have done who run the club, to whom, and when."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db.engine import Database
from skerry.server.db.office import audit

SERVER = "server"  # what a deed is about that concerns everybody


async def write_note(
    connection: AsyncConnection, at: int, actor: str, deed: str, about: str, **details: Any
) -> None:
    """Note a deed in the very transaction that does it: both are kept or none."""
    row = {"at": at, "actor": actor, "deed": deed, "about": about, "details": details}
    await connection.execute(insert(audit).values(**row))


class Audit:
    """Keeps the log. Actors and those whom deeds are about are written as entrants are."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def note(self, actor: str, deed: str, about: str, **details: Any) -> None:
        async with self._database.transact() as connection:
            await write_note(connection, self._now(), actor, deed, about, **details)

    async def list(
        self, limit: int, before: int | None = None, about: str | None = None
    ) -> list[dict[str, Any]]:
        """What was noted last, or last before the note of that number; the newest first."""
        query = select(audit).order_by(audit.c.n.desc()).limit(limit)
        if before is not None:
            query = query.where(audit.c.n < before)
        if about is not None:
            query = query.where(audit.c.about == about)
        async with self._database.connect() as connection:
            return [dict(row._mapping) for row in await connection.execute(query)]
