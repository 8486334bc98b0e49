"""Live connections: every change of a game is sent to all who look at it."""

import asyncio
import json
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, WebSocket, WebSocketDisconnect, WebSocketException
from pydantic import ValidationError

from skerry.core.errors import SkerryError
from skerry.server.host import Host, Secrets, to_text
from skerry.server.play.hub import Viewer
from skerry.server.play.routes import NewMove
from skerry.server.web.access import Id, TheHost, Visitor, check_theme, explain
from skerry.server.web.errors import Refusal, Stale
from skerry.server.web.secrets import MOST_SHOWN, held_by

router = APIRouter()

GREETING_TIME = 10.0  # seconds to say hello
SENDING_TIME = 20.0  # seconds to take a document
POLICY = 1008  # why we close when something is refused
LONGEST_REASON = 120  # bytes


@router.websocket("/api/games/{id}/live")
async def follow(socket: WebSocket, host: TheHost, visitor: Visitor, id: Id) -> None:
    """Send a game to a viewer, again whenever it changes, and take moves."""
    if not comes_from_here(socket, host):
        raise WebSocketException(POLICY, "pages of other sites may not connect")
    try:
        with host.limits.connect(visitor):
            table = await host.look(id)
            await socket.accept()
            viewer = await _greet(socket)
            with host.hub.join(id, viewer, held_by(table, viewer.secrets)):
                await _Talk(host, socket, visitor, id, viewer).run()
    except WebSocketDisconnect:
        pass
    except TimeoutError:  # they say nothing, or take nothing
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()
    except Refusal as error:
        raise refuse(error) from None


def refuse(error: Refusal) -> WebSocketException:
    """Why a connection is closed."""
    reason = str(error).encode()[:LONGEST_REASON].decode(errors="ignore")
    return WebSocketException(POLICY, reason)


def comes_from_here(socket: WebSocket, host: Host) -> bool:
    """Browsers say which page connects; what is no browser needs no page."""
    origin = socket.headers.get("origin")
    if origin is None or origin in host.settings.allowed_origins:
        return True
    return urlsplit(origin).netloc == socket.headers.get("host")


async def _greet(socket: WebSocket) -> Viewer:
    """Whoever connects says which seats are his and how he likes boards."""
    async with asyncio.timeout(GREETING_TIME):
        content = read_message(await socket.receive_text())
    if content.get("type") != "hello":
        raise Refusal('say {"type": "hello", "secrets": [...], "theme": "light"} first')
    return Viewer(*_read_hello(content))


def _read_hello(content: dict[str, Any]) -> tuple[Secrets, str]:
    secrets = content.get("secrets", [])
    if not isinstance(secrets, list) or not all(isinstance(secret, str) for secret in secrets):
        raise Refusal("secrets are a list of texts")
    return tuple(secrets[:MOST_SHOWN]), check_theme(content.get("theme", "light"))


def read_message(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise Refusal("messages are JSON objects")
    return content


class _Talk:
    """What goes on over one connection after the greeting."""

    def __init__(
        self, host: Host, socket: WebSocket, visitor: str, id: str, viewer: Viewer
    ) -> None:
        self._host = host
        self._socket = socket
        self._visitor = visitor
        self._id = id
        self._viewer = viewer
        self._sending = asyncio.Lock()

    async def run(self) -> None:
        telling = asyncio.create_task(self._tell())
        hearing = asyncio.create_task(self._hear())
        try:
            done, _ = await asyncio.wait((telling, hearing), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            telling.cancel()
            hearing.cancel()
            await asyncio.gather(telling, hearing, return_exceptions=True)

    async def _tell(self) -> None:
        viewer = self._viewer
        while True:
            await viewer.news.wait()
            viewer.news.clear()
            table = await self._host.recall(self._id)
            self._host.hub.seat(self._id, viewer, held_by(table, viewer.secrets))
            await self._send("game", game=self._host.show(table, viewer.secrets, viewer.theme))

    async def _hear(self) -> None:
        while True:
            try:
                await self._obey(read_message(await self._socket.receive_text()))
            except Stale as error:
                table = await self._host.find(self._id)
                shown = self._host.show(table, self._viewer.secrets, self._viewer.theme)
                await self._send("error", error=str(error), status=409, game=shown)
            except (SkerryError, ValidationError) as error:
                status = getattr(error, "status", 422)
                await self._send("error", error=explain(error), status=status)

    async def _obey(self, content: dict[str, Any]) -> None:
        kind = content.pop("type", None)
        if kind == "move":
            self._host.limits.moves.spend(self._visitor)
            wanted = NewMove.model_validate(content)
            # Whoever has gone meanwhile has moved all the same.
            await asyncio.shield(
                self._host.move(
                    self._id, self._viewer.secrets, wanted.version, wanted.move, self._visitor
                )
            )
            return
        self._host.limits.reads.spend(self._visitor)
        if kind == "hello":  # with other seats, or in another light
            self._viewer.secrets, self._viewer.theme = _read_hello(content)
            self._viewer.news.set()
        elif kind != "ping":
            raise Refusal("a message is a hello, a move or a ping")

    async def _send(self, kind: str, **content: Any) -> None:
        async with self._sending, asyncio.timeout(SENDING_TIME):
            await self._socket.send_text(to_text(kind, **content))
