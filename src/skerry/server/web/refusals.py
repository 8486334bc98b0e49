"""How a request is refused: as JSON, as a page, or by closing a live connection."""

import logging
from typing import Any

from fastapi import FastAPI, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from skerry.core.errors import SkerryError, shorten
from skerry.core.texts import N_
from skerry.server.languages.sentences import translate
from skerry.server.web.errors import Away
from skerry.server.web.logs import log
from skerry.server.web.pages import show_page

POLICY = 1008  # the code with which a connection is closed when something is refused
LONGEST_REASON = 120  # bytes
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
UNSAVED = N_("nothing can be saved on this server right now; tell whoever runs it")
# What SQLite says, and we about its file, in words for visitors.
AWAY = {
    "locked": N_("another program has locked the database; try again in a moment"),
    "full": UNSAVED,
    "readonly": UNSAVED,
    "disk I/O": UNSAVED,
    "was deleted": UNSAVED,
    "was replaced": UNSAVED,
}
SAID = {404: N_("there is nothing at this address"), 405: N_("this method is not allowed here")}


def add_handlers(app: FastAPI) -> None:
    """Let an app refuse what is wrong with a request."""
    handlers: dict[type[Exception], Any] = {
        SkerryError: _refuse,
        RequestValidationError: _refuse,
        HTTPException: _refuse_request,
        DBAPIError: _wait_for_database,
        ConnectionError: _wait_for_database,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


def status_of(error: Exception) -> int:
    """The HTTP status of an error; 422 if it does not say."""
    return int(getattr(error, "status", 422))


def list_headers(error: Exception) -> dict[str, str]:
    """When to try again, for programs."""
    wait: int | None = getattr(error, "wait", None)
    return {} if wait is None else {"retry-after": str(wait)}


def explain(error: Exception) -> str:
    """The first thing that is wrong with some input, in one sentence."""
    if not isinstance(error, RequestValidationError | ValidationError):
        return translate(str(error))
    first = error.errors()[0]
    place = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
    what = first["msg"][:1].lower() + first["msg"][1:]
    if first["type"] == "json_invalid":
        return f"the body is not JSON: {first.get('ctx', {}).get('error', what)}"
    return f"{shorten('.'.join(place))}: {what}" if place else what


def note_absence(error: Exception) -> Away:
    """Log that the database is away; what to tell whoever waits for it."""
    reason = str(getattr(error, "orig", error))
    log("the database is away", level=logging.ERROR, reason=reason)
    said = next((words for sign, words in AWAY.items() if sign in reason), None)
    return Away() if said is None else Away(said)


async def _refuse(connection: HTTPConnection, error: Exception) -> Response | None:
    return await _answer(connection, status_of(error), explain(error), list_headers(error))


async def _refuse_request(connection: HTTPConnection, error: HTTPException) -> Response | None:
    said = translate(SAID.get(error.status_code, str(error.detail)))
    return await _answer(connection, error.status_code, said, error.headers)


async def _wait_for_database(connection: HTTPConnection, error: Exception) -> Response | None:
    return await _refuse(connection, note_absence(error))


async def _answer(
    connection: HTTPConnection, status: int, error: str, headers: Any = None
) -> Response | None:
    if isinstance(connection, WebSocket):
        reason = error.encode()[:LONGEST_REASON].decode(errors="ignore")
        await connection.close(POLICY, reason)
        return None
    if _wants_page(connection):
        page = show_page("error.html", {"status": status, "error": error}, status)
        page.headers.update(headers or {})
        return page
    return JSONResponse({"error": error}, status, headers)


def _wants_page(connection: HTTPConnection) -> bool:
    """Whether a person looks at the answer."""
    path = connection.url.path
    return not path.startswith(("/api/", "/static/")) and "text/html" in connection.headers.get(
        "accept", ""
    )
