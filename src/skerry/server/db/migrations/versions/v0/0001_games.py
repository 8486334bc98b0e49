"""Games, their seats, plies and chat."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger()),
        sa.Column("clock", sa.JSON()),
        sa.Column("admin", sa.SmallInteger()),
        sa.Column("persons", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("playing", sa.Boolean(), nullable=False),
        sa.Column("ending", sa.JSON()),
        sa.Column("draw", sa.SmallInteger()),
        sa.Column("takeback", sa.JSON()),
        sa.Column("rematch", sa.String(32)),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.Column("deadline", sa.BigInteger()),
        sa.Column("thinking", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_playing_updated", "games", ["playing", "updated"])
    op.create_index("ix_games_deadline", "games", ["deadline"])
    op.create_index("ix_games_thinking", "games", ["thinking"])
    op.create_table(
        "seats",
        _game(),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(64)),
        sa.Column("claimed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_seats"),
    )
    op.create_table(
        "plies",
        _game(),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("action", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game", "ply", name="pk_plies"),
    )
    op.create_table(
        "chat",
        _game(),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game", "n", name="pk_chat"),
    )


def _game() -> sa.Column[str]:
    return sa.Column(
        "game", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False
    )


def downgrade() -> None:
    for table in ("chat", "plies", "seats", "games"):
        op.drop_table(table)
