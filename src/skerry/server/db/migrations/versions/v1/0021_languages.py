"""The languages in which people and browsers are written to."""

import sqlalchemy as sa
from alembic import op

revision = "0021_languages"
down_revision = "0020_mail"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("accounts", "browsers"):
        op.add_column(table, sa.Column("language", sa.String(16)))


def downgrade() -> None:
    for table in ("browsers", "accounts"):
        op.drop_column(table, "language")
