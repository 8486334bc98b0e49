"""From a file to a database, all of it or nothing, while a server may be running.

The tables are made as they were when the backup was, filled, and then brought up to date by the
same migrations that a server applies.
"""

from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Connection, MetaData, Table, func, inspect, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.db.downtime import ALIVE, move_on
from skerry.server.db.engine import Database
from skerry.server.db.migrate import (
    ADVISORY_LOCK,
    list_revisions,
    read_revision,
    take_time,
    upgrade,
)
from skerry.server.db.outside import tell_server
from skerry.server.db.tables import metadata
from skerry.server.keeping.backup.cells import read_cell
from skerry.server.keeping.backup.dump import BOOKKEEPING, reflect
from skerry.server.keeping.backup.file import BackupError, BackupReader, Batch, Header

# What a server writes of its own accord, however empty its database is.
OWN = schema.keys.name
LOCK = text("SELECT pg_advisory_xact_lock(:key)")
SEQUENCE = text("SELECT pg_get_serial_sequence(:table, :column)")


def check_backup(path: Path) -> Header:
    """Read a backup to its end; BackupError if it is not whole, or not for us."""
    with path.open("rb") as file:
        reader = BackupReader(file, path.name)
        if reader.header.revision not in list_revisions():
            raise BackupError(f"{path.name} was made by a newer skerry: install that one first")
        for _ in reader.batches():
            pass
        return reader.header


async def restore(database: Database, path: Path, force: bool, now: int) -> dict[str, int]:
    """Put a backup in the place of what is in a database; how many rows each table has then.

    A database that is not empty is refused unless that is forced.
    """
    header = check_backup(path)
    try:
        async with database.writing.begin() as connection:
            if database.is_shared:
                await connection.run_sync(take_time)
                await connection.execute(LOCK, {"key": ADVISORY_LOCK})
            else:
                await connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            await connection.run_sync(_make_room, force)
            await connection.run_sync(upgrade, header.revision)
            rows = await _fill(connection, path, header.revision)
            await connection.run_sync(upgrade)
            await _settle(connection, now)
            return rows
    except DBAPIError as error:
        raise BackupError(f"the database cannot be written: {error.orig}") from None
    except ConnectionError as error:
        raise BackupError(f"the database cannot be reached: {error}") from None


def _make_room(connection: Connection, force: bool) -> None:
    """Remove our tables, which are empty unless somebody insists."""
    names = set(inspect(connection).get_table_names())
    ours = names & set(metadata.tables)
    revision = read_revision(connection)
    if (ours and revision is None) or (revision and revision not in list_revisions()):
        raise BackupError(
            "the database belongs to another program, or to a newer skerry: choose an empty one"
        )
    found = MetaData()
    found.reflect(connection, only=sorted(ours))
    if not force:
        for table in found.tables.values():
            if table.name != OWN and connection.execute(select(table).limit(1)).first():
                raise BackupError(
                    "the database is not empty: choose another with --database, or replace all "
                    "that is in it with --force"
                )
    found.drop_all(connection)
    if BOOKKEEPING in names:
        connection.execute(text(f"DELETE FROM {BOOKKEEPING}"))  # noqa: S608 - our own name


async def _fill(connection: AsyncConnection, path: Path, revision: str) -> dict[str, int]:
    tables = {table.name: table for table in await connection.run_sync(reflect, revision)}
    for table in tables.values():
        for column in table.columns:
            if isinstance(column.type, JSON):
                column.type = JSON(none_as_null=True)
    with path.open("rb") as file:
        reader = BackupReader(file, path.name)
        for batch in reader.batches():
            await _insert(connection, tables.get(batch.table), batch, path.name)
        if set(reader.rows) != set(tables):
            _refuse(path.name)
    if connection.dialect.name == "postgresql":
        for table in tables.values():
            await _advance(connection, table)
    return reader.rows


def _refuse(name: str) -> None:
    raise BackupError(f"{name} does not have the tables of the skerry that made it")


async def _insert(
    connection: AsyncConnection, table: Table | None, batch: Batch, name: str
) -> None:
    if table is None or set(batch.columns) != set(table.columns.keys()):
        _refuse(name)
        return
    if not batch.rows:
        return
    converts = [read_cell(table.columns[column].type) for column in batch.columns]
    rows: list[dict[str, Any]] = [
        {
            column: value if convert is None else convert(value)
            for column, value, convert in zip(batch.columns, row, converts, strict=True)
        }
        for row in batch.rows
    ]
    await connection.execute(table.insert(), rows)


async def _advance(connection: AsyncConnection, table: Table) -> None:
    """Let PostgreSQL go on counting after the last number that it was given."""
    for column in table.primary_key.columns:
        place = {"table": f'"{table.name}"', "column": column.name}
        sequence = await connection.scalar(SEQUENCE, place)
        if sequence is not None:
            await connection.execute(select(func.setval(sequence, func.max(column))))


async def _settle(connection: AsyncConnection, now: int) -> None:
    """The time since the backup is nobody's, and a server that runs forgets what it knew."""
    query = select(schema.keys.c.value).where(schema.keys.c.name == ALIVE)
    alive = await connection.scalar(query)
    if alive is not None:
        await move_on(connection, now - int(alive), now)
    await tell_server(connection)
