"""The live connection of the lobby: everybody who looks on sees it change."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter

from skerry.server.lobby.hall import Hall, Onlooker
from skerry.server.web.access import LiveSession, Recognise
from skerry.server.web.entrants import PERSON, Entrant
from skerry.server.web.parts import Part
from skerry.server.web.secrets import conceal
from skerry.server.web.sockets import ADMITTED, Live, converse, read_flag, read_secrets

router = APIRouter()

HELLO = '{"type": "hello", "secrets": [...]}'
ADVICE = "challenges are made with POST"


@router.websocket("/api/lobby/live", dependencies=ADMITTED)
async def follow_lobby(talk: Live, hall: Part[Hall], recognise: LiveSession) -> None:
    """Send the lobby to an onlooker, again whenever it changes."""
    async with talk.open():
        looking = _Looking(hall, Onlooker(), recognise, talk)
        await looking.meet(await talk.hear_hello(HELLO))
        with hall.enter(looking.onlooker):
            await converse(looking.tell(), talk.hear(looking.greet, ADVICE))


@dataclass
class _Looking:
    """What goes on over one connection."""

    hall: Hall
    onlooker: Onlooker
    recognise: Recognise
    talk: Live

    async def meet(self, content: dict[str, Any]) -> None:
        """Note who looks on, and how much they want to know. They may have signed out meanwhile."""
        onlooker, secrets = self.onlooker, read_secrets(content)
        brief, hidden = read_flag(content, "brief"), read_flag(content, "hidden")
        onlooker.shown = frozenset(map(conceal, secrets))
        onlooker.brief, onlooker.hidden = brief, hidden
        person = await self.recognise()
        onlooker.entrant = None if person is None else str(Entrant(PERSON, person.id))

    async def greet(self, content: dict[str, Any]) -> None:
        """They have other challenges, or have hidden the page or shown it again."""
        await self.meet(content)
        self.hall.changed()

    async def tell(self) -> None:
        while True:
            await self.onlooker.news.wait()
            self.onlooker.news.clear()
            if not self.hall.is_news(self.onlooker):
                continue
            await self.talk.pace(1)
            text = self.hall.tell(self.onlooker)
            if text is not None:
                await self.talk.say(text)
