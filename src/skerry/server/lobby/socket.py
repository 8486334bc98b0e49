"""The live connection of the lobby: everybody who looks on sees it change."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from skerry.server.lobby.hall import Hall, Onlooker
from skerry.server.web.access import LiveSession, Recognise
from skerry.server.web.entrants import PERSON, Entrant
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import Pace, Pay, pacer, spender
from skerry.server.web.parts import Part
from skerry.server.web.refusals import status_of
from skerry.server.web.secrets import MOST_SHOWN, conceal
from skerry.server.web.sockets import ADMITTED, converse, read_message, receive, send, write_message

router = APIRouter()

GREETING_TIME = 10.0  # seconds to say hello
HELLO = 'say {"type": "hello", "secrets": [...]} first'


@router.websocket("/api/lobby/live", dependencies=ADMITTED)
async def follow_lobby(
    socket: WebSocket,
    hall: Part[Hall],
    recognise: LiveSession,
    pay: Annotated[Pay, spender("reads")],
    pace: Annotated[Pace, pacer("told")],
) -> None:
    """Send the lobby to an onlooker, again whenever it changes."""
    await socket.accept()
    try:
        async with asyncio.timeout(GREETING_TIME):
            content = read_message(await receive(socket))
        if content.get("type") != "hello":
            raise Refusal(HELLO)
        onlooker = Onlooker()
        await _greet(onlooker, content, recognise)
        with hall.enter(onlooker):
            await _Looking(socket, hall, onlooker, recognise, pay, pace).run()
    except WebSocketDisconnect:
        pass
    except TimeoutError:  # they say nothing, or take nothing
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _greet(onlooker: Onlooker, content: dict[str, Any], recognise: Recognise) -> None:
    """Note who looks on, and how much they want to know. They may have signed out meanwhile."""
    secrets = content.get("secrets", [])
    if not isinstance(secrets, list) or not all(isinstance(one, str) for one in secrets):
        raise Refusal("secrets must be a list of strings")
    flags = {name: content.get(name, False) for name in ("brief", "hidden")}
    if not all(isinstance(flag, bool) for flag in flags.values()):
        raise Refusal("brief and hidden are true or false")
    onlooker.shown = frozenset(map(conceal, secrets[:MOST_SHOWN]))
    onlooker.brief, onlooker.hidden = flags["brief"], flags["hidden"]
    person = await recognise()
    onlooker.entrant = None if person is None else str(Entrant(PERSON, person.id))


@dataclass
class _Looking:
    """What goes on over one connection after the greeting."""

    socket: WebSocket
    hall: Hall
    onlooker: Onlooker
    recognise: Recognise
    pay: Pay
    pace: Pace
    _sending: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self) -> None:
        await converse(self._tell(), self._hear())

    async def _tell(self) -> None:
        while True:
            await self.onlooker.news.wait()
            self.onlooker.news.clear()
            if not self.hall.is_news(self.onlooker):
                continue
            await self.pace(1)
            text = self.hall.tell(self.onlooker)
            if text is not None:
                await self._send(text)

    async def _hear(self) -> None:
        while True:
            try:
                text = await receive(self.socket)
                self.pay(1)
                content = read_message(text)
                if content.get("type") == "hello":  # with other challenges, or hidden, or shown
                    await _greet(self.onlooker, content, self.recognise)
                    self.hall.changed()
                elif content.get("type") != "ping":
                    raise Refusal("a message is a hello or a ping; challenges are made with POST")
            except Refusal as error:
                said = write_message("error", error=str(error), status=status_of(error))
                await self._send(said)

    async def _send(self, text: str) -> None:
        async with self._sending:
            await send(self.socket, text)
