"""Two accounts that become one: all that refers to the first refers to the second from then on."""

from sqlalchemy import Table, and_, delete, exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.db.renown import move_mentions, move_ratings
from skerry.server.db.tables import metadata

accounts, games, seats = schema.accounts, schema.games, schema.seats
# What opens an account, and what is undone by its owner: that of the first is worth nothing.
MAILED = ("confirmations", "mailing", "outbox")
DROPPED = ("sessions", "recoveries", "passkeys", "vacations", *MAILED)


async def find_common_game(connection: AsyncConnection, first: str, second: str) -> str | None:
    """A game that goes on in which two accounts have seats."""
    mine, theirs = seats.alias(), seats.alias()
    query = (
        select(games.c.id)
        .join(mine, mine.c.game == games.c.id)
        .join(theirs, theirs.c.game == games.c.id)
        .where(games.c.playing, mine.c.account == first, theirs.c.account == second)
        .limit(1)
    )
    found: str | None = await connection.scalar(query)
    return found


async def move_all(connection: AsyncConnection, first: str, second: str) -> None:
    """Let rows of all tables that refer to an account refer to another.

    Where that one has such a row already, its own stays.
    """
    await move_ratings(connection, first, second)
    await move_mentions(connection, first, second)
    for table in metadata.sorted_tables:
        columns = [
            column
            for column in table.columns
            if any(key.column is accounts.c.id for key in column.foreign_keys)
        ]
        for column in columns:
            if table.name in DROPPED:
                await connection.execute(delete(table).where(column == first))
                continue
            if column.primary_key:
                await _drop_twins(connection, table, column.name, first, second)
            await connection.execute(update(table).where(column == first).values({column: second}))
        if len(columns) > 1:  # nobody follows, blocks or reports themselves
            themselves = and_(*(column == second for column in columns))
            await connection.execute(delete(table).where(themselves))


async def note_merger(connection: AsyncConnection, first: str, second: str) -> None:
    """Remember what has become of an account, and of those that had become it before."""
    own = or_(accounts.c.id == first, accounts.c.merged == first)
    await connection.execute(update(accounts).where(own).values(merged=second))


async def _drop_twins(
    connection: AsyncConnection, table: Table, name: str, first: str, second: str
) -> None:
    """Delete the rows that the other account has as well."""
    twin = table.alias()
    others = [key.name for key in table.primary_key.columns if key.name != name]
    same = and_(twin.c[name] == second, *(twin.c[key] == table.c[key] for key in others))
    doomed = and_(table.c[name] == first, exists(select(1).select_from(twin).where(same)))
    await connection.execute(delete(table).where(doomed))
