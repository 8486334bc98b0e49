"""What the archive, bots and the ladder look for, also for games that were there before."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from skerry.games import make
from skerry.server.db.schema import write_setup
from skerry.server.web.text import fold

revision = "0002_archive"
down_revision = "0001"

BATCH = 500

games = sa.table(
    "games",
    *[
        sa.column(name)
        for name in ("id", "game", "position", "persons", "playing", "updated", "public", "setup")
    ],
    *[sa.column(name) for name in ("finished", "result")],
    *[sa.column(name, sa.JSON(none_as_null=True)) for name in ("options", "ending", "returns")],
)
seats = sa.table("seats", *[sa.column(name) for name in ("game", "seat", "name", "folded")])
plies = sa.table("plies", *[sa.column(name) for name in ("game", "ply", "action", "at")])


def upgrade() -> None:
    # Columns are only added: to alter one, SQLite would copy the table and drop the old one, which
    # takes all seats and plies along. So the defaults, which nothing relies on later, stay.
    for column in (
        sa.Column("public", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("setup", sa.String(255), nullable=False, server_default=""),
        sa.Column("finished", sa.BigInteger()),
        sa.Column("result", sa.String(8)),
        sa.Column("returns", sa.JSON()),
    ):
        op.add_column("games", column)
    op.add_column("seats", sa.Column("folded", sa.String(128), nullable=False, server_default=""))
    _fill_in(op.get_bind())
    op.create_index("ix_games_archive", "games", ["public", "finished", "id", "ply"])
    op.create_index(
        "ix_games_archive_setup", "games", ["game", "setup", "public", "finished", "id"]
    )
    op.create_index("ix_games_archive_result", "games", ["result", "public", "finished", "id"])
    op.create_index("ix_games_archive_game", "games", ["game", "public", "finished", "id"])
    op.create_index("ix_games_rated", "games", ["rated", "game", "finished"])
    op.create_index("ix_seats_folded", "seats", ["folded", "game"])
    op.create_index("ix_seats_kind", "seats", ["kind", "game"])
    op.create_table(
        "bots",
        sa.Column("folded", sa.String(128), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("token", sa.String(64)),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("folded", name="pk_bots"),
    )
    op.create_index("ix_bots_token", "bots", ["token"], unique=True)


def _fill_in(connection: sa.Connection) -> None:
    """Nobody was asked whether games between persons may be shown, so they stay hidden."""
    last = ""
    while True:
        query = sa.select(games).where(games.c.id > last).order_by(games.c.id).limit(BATCH)
        rows = connection.execute(query).all()
        if not rows:
            break
        for row in rows:
            known = {
                "public": row.persons < 2,
                "setup": write_setup(row.options),
                **({} if row.playing else _find_end(connection, row)),
            }
            connection.execute(games.update().where(games.c.id == row.id).values(known))
        last = rows[-1].id
    for (name,) in connection.execute(sa.select(seats.c.name).distinct()).all():
        connection.execute(seats.update().where(seats.c.name == name).values(folded=fold(name)))


def _find_end(connection: sa.Connection, row: sa.Row[Any]) -> dict[str, Any]:
    """How and when a game ended: as was noted, or as the board shows after all plies."""
    made = connection.execute(
        sa.select(plies.c.action, plies.c.at).where(plies.c.game == row.id).order_by(plies.c.ply)
    ).all()
    if row.ending is not None:
        finished, winner, returns = row.updated, row.ending["winner"], row.ending["returns"]
    else:
        state = make(row.game, **row.options).position(row.position)
        for ply in made:
            state = state.play(ply.action)
        if state.outcome is None:  # the rules have changed since
            return {}
        finished = made[-1].at
        winner, returns = state.outcome.winner, list(state.outcome.returns)
    drawn = "none" if any(returns) else "draw"
    result = drawn if winner is None else str(winner)
    return {"finished": finished, "result": result, "returns": returns}


def downgrade() -> None:
    op.drop_table("bots")
    for name in ("folded", "kind"):
        op.drop_index(f"ix_seats_{name}", "seats")
    for name in ("rated", "archive", "archive_game", "archive_result", "archive_setup"):
        op.drop_index(f"ix_games_{name}", "games")
    op.drop_column("seats", "folded")
    for name in ("public", "rated", "setup", "finished", "result", "returns"):
        op.drop_column("games", name)
