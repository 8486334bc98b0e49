"""Ratings of everybody, what every rated game has changed, and what seats show of it.

Games that were rated before are rated anew when the server starts.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015_ratings"
down_revision = "0014_lobby"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ratings",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("entrant", sa.String(160), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game", "entrant", name="pk_ratings"),
    )
    op.create_index("ix_ratings_rating", "ratings", ["game", "rating"])
    op.create_table(
        "changes",
        sa.Column("played", sa.String(32), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("entrant", sa.String(160), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("before", sa.Float(), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["played"], ["games.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("played", "seat", name="pk_changes"),
    )
    op.create_index("ix_changes_entrant", "changes", ["entrant", "game", "at"])
    op.add_column("seats", sa.Column("rating", sa.Integer()))
    op.add_column("seats", sa.Column("rating_after", sa.Integer()))
    op.add_column(
        "seats",
        sa.Column("provisional", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    for name in ("provisional", "rating_after", "rating"):
        op.drop_column("seats", name)
    op.drop_table("changes")
    op.drop_table("ratings")
