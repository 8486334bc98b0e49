"""Cells of a database as JSON has them, for the types of columns that there are."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

from sqlalchemy import JSON, Boolean, Column, Float, Integer, LargeBinary, String, Text, cast
from sqlalchemy.types import TypeEngine

Convert = Callable[[Any], Any]
PLAIN = (String, Integer, Boolean, Float)  # the same here and there


def is_kept(kind: "TypeEngine[Any]") -> bool:
    """Whether columns of a type can be backed up."""
    return isinstance(kind, (*PLAIN, JSON, LargeBinary))


def select_cell(column: "Column[Any]") -> Any:
    """What to ask a database for. JSON is asked for as text, in which ``null`` is no NULL."""
    return cast(column, Text) if isinstance(column.type, JSON) else column


def write_cell(kind: "TypeEngine[Any]") -> Convert | None:
    """How a value becomes JSON; None if it is already."""
    return _write_bytes if isinstance(kind, LargeBinary) else None


def read_cell(kind: "TypeEngine[Any]") -> Convert | None:
    """How a value is made from JSON; None if it is one already."""
    if isinstance(kind, LargeBinary):
        return _read_bytes
    return _read_json if isinstance(kind, JSON) else None


def _write_bytes(value: bytes | None) -> str | None:
    return None if value is None else b64encode(value).decode()


def _read_bytes(text: str | None) -> bytes | None:
    return None if text is None else b64decode(text, validate=True)


def _read_json(text: str | None) -> Any:
    """For a column that takes None for NULL."""
    if text is None:
        return None
    value = json.loads(text)
    return JSON.NULL if value is None else value
