"""Who asks: the visitor, and the secrets that a request shows."""

import ipaddress
from typing import Annotated, Protocol

from fastapi import Depends, Path, Query, Security
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from skerry.core.errors import OptionsError
from skerry.render.themes import THEMES, theme_named
from skerry.server.web.errors import Refusal, Unauthorised
from skerry.server.web.parts import Part
from skerry.server.web.secrets import Secrets, read_header

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


async def _secrets(
    tokens: Part[Tokens],
    x_seat: Annotated[str | None, Security(SEAT_SECRETS)],
    token: Annotated[str | None, Depends(_token)],
) -> Secrets:
    """All that somebody can show: the secrets of seats, and the token of a bot."""
    found = read_header(x_seat)
    if token is None:
        return found
    opened = await tokens.open_seats(token)
    if opened is None:
        raise Unauthorised("no bot has this token; POST /api/bots makes one")
    return opened, *found


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
Shown = Annotated[Secrets, Depends(_secrets)]
Theme = Annotated[str, Depends(_theme)]
ID = r"^[A-Za-z0-9_-]{1,32}$"
Flipped = Annotated[
    bool, Query(description="the other way round than with your own side of the board below")
]
Turned = Annotated[bool, Query(description="the board as it is seen from the top")]
Id = Annotated[str, Path(pattern=ID, description="the id of a game or study")]
