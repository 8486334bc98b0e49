"""Push: the browsers that are told when it is somebody's turn, and the key that signs for us."""

import sqlalchemy as sa
from alembic import op

revision = "0007_push"
down_revision = "0006_conditions"


def upgrade() -> None:
    op.create_table(
        "keys",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )
    op.create_table(
        "browsers",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.String(128), nullable=False),
        sa.Column("auth", sa.String(32), nullable=False),
        sa.Column("origin", sa.String(255), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_browsers"),
    )
    op.create_index("ix_browsers_seen", "browsers", ["seen"])
    op.create_table(
        "told",
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.String(128)),
        sa.ForeignKeyConstraint(["browser"], ["browsers.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("browser", "secret", name="pk_told"),
    )
    op.create_index("ix_told_secret", "told", ["secret"])


def downgrade() -> None:
    for name in ("told", "browsers", "keys"):
        op.drop_table(name)
