"""The live connection of a tournament: everybody who looks at it sees it change."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter
from sqlalchemy.exc import DBAPIError

from skerry.server.db.retry import PAUSE
from skerry.server.tournaments.gallery import EventViewer, Gallery
from skerry.server.tournaments.service import EventService
from skerry.server.tournaments.store import EventStore
from skerry.server.tournaments.views import show_event
from skerry.server.tournaments.visitors import LiveAnybody
from skerry.server.web.access import Id
from skerry.server.web.parts import Part
from skerry.server.web.refusals import note_absence
from skerry.server.web.sockets import ADMITTED, Live, converse, read_flag

router = APIRouter()

HELLO = '{"type": "hello", "brief": false}'
ADVICE = "everything else is done with POST"
QUIET = 0.25  # seconds between two messages: when a round ends, much happens at once
PRICE = 3  # of a whole tournament, as of a long game
BRIEF = ("id", "version", "state", "round", "your_game")


@router.websocket("/api/tournaments/{id}/live", dependencies=ADMITTED)
async def follow_tournament(
    talk: Live,
    store: Part[EventStore],
    service: Part[EventService],
    gallery: Part[Gallery],
    who: LiveAnybody,
    id: Id,
) -> None:
    """Send a tournament to a viewer, again whenever it changes; briefly, if they ask for that."""
    await store.find(id)
    async with talk.open():
        brief = read_flag(await talk.hear_hello(HELLO), "brief")
        with gallery.enter(id) as viewer:

            async def look() -> dict[str, Any]:
                await talk.pace(1 if brief else PRICE)
                shown = show_event(await store.find(id), who, service.now())
                return {name: shown[name] for name in BRIEF} if brief else shown

            await converse(_tell(talk, look, viewer), talk.hear(_greet, ADVICE))


async def _greet(content: dict[str, Any]) -> None:
    """Whoever says hello again is told what they were told before."""


async def _tell(
    talk: Live, look: Callable[[], Awaitable[dict[str, Any]]], viewer: EventViewer
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
        await talk.tell("tournament", tournament=shown)
        await asyncio.sleep(QUIET)
