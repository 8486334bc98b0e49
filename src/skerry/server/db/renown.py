"""What is kept of a person's ratings, for those who delete accounts or make one of two."""

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.web.entrants import PERSON, Entrant

KEPT = (schema.ratings, schema.changes)


def write_entrant(account: str) -> str:
    """How a person is called in ratings."""
    return str(Entrant(PERSON, account))


async def forget_ratings(connection: AsyncConnection, account: str) -> None:
    """Keep nothing about a person; what their games have made of others stays."""
    for table in KEPT:
        await connection.execute(delete(table).where(table.c.entrant == write_entrant(account)))


async def move_ratings(connection: AsyncConnection, first: str, second: str) -> None:
    """Let the ratings of one account be those of another, but in games that it is rated in."""
    old, new = write_entrant(first), write_entrant(second)
    ratings = schema.ratings
    known = list(await connection.scalars(select(ratings.c.game).where(ratings.c.entrant == new)))
    for table in KEPT:
        mine = table.c.entrant == old
        await connection.execute(delete(table).where(mine, table.c.game.in_(known)))
        await connection.execute(update(table).where(mine).values(entrant=new))
