"""Challenges that ask for an even start."""

import sqlalchemy as sa
from alembic import op

revision = "0023_even"
down_revision = "0022_merged"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "challenges", sa.Column("even", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    op.drop_column("challenges", "even")
