"""Fairness: when everybody had come to a game, and what moves cost that were taken back."""

import sqlalchemy as sa
from alembic import op

revision = "0004_fairness"
down_revision = "0003_studies"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("began", sa.BigInteger()))
    # Clocks that ran go on: whoever played did so under the rules of then.
    op.execute("UPDATE games SET began = created WHERE ply > 0 OR NOT playing")
    lost = sa.Column("lost", sa.BigInteger(), nullable=False, server_default="0")
    op.add_column("seats", lost)


def downgrade() -> None:
    op.drop_column("seats", "lost")
    op.drop_column("games", "began")
