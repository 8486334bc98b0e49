"""What the names of bots look like, so that no other looks the same."""

import sqlalchemy as sa
from alembic import op

from skerry.server.web.text import skeleton

revision = "0010_looks"
down_revision = "0009_due"


def upgrade() -> None:
    op.add_column("bots", sa.Column("skeleton", sa.String(255)))
    connection = op.get_bind()
    bots = sa.table("bots", sa.column("folded"), sa.column("name"), sa.column("skeleton"))
    # The first keeps others from looking like it; those who already do stay as they are.
    found = connection.execute(sa.select(bots.c.folded, bots.c.name).order_by(bots.c.folded))
    looks: dict[str, str] = {}
    for folded, name in found.all():
        looks.setdefault(skeleton(name), folded)
    for look, folded in looks.items():
        connection.execute(sa.update(bots).where(bots.c.folded == folded).values(skeleton=look))
    op.create_index("ix_bots_skeleton", "bots", ["skeleton"], unique=True)


def downgrade() -> None:
    op.drop_index("ix_bots_skeleton", "bots")
    op.drop_column("bots", "skeleton")
