"""The live connection of a game: every change is sent to all who look at it."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from sqlalchemy.exc import DBAPIError

from skerry.server.db.retry import PAUSE
from skerry.server.play.flags import Deadlines
from skerry.server.play.hub import Hub, Viewer
from skerry.server.play.table import held_by
from skerry.server.play.views import Views
from skerry.server.web.access import Id, LiveSession, Recognise, Visitor, check_theme
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import Pace, Pay, pacer, price_of, spender
from skerry.server.web.parts import Part
from skerry.server.web.refusals import note_absence, status_of
from skerry.server.web.secrets import MOST_SHOWN, Credentials, Secrets, Signed
from skerry.server.web.sockets import ADMITTED, converse, read_message, receive, send, write_message

router = APIRouter()

GREETING_TIME = 10.0  # seconds to say hello


@router.websocket("/api/games/{id}/live", dependencies=ADMITTED)
async def follow_game(
    socket: WebSocket,
    views: Part[Views],
    deadlines: Part[Deadlines],
    hub: Part[Hub],
    visitor: Visitor,
    recognise: LiveSession,
    pay: Annotated[Pay, spender("reads")],
    pace: Annotated[Pace, pacer("told")],
    id: Id,
) -> None:
    """Send a game to a viewer, again whenever it changes."""
    table = await views.look(id, visitor)
    await socket.accept()
    try:
        viewer = await _greet(socket, await recognise())
        with hub.join(id, viewer, held_by(table, viewer.shown)):
            await _Following(socket, views, deadlines, hub, id, viewer, pay, pace, recognise).run()
    except WebSocketDisconnect:
        pass
    except TimeoutError:  # they say nothing, or take nothing
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _greet(socket: WebSocket, person: Signed | None) -> Viewer:
    """Whoever connects says which seats they hold and which theme they like."""
    async with asyncio.timeout(GREETING_TIME):
        content = read_message(await receive(socket))
    if content.get("type") != "hello":
        raise Refusal('say {"type": "hello", "secrets": [...], "theme": "light"} first')
    secrets, theme, flipped, hidden = _read_hello(content)
    return Viewer(Credentials(secrets, person), theme, flipped, hidden)


def _read_hello(content: dict[str, Any]) -> tuple[Secrets, str, bool, bool]:
    secrets = content.get("secrets", [])
    if not isinstance(secrets, list) or not all(isinstance(secret, str) for secret in secrets):
        raise Refusal("secrets must be a list of strings")
    theme = check_theme(content.get("theme", "light"))
    flipped, hidden = (_read_flag(content, name) for name in ("flipped", "hidden"))
    return tuple(secrets[:MOST_SHOWN]), theme, flipped, hidden


def _read_flag(content: dict[str, Any], name: str) -> bool:
    found = content.get(name, False)
    if not isinstance(found, bool):
        raise Refusal(f"{name} must be true or false")
    return found


@dataclass
class _Following:
    """What goes on over one connection after the greeting."""

    socket: WebSocket
    views: Views
    deadlines: Deadlines
    hub: Hub
    id: str
    viewer: Viewer
    pay: Pay
    pace: Pace
    recognise: Recognise
    _sending: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self) -> None:
        await converse(self._tell(), self._hear())

    async def _tell(self) -> None:
        viewer = self.viewer
        while True:
            await viewer.news.wait()
            try:
                table = await self.deadlines.recall(self.id)
                await self.pace(price_of(len(table.plies) // 4))  # it is shown to whoever plays
                viewer.news.clear()
                if viewer.shown.person is not None:  # they may have signed out elsewhere
                    viewer.shown = Credentials(viewer.shown.secrets, await self.recognise())
                table = await self.deadlines.recall(self.id)  # it may have moved on meanwhile
            except (DBAPIError, ConnectionError) as error:  # they stay, and see it when it is back
                note_absence(error)
                viewer.news.set()
                await asyncio.sleep(PAUSE)
                continue
            self.hub.seat(self.id, viewer, held_by(table, viewer.shown))
            shown = self.views.show(table, viewer.shown, viewer.theme, viewer.flipped)
            await self._send("game", game=shown)

    async def _hear(self) -> None:
        while True:
            try:
                text = await receive(self.socket)
                self.pay(1)
                self._obey(read_message(text))
            except Refusal as error:
                await self._send("error", error=str(error), status=status_of(error))

    def _obey(self, content: dict[str, Any]) -> None:
        kind = content.get("type")
        if kind == "hello":  # with other seats, another look, or the page hidden or shown again
            viewer = self.viewer
            secrets, viewer.theme, viewer.flipped, hidden = _read_hello(content)
            viewer.shown = Credentials(secrets, viewer.shown.person)
            self.hub.seat(self.id, viewer, viewer.held, hidden)
            viewer.news.set()
        elif kind != "ping":
            raise Refusal("a message is a hello or a ping; moves are made with POST")

    async def _send(self, kind: str, **content: Any) -> None:
        async with self._sending:
            await send(self.socket, write_message(kind, **content))
