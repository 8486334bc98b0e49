"""Alembic's way in: it works on the connection that ``migrating`` hands over."""

from alembic import context

from skerry.server.db.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite can alter little by itself
)
with context.begin_transaction():
    context.run_migrations()
