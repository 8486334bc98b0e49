"""What all routes share: the host, the visitor, the secrets, and how bad input is explained."""

from typing import Annotated, Any

from fastapi import Depends, Path, Query, Security
from fastapi.exceptions import RequestValidationError
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer
from pydantic import ValidationError
from starlette.requests import HTTPConnection

from skerry.core.errors import shorten
from skerry.render.themes import THEMES
from skerry.server.bots.bots import Bot
from skerry.server.host import Host, Secrets
from skerry.server.web.errors import Refusal, Unauthorised
from skerry.server.web.limits import visitor_of
from skerry.server.web.secrets import read_header

SEAT_SECRETS = APIKeyHeader(
    name="X-Seat",
    scheme_name="Seats",
    description="The secrets of your seats, parted by commas. Looking needs none.",
    auto_error=False,
)
BOT_TOKEN = HTTPBearer(
    scheme_name="Bot",
    description="The token of a bot, which plays on all seats of that bot.",
    auto_error=False,
)


def _host(connection: HTTPConnection) -> Host:
    host: Host = connection.app.state.host
    return host


def _visitor(connection: HTTPConnection) -> str:
    return visitor_of(connection.client.host if connection.client else None)


async def _bot(
    connection: HTTPConnection,
    shown: Annotated[HTTPAuthorizationCredentials | None, Security(BOT_TOKEN)],
) -> Bot | None:
    if shown is None:
        return None
    bot = await _host(connection).bots.find(shown.credentials)
    if bot is None:
        raise Unauthorised("no bot has this token; POST /api/bots makes one")
    return bot


def _own_bot(bot: Annotated[Bot | None, Depends(_bot)]) -> Bot:
    if bot is None:
        raise Unauthorised("this needs the token of a bot: Authorization: Bearer TOKEN")
    return bot


def _secrets(
    x_seat: Annotated[str | None, Security(SEAT_SECRETS)],
    bot: Annotated[Bot | None, Depends(_bot)],
) -> Secrets:
    """All that somebody can show: the secrets of seats, and the token of a bot."""
    found = read_header(x_seat)
    return found if bot is None else (bot.secret, *found)


def _theme(theme: Annotated[str, Query(description=", ".join(THEMES))] = "light") -> str:
    return check_theme(theme)


def check_theme(theme: object) -> str:
    if not isinstance(theme, str) or theme not in THEMES:
        raise Refusal(f"there is no theme {shorten(theme)}; the themes are {', '.join(THEMES)}")
    return theme


TheBot = Annotated[Bot, Depends(_own_bot)]
TheHost = Annotated[Host, Depends(_host)]
Visitor = Annotated[str, Depends(_visitor)]
Shown = Annotated[Secrets, Depends(_secrets)]
Theme = Annotated[str, Depends(_theme)]
Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$", description="the id of a game")]

ERROR: dict[str, Any] = {
    "description": "Refused; the error is one sentence.",
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "properties": {"error": {"type": "string"}},
                "required": ["error"],
            }
        }
    },
}
REFUSALS: dict[int | str, dict[str, Any]] = dict.fromkeys(
    (400, 401, 403, 404, 409, 413, 422, 429, 503), ERROR
)


def explain(error: Exception) -> str:
    """The first thing that is wrong with some input, in one sentence."""
    if not isinstance(error, RequestValidationError | ValidationError):
        return str(error)
    first = error.errors()[0]
    place = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
    what = first["msg"][:1].lower() + first["msg"][1:]
    if first["type"] == "json_invalid":
        return f"the body is no JSON: {first.get('ctx', {}).get('error', what)}"
    return f"{shorten('.'.join(place))}: {what}" if place else what


def wants_page(connection: HTTPConnection) -> bool:
    """Whether a person looks at the answer."""
    path = connection.url.path
    return not path.startswith(("/api/", "/static/")) and "text/html" in connection.headers.get(
        "accept", ""
    )
