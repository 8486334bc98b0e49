"""Fairness: when everybody had come to a game, what takebacks cost, and who plays on for whom."""

import sqlalchemy as sa
from alembic import op

revision = "0004_fairness"
down_revision = "0003_studies"


def upgrade() -> None:
    op.add_column("games", sa.Column("began", sa.BigInteger()))
    # Clocks that ran go on: whoever played did so under the rules of then.
    op.execute("UPDATE games SET began = created WHERE ply > 0 OR NOT playing")
    lost = sa.Column("lost", sa.BigInteger(), nullable=False, server_default="0")
    op.add_column("seats", lost)
    op.add_column("seats", sa.Column("left", sa.String(64)))
    op.add_column("seats", sa.Column("left_at", sa.Integer()))
    stand_in = sa.Column("stand_in", sa.String(64), nullable=False, server_default="level:3")
    op.add_column("games", stand_in)


def downgrade() -> None:
    for name in ("lost", "left", "left_at"):
        op.drop_column("seats", name)
    for name in ("began", "stand_in"):
        op.drop_column("games", name)
