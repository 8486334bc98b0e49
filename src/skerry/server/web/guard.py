"""What surrounds every request: headers that keep browsers strict, a limit on bodies, a log line.

Plain ASGI, so that nothing is buffered and live connections pass through.
"""

import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException

from skerry.core.texts import N_
from skerry.server.languages.choice import note_language
from skerry.server.languages.sentences import translate
from skerry.server.web.access import visitor_of
from skerry.server.web.address import Announcement, note_address, note_announcement
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import Gate
from skerry.server.web.logs import log
from skerry.server.web.metrics import Metrics

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Header = tuple[bytes, bytes]
App = Callable[[Message, Receive, Send], Awaitable[None]]

LARGEST_BODY = 16_384
POLICY = "content-security-policy"
ALONE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
FRAMED = ALONE.removesuffix("'none'") + "*"  # for pages that others may show within theirs
HEADERS = {
    POLICY: ALONE,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """Surrounds an app; ``larger`` are limits of bodies by how a path begins.

    ``site`` is where the operator says that it is found; ``at_once`` is how many requests of a
    visitor are worked on at a time. ``announced`` says what all pages show.
    """

    def __init__(
        self,
        app: App,
        metrics: Metrics,
        larger: dict[str, int],
        site: str = "",
        at_once: int = 0,
        announced: Callable[[], Announcement | None] = lambda: None,
    ) -> None:
        self._app = app
        self._announced = announced
        self._gate = Gate(at_once)
        self._metrics = metrics
        self._larger = larger
        self._site = site

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            note_language(scope["headers"])
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        note_address(scope, self._site)
        note_announcement(self._announced(), scope["headers"])
        largest = self._largest_body(scope)
        too_large = N_(f"send at most {largest} bytes")
        status, seen, answered = 0, 0, 0.0
        visitor = visitor_of((scope.get("client") or [None])[0])

        def leave() -> None:
            pass

        async def limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > largest:
                raise HTTPException(413, too_large)
            return message

        async def guarded(message: Message) -> None:
            nonlocal status, answered
            if message["type"] == "http.response.start":
                status, answered = message["status"], time.perf_counter() - began
                message["headers"] = _add_missing(message.get("headers", []))
                leave()  # what is streamed takes as long as the visitor likes
            await send(message)

        try:
            if _declared_length(scope) > largest:
                await _refuse(guarded, 413, too_large)
            else:
                leave = await self._gate.enter(visitor)
                await self._app(_as_get(scope), limited, guarded)
        except Refusal as error:
            await _refuse(guarded, error.status, str(error), error.wait)
        except Exception:
            log("a request failed", level=logging.ERROR, path=scope["path"], exc_info=True)
            if not status:
                await _refuse(guarded, 500, N_("something went wrong here; try again later"))
        finally:
            leave()
            took = time.perf_counter() - began
            method = _known_method(scope)
            self._metrics.requests.labels(method=method, status=str(status)).inc()
            self._metrics.latency.labels(method=method, route=_route_of(scope)).observe(
                answered or took
            )
            log(
                "request",
                method=scope["method"],
                path=scope["path"],
                status=status,
                ms=round(1000 * took, 1),
                visitor=visitor,
            )

    def _largest_body(self, scope: Message) -> int:
        found = (most for start, most in self._larger.items() if scope["path"].startswith(start))
        return next(found, LARGEST_BODY)


def _add_missing(headers: Iterable[Header]) -> list[Header]:
    """The headers of a response, and all of ours that it does not say itself."""
    said = list(headers)
    names = {name for name, _ in said}
    return [*said, *(ours for ours in RAW_HEADERS if ours[0] not in names)]


def _as_get(scope: Message) -> Message:
    """A page that is asked for its headers alone is made as ever, and the server drops its body.

    Not so in the API, where some answers never end.
    """
    if scope["method"] != "HEAD" or scope["path"].startswith("/api/"):
        return scope
    return {**scope, "method": "GET"}


def _route_of(scope: Message) -> str:
    """The template of the route that answered; addresses that lead nowhere are all the same."""
    return str(getattr(scope.get("route"), "path", "none"))


def _declared_length(scope: Message) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and len(value) < 20:
            return int(value)
    return 0


def _known_method(scope: Message) -> str:
    """Methods from strangers must not make new counters without end."""
    method = str(scope["method"])
    return method if method in ("GET", "HEAD", "POST", "PUT", "DELETE") else "other"


async def _refuse(send: Send, status: int, error: str, wait: int | None = None) -> None:
    body = json.dumps({"error": translate(error)}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if wait is not None:
        headers.append((b"retry-after", b"%d" % wait))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
