"""Mail: addresses to be confirmed, what is told by mail, and what has yet to be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0020_mail"
down_revision = "0019_invitations"
branch_labels = None
depends_on = None


def _account(*, primary: bool) -> "sa.Column[str]":
    owner = sa.ForeignKey("accounts.id", ondelete="CASCADE")
    return sa.Column("account", sa.String(32), owner, primary_key=primary, nullable=False)


def upgrade() -> None:
    op.add_column("recoveries", sa.Column("until", sa.BigInteger()))
    op.create_index("ix_accounts_email", "accounts", ["email"])
    op.create_table(
        "confirmations",
        sa.Column("code", sa.String(64), nullable=False),
        _account(primary=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_confirmations"),
    )
    op.create_index("ix_confirmations_account", "confirmations", ["account"])
    op.create_table(
        "mailing",
        _account(primary=True),
        sa.Column("stop", sa.String(64), nullable=False),
        sa.Column("turns", sa.Boolean(), nullable=False),
        sa.Column("told", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_mailing_stop", "mailing", ["stop"])
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(32), nullable=False),
        _account(primary=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("stop", sa.Text(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
    )
    op.create_index("ix_outbox_due", "outbox", ["due"])
    op.create_index("ix_outbox_account", "outbox", ["account"])


def downgrade() -> None:
    for name in ("outbox", "mailing", "confirmations"):
        op.drop_table(name)
    op.drop_index("ix_accounts_email", "accounts")
    op.drop_column("recoveries", "until")
