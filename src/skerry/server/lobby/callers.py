"""Who asks something of the lobby."""

from dataclasses import dataclass, replace

from skerry.server.bots.events import entrant_of
from skerry.server.bots.registry import BotRegistry
from skerry.server.lobby.challenge import Caller
from skerry.server.lobby.store import ChallengeStore
from skerry.server.play.creation import NOBODY
from skerry.server.play.table import BOT, PERSON
from skerry.server.web.access import Shown, Token, Visitor
from skerry.server.web.entrants import Entrant
from skerry.server.web.errors import NotFound, Unauthorised
from skerry.server.web.parts import Part
from skerry.server.web.secrets import conceal, new_secret
from skerry.server.web.text import read_name


@dataclass
class LobbyVisitor:
    """Whoever makes a request: a bot by its token, a person by a session, or a guest."""

    store: Part[ChallengeStore]
    registry: Part[BotRegistry]
    visitor: Visitor
    token: Token
    credentials: Shown

    async def call(self, name: str = "", secret: str | None = None) -> tuple[Caller, str | None]:
        """Who that is under a name, and the secret that will open their seat; none for a bot.

        Whoever names no secret is given one.
        """
        shown = frozenset(map(conceal, self.credentials.secrets))
        visitor = self.store.hide(self.visitor)
        if self.token is not None:
            bot = await self.registry.find(self.token)
            if bot is None:
                raise Unauthorised("no bot has this token; POST /api/bots makes one")
            kept = conceal(bot.secret)
            entrant = entrant_of(bot.name)
            return Caller(bot.name, kept, BOT, entrant, visitor=visitor, shown=shown), None
        chosen, person = secret or new_secret(), self.credentials.person
        kept = conceal(chosen)
        called = read_name(name) or NOBODY if person is None else person.name
        caller = Caller(called, kept, visitor=visitor, shown=shown | {kept})
        if person is not None:
            entrant = str(Entrant(PERSON, person.id))
            caller = replace(caller, entrant=entrant, account=person.id)
        return caller, chosen

    async def find_addressee(self, name: str) -> tuple[str, str]:
        """Who is called so, as an entrant, and how they write it."""
        person = await self.store.find_person(name)
        if person is not None:
            return str(Entrant(PERSON, person[0])), person[1]
        bot = await self.registry.find_named(name)
        if bot is None:
            raise NotFound("nobody is called that here; check the name")
        return entrant_of(bot), bot
