"""The live connection of a game: every change is sent to all who look at it."""

import asyncio
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from sqlalchemy.exc import DBAPIError

from skerry.server.db.retry import PAUSE
from skerry.server.play.flags import Deadlines
from skerry.server.play.hub import Hub, Viewer
from skerry.server.play.table import held_by
from skerry.server.play.views import Views
from skerry.server.web.access import Id, LiveSession, Recognise, Visitor, check_theme
from skerry.server.web.limits import price_of
from skerry.server.web.parts import Part
from skerry.server.web.refusals import note_absence
from skerry.server.web.secrets import Credentials, Secrets
from skerry.server.web.sockets import ADMITTED, Live, converse, read_flag, read_secrets

router = APIRouter()

HELLO = '{"type": "hello", "secrets": [...], "theme": "light"}'
ADVICE = "moves are made with POST"


@router.websocket("/api/games/{id}/live", dependencies=ADMITTED)
async def follow_game(
    talk: Live,
    views: Part[Views],
    deadlines: Part[Deadlines],
    hub: Part[Hub],
    visitor: Visitor,
    recognise: LiveSession,
    id: Id,
) -> None:
    """Send a game to a viewer, again whenever it changes."""
    table = await views.look(id, visitor)
    async with talk.open():
        person = await recognise()
        secrets, theme, flipped, hidden = _read_hello(await talk.hear_hello(HELLO))
        viewer = Viewer(Credentials(secrets, person), theme, flipped, hidden)
        with hub.join(id, viewer, held_by(table, viewer.shown)):
            following = _Following(views, deadlines, hub, id, viewer, talk, recognise)
            await converse(following.tell(), talk.hear(following.greet, ADVICE))


def _read_hello(content: dict[str, Any]) -> tuple[Secrets, str, bool, bool]:
    """Which seats somebody holds, which theme they like, how the board lies, whether they look."""
    secrets, theme = read_secrets(content), check_theme(content.get("theme", "light"))
    return secrets, theme, read_flag(content, "flipped"), read_flag(content, "hidden")


@dataclass
class _Following:
    """What goes on over one connection after the greeting."""

    views: Views
    deadlines: Deadlines
    hub: Hub
    id: str
    viewer: Viewer
    talk: Live
    recognise: Recognise

    async def tell(self) -> None:
        viewer = self.viewer
        while True:
            await viewer.news.wait()
            try:
                table = await self.deadlines.recall(self.id)
                # It is shown to whoever plays.
                await self.talk.pace(price_of(len(table.plies) // 4))
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
            await self.talk.tell("game", game=shown)

    async def greet(self, content: dict[str, Any]) -> None:
        """They hold other seats, like another look, or have hidden the page or shown it again."""
        viewer = self.viewer
        secrets, viewer.theme, viewer.flipped, hidden = _read_hello(content)
        viewer.shown = Credentials(secrets, viewer.shown.person)
        self.hub.seat(self.id, viewer, viewer.held, hidden)
        viewer.news.set()
