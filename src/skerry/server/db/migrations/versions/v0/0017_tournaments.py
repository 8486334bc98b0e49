"""Tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "0017_tournaments"
down_revision = "0016_vacations"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("event", sa.String(32)))
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seats", sa.SmallInteger(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=False),
        sa.Column("system", sa.String(16), nullable=False),
        sa.Column("rounds", sa.Integer()),
        sa.Column("minutes", sa.Integer()),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("starts", sa.BigInteger()),
        sa.Column("quorum", sa.Integer()),
        sa.Column("maker", sa.String(160), nullable=False),
        sa.Column("made_by", sa.String(64), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("began", sa.BigInteger()),
        sa.Column("ends", sa.BigInteger()),
        sa.Column("finished", sa.BigInteger()),
        sa.Column("due", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_state", "tournaments", ["state", "created", "id"])
    op.create_index("ix_tournaments_due", "tournaments", ["due"])
    op.create_index("ix_tournaments_maker", "tournaments", ["maker", "state"])
    op.create_table(
        "entries",
        sa.Column("tournament", sa.String(32), nullable=False),
        sa.Column("entrant", sa.String(160), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("joined", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Integer()),
        sa.Column("secret", sa.String(64)),
        sa.Column("left", sa.BigInteger()),
        sa.Column("missed", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournaments.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("tournament", "entrant", name="pk_entries"),
    )
    op.create_index("ix_entries_entrant", "entries", ["entrant", "tournament"])
    op.create_table(
        "bouts",
        sa.Column("tournament", sa.String(32), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("game", sa.String(32)),
        sa.Column("winners", sa.JSON()),
        sa.Column("absent", sa.JSON()),
        sa.ForeignKeyConstraint(["tournament"], ["tournaments.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("tournament", "round", "number", name="pk_bouts"),
    )
    op.create_index("ix_bouts_game", "bouts", ["game"], unique=True)


def downgrade() -> None:
    for name in ("bouts", "entries", "tournaments"):
        op.drop_table(name)
    op.drop_column("games", "event")
