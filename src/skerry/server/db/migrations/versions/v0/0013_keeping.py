"""Running a club: the audit log, and announcements."""

import sqlalchemy as sa
from alembic import op

revision = "0013_keeping"
down_revision = "0012_accounts"


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("n", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(128), nullable=False),
        sa.Column("deed", sa.String(32), nullable=False),
        sa.Column("about", sa.String(128), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("n", name="pk_audit"),
    )
    op.create_index("ix_audit_about", "audit", ["about", "n"])
    op.create_table(
        "announcements",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_announcements"),
    )
    op.create_index("ix_announcements_at", "announcements", ["at"])


def downgrade() -> None:
    op.drop_table("announcements")
    op.drop_table("audit")
