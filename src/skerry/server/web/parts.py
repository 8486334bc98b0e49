"""The parts of a server process, as FastAPI dependencies: a route names those it needs.

    async def list_games(store: Part[Store]) -> ...

The app is put together in one place (``server/app.py``), which knows the one object of each class.
"""

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from fastapi import Depends
from starlette.requests import HTTPConnection

Kind = TypeVar("Kind")
Parts = dict[type[Any], Any]


def find_part(connection: HTTPConnection, kind: type[Kind]) -> Kind:
    """The part of that class."""
    parts: Parts = connection.app.state.parts
    found: Kind = parts[kind]
    return found


@cache
def _dependency(kind: type[Any]) -> Any:
    async def find(connection: HTTPConnection) -> Any:  # a plain function would run in a thread
        return find_part(connection, kind)

    return Depends(find)


if TYPE_CHECKING:
    Part = Annotated[Kind, None]
else:

    class Part:
        """``Part[Store]`` is a parameter that FastAPI fills with the app's store."""

        def __class_getitem__(cls, kind: type[Kind]) -> Any:
            return Annotated[kind, _dependency(kind)]
