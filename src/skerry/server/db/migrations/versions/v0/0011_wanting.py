"""Who wants a rematch."""

import sqlalchemy as sa
from alembic import op

revision = "0011_wanting"
down_revision = "0010_looks"


def upgrade() -> None:
    op.add_column("games", sa.Column("wanting", sa.JSON()))


def downgrade() -> None:
    op.drop_column("games", "wanting")
