"""Accounts, the sessions in which people are signed in to them, and whose seats are whose."""

import sqlalchemy as sa
from alembic import op

revision = "0012_accounts"
down_revision = "0011_wanting"


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("folded", sa.String(128), nullable=False),
        sa.Column("skeleton", sa.String(255), nullable=False),
        sa.Column("password", sa.String(255)),
        sa.Column("email", sa.String(254)),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("closed", sa.BigInteger()),
        sa.Column("muted", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
    )
    op.create_index("ix_accounts_folded", "accounts", ["folded"], unique=True)
    op.create_index("ix_accounts_skeleton", "accounts", ["skeleton"], unique=True)
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("account", sa.String(32), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("agent", sa.String(255), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
    )
    op.create_index("ix_sessions_token", "sessions", ["token"], unique=True)
    op.create_index("ix_sessions_account", "sessions", ["account"])
    # A new column may refer to another table, in SQLite as well: it is empty for all rows.
    op.execute("ALTER TABLE seats ADD COLUMN account VARCHAR(32) REFERENCES accounts (id)")
    op.create_index("ix_seats_account", "seats", ["account", "game"])


def downgrade() -> None:
    op.drop_index("ix_seats_account", "seats")
    op.drop_column("seats", "account")
    op.drop_table("sessions")
    op.drop_table("accounts")
