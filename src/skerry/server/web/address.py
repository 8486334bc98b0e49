"""What pages know of the request that they answer: where the site is found, and what it announces.

Links that have to be absolute use the address that the operator gave, or else the one to which the
request was sent. An announcement is for everybody who has not dismissed it.
"""

from collections.abc import Iterable, MutableMapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import URL

DISMISSED = "skerry-dismissed"  # the cookie that names what somebody does not want to see again


@dataclass(frozen=True)
class Announcement:
    """A sentence or two for everybody; ``until`` is when it is over."""

    id: str
    text: str
    at: int
    until: int | None = None


_asked: ContextVar[URL] = ContextVar("asked")
_site: ContextVar[str] = ContextVar("site", default="")
_shown: ContextVar[Announcement | None] = ContextVar("announcement", default=None)


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


def asked_address() -> str:
    """The same with what was asked about it."""
    asked = _asked.get(None)
    return "/" if asked is None else asked.path + (f"?{asked.query}" if asked.query else "")


def stay_here(back: str) -> str:
    """An address to go back to, unless it leads to another site."""
    is_here = back.startswith("/") and not back.startswith(("//", "/\\"))
    return back if is_here else "/"


def note_announcement(current: Announcement | None, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Remember until the request is answered what its page shows."""
    is_dismissed = current is not None and current.id == _read_dismissed(headers)
    _shown.set(None if is_dismissed else current)


def shown_announcement() -> Announcement | None:
    """What the page that is being written announces."""
    return _shown.get()


def _read_dismissed(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    sent = b"; ".join(value for name, value in headers if name == b"cookie")
    for part in sent.decode("latin-1").split(";"):
        name, _, value = part.strip().partition("=")
        if name == DISMISSED:
            return value
    return None
