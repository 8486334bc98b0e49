"""Planned answers in the database: read and changed within the transactions that change games."""

from collections.abc import Collection

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.play.conditions.lines import Conditions

conditions = schema.conditions


async def find_conditions(connection: AsyncConnection, game: str) -> dict[int, Conditions]:
    """What the seats of a game have planned."""
    rows = await connection.execute(select(conditions).where(conditions.c.game == game))
    return {
        row.seat: Conditions(row.seat, row.ply, tuple(tuple(line) for line in row.lines))
        for row in rows
    }


async def keep_conditions(connection: AsyncConnection, game: str, planned: Conditions) -> None:
    """Put the plans of a seat in the place of those before; no lines are no plans."""
    await drop_conditions(connection, game, [planned.seat])
    if planned.lines:
        await connection.execute(
            insert(conditions).values(
                game=game, seat=planned.seat, ply=planned.ply, lines=planned.lines
            )
        )


async def drop_conditions(connection: AsyncConnection, game: str, seats: Collection[int]) -> None:
    await connection.execute(
        delete(conditions).where(conditions.c.game == game, conditions.c.seat.in_(seats))
    )
