"""Messages that a push service has not taken yet, so that a restart does not lose them."""

import sqlalchemy as sa
from alembic import op

revision = "0009_due"
down_revision = "0008_seen"


def upgrade() -> None:
    for name in ("until", "due"):
        op.add_column("told", sa.Column(name, sa.BigInteger()))


def downgrade() -> None:
    for name in ("due", "until"):
        op.drop_column("told", name)
