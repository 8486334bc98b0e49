"""Who asks something about tournaments."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends

from skerry.server.bots.registry import BotRegistry
from skerry.server.tournaments.service import Participant
from skerry.server.web.access import LivePerson, Person, Token
from skerry.server.web.entrants import BOT, PERSON, Entrant
from skerry.server.web.errors import Unauthorised
from skerry.server.web.parts import Part
from skerry.server.web.secrets import Signed, conceal
from skerry.server.web.text import fold

MODERATORS = ("moderator", "admin")


def of_person(person: Signed | None) -> Participant | None:
    if person is None:
        return None
    entrant = str(Entrant(PERSON, person.id))
    return Participant(entrant, person.name, is_moderator=person.role in MODERATORS)


@dataclass
class _Asking:
    """Whoever makes a request: a bot by its token, a person by their session, or nobody known."""

    registry: Part[BotRegistry]
    token: Token
    person: Person

    async def find(self) -> Participant | None:
        if self.token is None:
            return of_person(self.person)
        bot = await self.registry.find(self.token)
        if bot is None:
            raise Unauthorised("no bot has this token; POST /api/bots makes one")
        return Participant(str(Entrant(BOT, fold(bot.name))), bot.name, conceal(bot.secret))


async def _find(asking: Annotated[_Asking, Depends()]) -> Participant | None:
    return await asking.find()


async def _expect(who: Annotated[Participant | None, Depends(_find)]) -> Participant:
    if who is None:
        raise Unauthorised(
            "tournaments are for people with an account and for bots; sign in, or show the token "
            "of a bot"
        )
    return who


async def _live(person: LivePerson) -> Participant | None:
    return of_person(person)


Anybody = Annotated[Participant | None, Depends(_find)]
Known = Annotated[Participant, Depends(_expect)]
LiveAnybody = Annotated[Participant | None, Depends(_live)]
