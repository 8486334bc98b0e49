"""Where the site is found, for links that have to be absolute: by the address that its operator
gave, or else by that to which the request was sent that is being answered."""

from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any

from starlette.datastructures import URL

_asked: ContextVar[URL] = ContextVar("asked")
_site: ContextVar[str] = ContextVar("site", default="")


def note_address(scope: MutableMapping[str, Any], site: str = "") -> None:
    """Remember it until the request is answered; ``site`` is the operator's word."""
    _asked.set(URL(scope=scope))
    _site.set(site)


def given_site() -> str:
    """The address that the operator gave, if any."""
    return _site.get()


def absolute(path: str) -> str:
    """The whole address of a page or picture here."""
    asked = _asked.get(None)
    if given_site() or asked is None:
        return f"{given_site()}{path}"
    return f"{asked.scheme}://{asked.netloc}{path}"


def asked_path() -> str:
    """The address of the page that is shown, without what was asked about it."""
    asked = _asked.get(None)
    return "/" if asked is None else asked.path
