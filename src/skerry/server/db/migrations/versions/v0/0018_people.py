"""How accounts are opened besides by passwords, whom people know, and who said what where."""

import sqlalchemy as sa
from alembic import op

revision = "0018_people"
down_revision = "0017_tournaments"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "chat", sa.Column("gallery", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    # A new column may refer to another table, in SQLite as well: it is empty for all rows.
    op.execute("ALTER TABLE chat ADD COLUMN account VARCHAR(32) REFERENCES accounts (id)")
    op.create_index("ix_chat_account", "chat", ["account"])
    op.create_table(
        "recoveries",
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("account", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("code", name="pk_recoveries"),
    )
    op.create_index("ix_recoveries_account", "recoveries", ["account"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("account", sa.String(32), nullable=False),
        sa.Column("credential", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("signed", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger()),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_index("ix_passkeys_account", "passkeys", ["account"])
    op.create_table(
        "nonces",
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.Column("account", sa.String(32)),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("nonce", name="pk_nonces"),
    )
    op.create_index("ix_nonces_until", "nonces", ["until"])
    op.create_table(
        "ties",
        sa.Column("account", sa.String(32), nullable=False),
        sa.Column("other", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["other"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account", "other", "kind", name="pk_ties"),
    )
    op.create_index("ix_ties_other", "ties", ["other", "kind"])
    op.create_table(
        "complaints",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(32), nullable=False),
        sa.Column("about", sa.String(32), nullable=False),
        sa.Column("game", sa.String(32)),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("closed", sa.BigInteger()),
        sa.Column("verdict", sa.Text()),
        sa.ForeignKeyConstraint(["author"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["about"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_complaints"),
    )
    op.create_index("ix_complaints_closed", "complaints", ["closed", "at"])
    op.create_index("ix_complaints_author", "complaints", ["author"])
    op.create_index("ix_complaints_about", "complaints", ["about"])


def downgrade() -> None:
    for name in ("complaints", "ties", "nonces", "passkeys", "recoveries"):
        op.drop_table(name)
    op.drop_index("ix_chat_account", "chat")
    for name in ("account", "gallery"):
        op.drop_column("chat", name)
