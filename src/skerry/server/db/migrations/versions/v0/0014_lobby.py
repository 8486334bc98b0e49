"""The lobby: challenges, and who has joined them."""

import sqlalchemy as sa
from alembic import op

revision = "0014_lobby"
down_revision = "0013_keeping"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("usual", sa.Boolean(), nullable=False),
        sa.Column("seats", sa.SmallInteger(), nullable=False),
        sa.Column("clock", sa.JSON()),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("seat", sa.SmallInteger()),
        sa.Column("swap", sa.Boolean(), nullable=False),
        sa.Column("audience", sa.String(16), nullable=False),
        sa.Column("bots", sa.Boolean(), nullable=False),
        sa.Column("low", sa.Integer()),
        sa.Column("high", sa.Integer()),
        sa.Column("addressee", sa.String(160)),
        sa.Column("called", sa.String(64)),
        sa.Column("quick", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("table", sa.String(32)),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger()),
        sa.ForeignKeyConstraint(["table"], ["games.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
    )
    op.create_index("ix_challenges_state", "challenges", ["state", "created"])
    op.create_index("ix_challenges_addressee", "challenges", ["addressee"])
    op.create_index("ix_challenges_table", "challenges", ["table"])
    op.create_table(
        "joined",
        sa.Column("challenge", sa.String(32), nullable=False),
        sa.Column("n", sa.SmallInteger(), nullable=False),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("entrant", sa.String(160)),
        sa.Column("account", sa.String(32)),
        sa.Column("rating", sa.Integer()),
        sa.Column("fill", sa.SmallInteger()),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("visitor", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["challenge"], ["challenges.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("challenge", "n", name="pk_joined"),
    )
    for column in ("secret", "entrant", "visitor"):
        op.create_index(f"ix_joined_{column}", "joined", [column])


def downgrade() -> None:
    for name in ("joined", "challenges"):
        op.drop_table(name)
