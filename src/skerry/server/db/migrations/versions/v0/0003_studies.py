"""Studies: records with variations and comments that visitors keep."""

import sqlalchemy as sa
from alembic import op

revision = "0003_studies"
down_revision = "0002_archive"


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("title", sa.String(128), nullable=False),
        sa.Column("frame", sa.JSON(), nullable=False),
        sa.Column("line", sa.JSON(), nullable=False),
        sa.Column("review", sa.JSON()),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_studies"),
    )


def downgrade() -> None:
    op.drop_table("studies")
