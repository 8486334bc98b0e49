"""Moves by letter: the answers that seats have planned."""

import sqlalchemy as sa
from alembic import op

revision = "0006_conditions"
down_revision = "0005_agreements"


def upgrade() -> None:
    op.create_table(
        "conditions",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE")),
        sa.Column("seat", sa.SmallInteger()),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_conditions"),
    )


def downgrade() -> None:
    op.drop_table("conditions")
