"""Rows that may be there already: SQLite and PostgreSQL say the same, each in its own dialect."""

from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def insert_into(connection: AsyncConnection, table: Table) -> Any:
    """An insertion that may say what to do where there is such a row already."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)
