"""Who asks: the visitor, and the secrets that a request shows."""

import ipaddress
from collections.abc import Awaitable, Callable
from typing import Annotated, Protocol
from urllib.parse import urlsplit

from fastapi import Depends, Path, Query, Request, Security
from fastapi.security import (
    APIKeyCookie,
    APIKeyHeader,
    HTTPAuthorizationCredentials,
    HTTPBearer,
)
from starlette.requests import HTTPConnection

from skerry.core.errors import OptionsError
from skerry.render.themes import THEMES, theme_named
from skerry.server.settings import Settings
from skerry.server.web.errors import Forbidden, Refusal, Unauthorised
from skerry.server.web.parts import Part
from skerry.server.web.secrets import Credentials, Signed, read_header

ABOUT_THEMES = f"{', '.join(THEMES)}; with styles of boards and pieces, dark+wood+flat"
SEAT_SECRETS = APIKeyHeader(
    name="X-Seat",
    scheme_name="Seats",
    description="The secrets of your seats, separated by commas. Reading needs none.",
    auto_error=False,
)
BOT_TOKEN = HTTPBearer(
    scheme_name="Bot",
    description="The token of a bot, which plays on all seats of that bot.",
    auto_error=False,
)
COOKIE = "skerry-session"
SESSION = APIKeyCookie(
    name=COOKIE,
    scheme_name="Account",
    description="The session of a person who is signed in, who plays on all seats of their account",
    auto_error=False,
)
Recognise = Callable[[], Awaitable[Signed | None]]
HARMLESS = ("GET", "HEAD", "OPTIONS")  # methods that change nothing


class Identities(Protocol):
    """Whoever knows the sessions of accounts."""

    async def identify(self, token: str) -> Signed | None:
        """Who is signed in by the token of a session; None if it is over."""

    async def choose_language(self, person: Signed, language: str) -> None:
        """Write to somebody in a language from now on."""


class Tokens(Protocol):
    """Whoever knows the tokens of bots."""

    async def open_seats(self, token: str) -> str | None:
        """The secret of the seats that a token opens; None if nobody has that token."""


def visitor_of(address: str | None) -> str:
    """Who counts as one visitor: an address, or a whole network of the size one home gets."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return address or "unknown"
    if found.version == 4:
        return str(found)
    mapped = found.ipv4_mapped
    return str(mapped or ipaddress.ip_network((found, 64), strict=False))


async def _visitor(connection: HTTPConnection) -> str:
    return visitor_of(connection.client.host if connection.client else None)


async def _token(
    shown: Annotated[HTTPAuthorizationCredentials | None, Security(BOT_TOKEN)],
) -> str | None:
    return None if shown is None else shown.credentials


def is_foreign(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether a page of another site asks. Browsers say so; what is not a browser has no page."""
    site, origin = (connection.headers.get(name) for name in ("sec-fetch-site", "origin"))
    if site == "same-origin" or origin in settings.allowed_origins:
        return False
    if origin is None:
        return site not in (None, "none")
    try:
        return urlsplit(origin).netloc != connection.headers.get("host")
    except ValueError:  # no address at all
        return True


async def check_origin(request: Request, settings: Part[Settings]) -> None:
    """A browser sends the cookie of a session whoever's page asks, so nothing is changed for pages
    of others (CSRF)."""
    if request.method not in HARMLESS and is_foreign(request, settings):
        raise Forbidden("pages of other sites cannot do this for you; do it on a page of this site")


async def _person(
    request: Request,
    identities: Part[Identities],
    settings: Part[Settings],
    token: Annotated[str | None, Security(SESSION)],
) -> Signed | None:
    if not token:
        return None
    await check_origin(request, settings)
    return await identities.identify(token)


async def _live_session(connection: HTTPConnection, identities: Part[Identities]) -> Recognise:
    """For live connections, of which the origin is checked in any case: who is there, now and
    whenever it is asked again, since they may sign out meanwhile."""
    token = connection.cookies.get(COOKIE)

    async def find() -> Signed | None:
        return await identities.identify(token) if token else None

    return find


async def _live_person(recognise: Annotated[Recognise, Depends(_live_session)]) -> Signed | None:
    return await recognise()


async def _member(person: Annotated[Signed | None, Depends(_person)]) -> Signed:
    if person is None:
        raise Unauthorised("this is for people with an account; sign in first")
    return person


async def _credentials(
    tokens: Part[Tokens],
    x_seat: Annotated[str | None, Security(SEAT_SECRETS)],
    token: Annotated[str | None, Depends(_token)],
    person: Annotated[Signed | None, Depends(_person)],
) -> Credentials:
    """All that somebody can show: the secrets of seats, the token of a bot, and a session."""
    found = Credentials(read_header(x_seat), person)
    if token is None:
        return found
    opened = await tokens.open_seats(token)
    if opened is None:
        raise Unauthorised("no bot has this token; POST /api/bots makes one")
    return found.with_secrets(opened)


async def _theme(theme: Annotated[str, Query(description=ABOUT_THEMES)] = "light") -> str:
    return check_theme(theme)


def check_theme(theme: object) -> str:
    try:
        theme_named(theme)  # type: ignore[arg-type]
    except OptionsError as error:
        raise Refusal(str(error)) from None
    return str(theme)


Visitor = Annotated[str, Depends(_visitor)]
Token = Annotated[str | None, Depends(_token)]
Person = Annotated[Signed | None, Depends(_person)]
LiveSession = Annotated[Recognise, Depends(_live_session)]
LivePerson = Annotated[Signed | None, Depends(_live_person)]
Member = Annotated[Signed, Depends(_member)]
Shown = Annotated[Credentials, Depends(_credentials)]
Theme = Annotated[str, Depends(_theme)]
ID = r"^[A-Za-z0-9_-]{1,32}$"
Flipped = Annotated[
    bool, Query(description="the other way round than with your own side of the board below")
]
Turned = Annotated[bool, Query(description="the board as it is seen from the top")]
Id = Annotated[str, Path(pattern=ID, description="the id of a game or study")]
