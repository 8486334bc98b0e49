"""What is kept of people as entrants, by name and not by account: ratings, and their part in
tournaments and challenges; for those who delete accounts, rename them or make one of two."""

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.web.entrants import PERSON, Entrant

KEPT = (schema.ratings, schema.changes)
tournaments, entries, bouts = schema.tournaments, schema.entries, schema.bouts
# Where entrants are named, each with the column that says what they are called there.
MENTIONED = (
    (entries.c.entrant, entries.c.name),
    (tournaments.c.maker, tournaments.c.made_by),
    (schema.challenges.c.addressee, schema.challenges.c.called),
    (schema.joined.c.entrant, schema.joined.c.name),
)


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


async def rename_entrant(connection: AsyncConnection, account: str, name: str) -> None:
    """Let a person be called something else wherever tournaments and challenges mention them."""
    for column, called in MENTIONED:
        mine = column == write_entrant(account)
        await connection.execute(update(column.table).where(mine).values({called: name}))


async def find_common_tournament(
    connection: AsyncConnection, first: str, second: str
) -> str | None:
    """The title of a tournament that is not over, in which two persons take part."""
    mine, theirs = entries.alias(), entries.alias()
    query = (
        select(tournaments.c.title)
        .join(mine, mine.c.tournament == tournaments.c.id)
        .join(theirs, theirs.c.tournament == tournaments.c.id)
        .where(mine.c.entrant == write_entrant(first), theirs.c.entrant == write_entrant(second))
        .where(tournaments.c.finished.is_(None))
    )
    found: str | None = await connection.scalar(query.limit(1))
    return found


async def move_mentions(connection: AsyncConnection, first: str, second: str) -> None:
    """Let another person have somebody's part in tournaments and challenges.

    Where both took part in a tournament, both stay in its table.
    """
    old, new = write_entrant(first), write_entrant(second)
    own = entries.alias()
    taken = select(own.c.tournament).where(own.c.entrant == new)
    mine = select(entries.c.tournament).where(
        entries.c.entrant == old, entries.c.tournament.not_in(taken)
    )
    ids = (await connection.scalars(mine)).all()
    # First, so that whoever works on these finds that they have changed.
    changed = update(tournaments).where(tournaments.c.id.in_(ids))
    await connection.execute(changed.values(version=tournaments.c.version + 1))
    place = update(entries).where(entries.c.entrant == old, entries.c.tournament.in_(ids))
    await connection.execute(place.values(entrant=new))
    for bout in await connection.execute(select(bouts).where(bouts.c.tournament.in_(ids))):
        if old in bout.players:
            same = [bouts.c[key] == getattr(bout, key) for key in ("tournament", "round", "number")]
            players = [new if player == old else player for player in bout.players]
            await connection.execute(update(bouts).where(*same).values(players=players))
    for column, _ in MENTIONED[1:]:
        await connection.execute(update(column.table).where(column == old).values({column: new}))
