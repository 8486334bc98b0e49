"""Whether the books of ratings are in order, whatever happened to the server that kept them."""

from collections import defaultdict
from itertools import pairwise
from typing import Any

from sqlalchemy import Row, select

from skerry.server.db import schema
from skerry.server.db.engine import Database

games, seats, ratings, changes = schema.games, schema.seats, schema.ratings, schema.changes


async def check_books(database: Database) -> set[str]:
    """See that every rated game is in them once, and that nothing else is; which they are.

    Of a game that somebody left and others played on, there is the seat that was left.
    """
    async with database.connect() as connection:
        rated = (
            await connection.scalars(
                select(games.c.id).where(games.c.rated, games.c.finished.is_not(None))
            )
        ).all()
        taken = (await connection.execute(select(seats))).all()
        logged = (await connection.execute(select(changes).order_by(changes.c.number))).all()
        kept = {(row.game, row.entrant): row for row in await connection.execute(select(ratings))}
    by_seat = {(row.game, row.seat): row for row in taken}
    assert {(row.played, row.seat) for row in logged} == {
        (game, seat)
        for (game, seat), row in by_seat.items()
        if game in set(rated) or (row.left is not None and row.rating_after is not None)
    }
    chains: defaultdict[tuple[str, str], list[Row[Any]]] = defaultdict(list)
    for row in logged:
        chains[row.game, row.entrant].append(row)
        seat = by_seat[row.played, row.seat]
        assert (seat.rating, seat.rating_after) == (round(row.before), round(row.rating))
    for key, chain in chains.items():
        # Every game goes on from where the one before it ended: none was lost, none counted twice.
        assert [row.number for row in chain] == list(range(1, len(chain) + 1)), key
        for row, following in pairwise(chain):
            assert following.before == row.rating, key
        last = kept[key]
        assert (last.games, last.rating) == (len(chain), chain[-1].rating)
        assert abs(last.points - sum(row.share for row in chain)) < 1e-9
    return set(rated)
