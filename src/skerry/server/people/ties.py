"""Whom people follow, and whom they have blocked."""

from collections.abc import Callable, Collection
from typing import Any, Literal

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.web.errors import Refusal
from skerry.server.web.secrets import Signed

FOLLOW: Literal["follow"] = "follow"
BLOCK: Literal["block"] = "block"
TieKind = Literal["follow", "block"]
MOST = 1000  # that somebody follows, or blocks

ties, accounts = schema.ties, schema.accounts


class Ties:
    """What somebody is to somebody else. Nobody is told that they are blocked or followed."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def tie(self, person: Signed, other: Signed, kind: TieKind) -> None:
        """Follow or block somebody; whoever is blocked is not followed."""
        if person.id == other.id:
            raise Refusal(f"you cannot {kind} yourself")
        own = (ties.c.account == person.id, ties.c.kind == kind)
        try:
            async with self._database.transact() as connection:
                count = await connection.scalar(select(func.count()).where(*own)) or 0
                if count >= MOST:
                    raise Refusal(f"you can {kind} at most {MOST} people; let some go first")
                if kind == BLOCK:
                    await connection.execute(
                        delete(ties).where(
                            ties.c.kind == FOLLOW,
                            ties.c.account.in_((person.id, other.id)),
                            ties.c.other.in_((person.id, other.id)),
                        )
                    )
                elif await self._is_blocked(connection, other.id, person.id):
                    raise Refusal(f"you cannot follow {other.name}")
                values = {"account": person.id, "other": other.id, "kind": kind}
                await connection.execute(insert(ties).values(**values, since=self._now()))
        except IntegrityError:
            return  # it was so already

    async def untie(self, person: Signed, other: Signed, kind: TieKind) -> None:
        async with self._database.transact() as connection:
            await connection.execute(
                delete(ties).where(
                    ties.c.account == person.id, ties.c.other == other.id, ties.c.kind == kind
                )
            )

    @staticmethod
    async def _is_blocked(connection: Any, by: str, whom: str) -> bool:
        query = select(func.count()).where(
            ties.c.account == by, ties.c.other == whom, ties.c.kind == BLOCK
        )
        return bool(await connection.scalar(query))

    async def list_blocking(self, account: str, others: Collection[str]) -> Collection[str]:
        """Those of others who have blocked somebody."""
        if not others:
            return ()
        query = select(ties.c.account).where(
            ties.c.other == account, ties.c.kind == BLOCK, ties.c.account.in_(others)
        )
        async with self._database.connect() as connection:
            return set((await connection.scalars(query)).all())

    async def find(self, person: Signed, other: str) -> dict[str, bool]:
        """Whether somebody follows or has blocked somebody else."""
        query = select(ties.c.kind).where(ties.c.account == person.id, ties.c.other == other)
        async with self._database.connect() as connection:
            kinds = set((await connection.scalars(query)).all())
        return {"followed": FOLLOW in kinds, "blocked": BLOCK in kinds}

    async def list(self, person: Signed, kind: TieKind) -> list[dict[str, Any]]:
        """Whom somebody follows or has blocked, by name."""
        query = (
            select(accounts.c.id, accounts.c.name)
            .join(ties, ties.c.other == accounts.c.id)
            .where(ties.c.account == person.id, ties.c.kind == kind)
            .order_by(accounts.c.folded)
            .limit(MOST)
        )
        async with self._database.connect() as connection:
            return [dict(row._mapping) for row in await connection.execute(query)]
