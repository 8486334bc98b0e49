"""Vacations: clocks by days that stand still."""

import sqlalchemy as sa
from alembic import op

revision = "0016_vacations"
down_revision = "0015_ratings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("away", sa.BigInteger()))
    op.create_table(
        "vacations",
        sa.Column("account", sa.String(32), nullable=False),
        sa.Column("begins", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account", "begins", name="pk_vacations"),
    )
    op.create_index("ix_vacations_ends", "vacations", ["ends"])


def downgrade() -> None:
    op.drop_table("vacations")
    op.drop_column("seats", "away")
