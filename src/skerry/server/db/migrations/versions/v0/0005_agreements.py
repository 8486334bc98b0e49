"""What seats agree on: offers that were declined, and the swap rule."""

import sqlalchemy as sa
from alembic import op

revision = "0005_agreements"
down_revision = "0004_fairness"


def upgrade() -> None:
    op.add_column("games", sa.Column("declined", sa.JSON()))
    op.add_column("games", sa.Column("swap", sa.String(8)))


def downgrade() -> None:
    for name in ("declined", "swap"):
        op.drop_column("games", name)
