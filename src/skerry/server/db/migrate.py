"""The database brought up to date at the start, after a copy of it was put aside."""

import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from skerry.core.errors import OptionsError
from skerry.server.db.engine import Database
from skerry.server.web.logs import log

SCRIPTS = Path(__file__).with_name("migrations")
ADVISORY_LOCK = 5_348_257  # any number; it is ours within the database


async def migrate(engine: AsyncEngine) -> None:
    """Apply the migrations that the database has not seen."""
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_migrate)
    except DBAPIError as error:
        raise OptionsError(f"the database cannot be used: {error.orig}") from None
    except CommandError:
        raise OptionsError(
            "the database was made by a newer skerry: install that one, or choose another file"
        ) from None


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # several workers may start at once
        take_time(connection)
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
    found, wanted = read_revision(connection), list_revisions()[-1]
    if found == wanted:
        return
    if found is not None and connection.dialect.name == "sqlite":
        _back_up(connection, found)
    upgrade(connection)
    log("migrated", before=found, after=wanted)


async def check_current(database: Database) -> None:
    """See that a database is as this skerry knows it."""
    async with database.engine.connect() as connection:
        found = await connection.run_sync(read_revision)
    if found != list_revisions()[-1]:
        raise OptionsError(
            "the database is not that of a server of this version: start skerry serve with it once"
        )


def take_time(connection: Connection) -> None:
    """Let a transaction with PostgreSQL take as long as it takes."""
    for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(text(f"SET LOCAL {limit} = 0"))


def read_revision(connection: Connection) -> str | None:
    """How far a database was migrated; None if it is new."""
    return MigrationContext.configure(connection).get_current_revision()


def list_revisions() -> list[str]:
    """All migrations, from the first to the last."""
    scripts = ScriptDirectory.from_config(_configure()).walk_revisions()
    return [script.revision for script in scripts][::-1]


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Apply the migrations up to one."""
    config = _configure()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _configure() -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("recursive_version_locations", "true")  # a folder for some releases
    return config


def _back_up(connection: Connection, revision: str) -> None:
    """Copy the file of the database as it was before this migration, once."""
    file = connection.engine.url.database
    if not file or file == ":memory:":
        return
    copy = Path(f"{file}.before-{revision}")
    with sqlite3.connect(file) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    source.close()
    target.close()
    log("backed up", file=str(copy))
