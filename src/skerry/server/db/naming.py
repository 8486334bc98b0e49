"""Names that are taken: nobody is called like somebody else, nor like a bot or an engine."""

import re
from collections.abc import Collection
from typing import Any

from sqlalchemy import Select, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.core.errors import shorten
from skerry.server.db import schema
from skerry.server.web.errors import Refusal, Taken
from skerry.server.web.text import skeleton

accounts = schema.accounts
# What the names of engines look like.
ENGINE = re.compile(rf"{skeleton('level')}.{{1,2}}|{skeleton('random')}")
KNOWN = {schema.accounts: "somebody", schema.bots: "a bot"}


def select_named(folded: str) -> Select[Any]:
    """The account of that name, or the one that it has become."""
    asked = accounts.alias()
    own = accounts.c.id == func.coalesce(asked.c.merged, asked.c.id)
    return select(accounts).join(asked, own).where(asked.c.folded == folded)


def check_engine_name(name: str, engines: Collection[str] = ()) -> None:
    """See that a name does not look like that of an engine; ``engines`` are those of others."""
    look = skeleton(name)
    if ENGINE.fullmatch(look) or look in map(skeleton, engines):
        raise Refusal("this is what engines are called; choose another name")


async def claim_name(connection: AsyncConnection, name: str) -> None:
    """See that nobody has a name that looks like this, and keep others from it until the end of the
    transaction: persons and bots are in different tables, which know nothing of each other.
    """
    look = skeleton(name)
    if connection.dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(hashtext(:look))")
        await connection.execute(lock, {"look": f"name {look}"})
    for table, who in KNOWN.items():
        found = await connection.scalar(select(table.c.name).where(table.c.skeleton == look))
        if found is not None:
            raise Taken(
                f"{who} is or was called {shorten(found)}, which looks the same; choose another "
                "name"
            )
