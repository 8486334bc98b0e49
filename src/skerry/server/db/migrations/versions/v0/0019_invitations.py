"""Invitations to servers on which nobody makes an account without one."""

import sqlalchemy as sa
from alembic import op

revision = "0019_invitations"
down_revision = "0018_people"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger()),
        sa.PrimaryKeyConstraint("code", name="pk_invitations"),
    )


def downgrade() -> None:
    op.drop_table("invitations")
