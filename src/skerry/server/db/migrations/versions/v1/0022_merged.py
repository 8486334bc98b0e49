"""Accounts that have become another, so that whoever names them is led there."""

import sqlalchemy as sa
from alembic import op

revision = "0022_merged"
down_revision = "0021_languages"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("merged", sa.String(32)))
    op.create_index("ix_accounts_merged", "accounts", ["merged"])


def downgrade() -> None:
    op.drop_index("ix_accounts_merged", "accounts")
    op.drop_column("accounts", "merged")
