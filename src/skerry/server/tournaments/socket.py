"""The live connection of a tournament: everybody who looks at it sees it change."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from sqlalchemy.exc import DBAPIError

from skerry.server.db.retry import PAUSE
from skerry.server.tournaments.gallery import EventViewer, Gallery
from skerry.server.tournaments.service import EventService
from skerry.server.tournaments.store import EventStore
from skerry.server.tournaments.views import show_event
from skerry.server.tournaments.visitors import LiveAnybody
from skerry.server.web.access import Id
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import Pace, Pay, pacer, spender
from skerry.server.web.parts import Part
from skerry.server.web.refusals import note_absence, status_of
from skerry.server.web.sockets import ADMITTED, converse, read_message, receive, send, write_message

router = APIRouter()

GREETING_TIME = 10.0  # seconds to say hello
QUIET = 0.25  # seconds between two messages: when a round ends, much happens at once
PRICE = 3  # of a whole tournament, as of a long game
BRIEF = ("id", "version", "state", "round", "your_game")


@router.websocket("/api/tournaments/{id}/live", dependencies=ADMITTED)
async def follow_tournament(
    socket: WebSocket,
    store: Part[EventStore],
    service: Part[EventService],
    gallery: Part[Gallery],
    who: LiveAnybody,
    pay: Annotated[Pay, spender("reads")],
    pace: Annotated[Pace, pacer("told")],
    id: Id,
) -> None:
    """Send a tournament to a viewer, again whenever it changes; briefly, if they ask for that."""
    await store.find(id)
    await socket.accept()
    try:
        brief = await _greet(socket)
        with gallery.enter(id) as viewer:

            async def look() -> dict[str, Any]:
                await pace(1 if brief else PRICE)
                shown = show_event(await store.find(id), who, service.now())
                return {name: shown[name] for name in BRIEF} if brief else shown

            await converse(_tell(socket, look, viewer), _hear(socket, pay))
    except WebSocketDisconnect:
        pass
    except TimeoutError:  # they say nothing, or take nothing
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _greet(socket: WebSocket) -> bool:
    """Whoever connects says whether the version is enough for them."""
    async with asyncio.timeout(GREETING_TIME):
        content = read_message(await receive(socket))
    brief = content.get("brief", False)
    if content.get("type") != "hello" or not isinstance(brief, bool):
        raise Refusal('say {"type": "hello", "brief": false} first')
    return brief


async def _tell(
    socket: WebSocket, look: Callable[[], Awaitable[dict[str, Any]]], viewer: EventViewer
) -> None:
    while True:
        await viewer.news.wait()
        viewer.news.clear()
        try:
            shown = await look()
        except (DBAPIError, ConnectionError) as error:  # they stay, and see it when it is back
            note_absence(error)
            viewer.news.set()
            await asyncio.sleep(PAUSE)
            continue
        await send(socket, write_message("tournament", tournament=shown))
        await asyncio.sleep(QUIET)


async def _hear(socket: WebSocket, pay: Pay) -> None:
    """Whatever is said is a sign of life."""
    while True:
        try:
            text = await receive(socket)
            pay(1)
            kind = read_message(text).get("type")
            if kind not in ("hello", "ping"):
                raise Refusal("a message is a hello or a ping; everything else is done with POST")
        except Refusal as error:
            message = write_message("error", error=str(error), status=status_of(error))
            await send(socket, message)
