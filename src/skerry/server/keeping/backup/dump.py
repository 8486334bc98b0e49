"""From a database to a file, while a server goes on: all of it as it was at one moment."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection, MetaData, Table, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db.engine import Database
from skerry.server.db.migrate import list_revisions, read_revision, take_time
from skerry.server.db.tables import metadata
from skerry.server.keeping.backup.cells import is_kept, select_cell, write_cell
from skerry.server.keeping.backup.file import BATCH, BackupError, BackupWriter
from skerry.server.keeping.backup.place import whole_file

BOOKKEEPING = "alembic_version"  # how far the database was migrated, which the header says


async def back_up(database: Database, path: Path, now: int) -> dict[str, int]:
    """Write all of a database to a file; how many rows there are in each table."""
    try:
        async with database.engine.connect() as connection:
            if database.is_shared:
                await connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
                await connection.run_sync(take_time)
            revision = await connection.run_sync(_find_revision)
            tables = await connection.run_sync(reflect, revision)
            with whole_file(path) as file:
                return await _write(connection, file, revision, tables, now)
    except DBAPIError as error:
        raise BackupError(f"the database cannot be read: {error.orig}") from None
    except ConnectionError as error:
        raise BackupError(f"the database cannot be reached: {error}") from None


def _find_revision(connection: Connection) -> str:
    revision = read_revision(connection)
    if revision is None:
        raise BackupError("the database is empty: nothing has been kept in it yet")
    if revision not in list_revisions():
        raise BackupError("the database was made by a newer skerry: install that one first")
    return revision


def reflect(connection: Connection, revision: str) -> list[Table]:
    """The tables of a database, those that others refer to first.

    Which there are, and what is in them, may be different before migrations of today.
    """
    found = MetaData()
    is_current = revision == list_revisions()[-1]
    found.reflect(connection, only=list(metadata.tables) if is_current else None)
    tables = [table for table in found.sorted_tables if table.name != BOOKKEEPING]
    for column in (column for table in tables for column in table.columns):
        if not is_kept(column.type):
            raise BackupError(f"{column} has a type that cannot be kept: {column.type!r}")
    return tables


async def _write(
    connection: AsyncConnection,
    file: BinaryIO,
    revision: str,
    tables: Sequence[Table],
    now: int,
) -> dict[str, int]:
    writer = BackupWriter(file, revision, now)
    for table in tables:
        writer.begin(table.name, [column.name for column in table.columns])
        query = select(*map(select_cell, table.columns)).execution_options(yield_per=BATCH)
        converts = [write_cell(column.type) for column in table.columns]
        found = await connection.stream(query)
        async for rows in found.partitions():
            writer.add(_convert(row, converts) for row in rows)
    writer.finish()
    return writer.rows


def _convert(row: Any, converts: Sequence[Any]) -> list[Any]:
    return [
        value if convert is None else convert(value)
        for value, convert in zip(row, converts, strict=True)
    ]
