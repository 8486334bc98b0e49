"""When somebody was last at a game, so that a restart does not begin the wait for them anew."""

import sqlalchemy as sa
from alembic import op

revision = "0008_seen"
down_revision = "0007_push"


def upgrade() -> None:
    seen = sa.Column("seen", sa.BigInteger(), nullable=False, server_default="0")
    op.add_column("seats", seen)


def downgrade() -> None:
    op.drop_column("seats", "seen")
