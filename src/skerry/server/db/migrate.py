"""The database brought up to date at the start, after a copy of it was put aside."""

import re
import sqlite3
from pathlib import Path

from sqlalchemy import Connection, column, inspect, select, table, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from skerry.core.errors import OptionsError
from skerry.server.db.engine import Database
from skerry.server.web.logs import log

SCRIPTS = Path(__file__).with_name("migrations")
REVISION = re.compile(r'^revision = "(\w+)"', re.MULTILINE)
APPLIED = table("alembic_version", column("version_num"))
ADVISORY_LOCK = 5_348_257  # any number; it is ours within the database


async def migrate(engine: AsyncEngine) -> None:
    """Apply the migrations that the database has not seen."""
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_migrate)
    except DBAPIError as error:
        raise OptionsError(f"the database cannot be used: {error.orig}") from None


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # several workers may start at once
        take_time(connection)
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
    found, known = read_revision(connection), list_revisions()
    wanted = known[-1]
    if found == wanted:
        return
    if found is not None and connection.dialect.name == "sqlite":
        _back_up(connection, found)
    if found is not None and found not in known:
        raise OptionsError(
            "the database was made by a newer skerry: install that one, or choose another file"
        )
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
    if not inspect(connection).has_table(APPLIED.name):
        return None
    found: str | None = connection.scalar(select(APPLIED.c.version_num))
    return found


def list_revisions() -> list[str]:
    """All migrations, from the first to the last: by the names of their files, which begin with
    numbers. Alembic would say the same, but takes a fifth of a second to be loaded."""
    scripts = sorted(SCRIPTS.glob("versions/*/[0-9]*.py"), key=lambda path: path.name)
    return [REVISION.findall(script.read_text("utf-8"))[0] for script in scripts]


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Apply the migrations up to one."""
    from alembic import command  # noqa: PLC0415  # most starts find nothing to apply
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("recursive_version_locations", "true")  # a folder for some releases
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


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
