"""Where the request that is being answered was sent to, for links that have to be absolute."""

from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any

from starlette.datastructures import URL

_asked: ContextVar[URL] = ContextVar("asked")


def note_address(scope: MutableMapping[str, Any]) -> None:
    """Remember it until the request is answered."""
    _asked.set(URL(scope=scope))


def absolute(path: str) -> str:
    """The whole address of a page or picture here."""
    asked = _asked.get(None)
    return path if asked is None else f"{asked.scheme}://{asked.netloc}{path}"


def asked_path() -> str:
    """The address of the page that is shown, without what was asked about it."""
    asked = _asked.get(None)
    return "/" if asked is None else asked.path
