"""What visitors can do about tournaments: make, join, leave, start, call off."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from secrets import randbelow
from typing import Any

from skerry.core.texts import N_
from skerry.server.play.clocks import Clock
from skerry.server.play.engines import check_engine
from skerry.server.play.table import name_engine
from skerry.server.settings import Settings
from skerry.server.tournaments import event as deeds
from skerry.server.tournaments.course import begin, has_enough
from skerry.server.tournaments.director import Director
from skerry.server.tournaments.event import GATHERING, Entry, Event, EventTerms, check_maker
from skerry.server.tournaments.store import EventStore
from skerry.server.web.entrants import LEVEL, Entrant
from skerry.server.web.errors import Refusal, Stale
from skerry.server.web.kinds import usual_options
from skerry.server.web.secrets import new_id
from skerry.server.web.text import tidy
from skerry.server.workers.warm import Rulebook

LONGEST_TITLE = 60
SEEDS = 2**31
SYSTEM_TITLES = {
    "round-robin": N_("Round robin"),
    "swiss": N_("Swiss"),
    "knockout": N_("Knock-out"),
    "arena": N_("Arena"),
}


@dataclass(frozen=True)
class Participant:
    """Somebody who acts: a person with an account, or a bot with the hash of its seats' secret."""

    entrant: str
    name: str
    secret: str | None = None
    is_moderator: bool = False


@dataclass
class EventService:
    """Deeds about events: each is checked, made and kept, and the director told."""

    store: EventStore
    director: Director
    rulebook: Rulebook
    settings: Settings
    now: Callable[[], int]

    async def make(self, who: Participant, wanted: Mapping[str, Any], levels: list[int]) -> Event:
        """A new event, in which whoever makes it does not take part by that alone."""
        terms, now = await self._read_terms(wanted), self.now()
        terms.check(now)
        made = Event(new_id(), terms, who.entrant, who.name, now, randbelow(SEEDS))
        for level in dict.fromkeys(levels):
            made = deeds.join(made, self._enter_level(f"{LEVEL}:{level}"), now)
        made = replace(made, version=0)
        await self.store.create(made, self.settings.tournaments)
        return await self.director.advance(made.id)

    async def _read_terms(self, wanted: Mapping[str, Any]) -> EventTerms:
        game = await self.rulebook.game(wanted["game"], wanted["options"])
        system = str(wanted["system"])
        if wanted["rated"] and game.options != usual_options(game.name):
            raise Refusal("rated tournaments are on the usual board; leave its options as they are")
        rounds = wanted["rounds"]
        if rounds is not None and rounds > deeds.most_rounds(game.num_seats):
            raise Refusal(f"at most {deeds.most_rounds(game.num_seats)} rounds can be played")
        usual = f"{SYSTEM_TITLES.get(system, system)}, {game.title}"
        return EventTerms(
            title=tidy(wanted["title"], LONGEST_TITLE) or usual[:LONGEST_TITLE],
            game=game.name,
            options=dict(game.options),
            seats=game.num_seats,
            clock=Clock.read(wanted["clock"]).settings(),
            system=system,
            rounds=rounds,
            minutes=wanted["minutes"],
            rated=wanted["rated"],
            starts=wanted["starts"],
            quorum=wanted["quorum"],
        )

    def _enter_level(self, text: str) -> Entry:
        check_engine(text, self.settings.top_level)
        return Entry(text, name_engine(text), self.now())

    async def join(self, id: str, who: Participant) -> Event:
        """Take part; whoever does already stays."""
        entry = Entry(who.entrant, who.name, self.now(), secret=who.secret)
        return await self._do(id, lambda event: deeds.join(event, entry, self.now()))

    async def leave(self, id: str, who: Participant) -> Event:
        return await self._do(id, lambda event: deeds.leave(event, who.entrant, self.now()))

    async def add(self, id: str, who: Participant, entrant: str) -> Event:
        """Let a level take part, for whoever made the event."""
        if Entrant.read(entrant).kind != LEVEL:
            raise Refusal("only levels are entered by others; people and bots join by themselves")
        entry = self._enter_level(entrant)

        def enter(event: Event) -> Event:
            check_maker(event, who.entrant, who.is_moderator)
            return deeds.join(event, entry, self.now())

        return await self._do(id, enter)

    async def remove(self, id: str, who: Participant, entrant: str) -> Event:
        """Let somebody not take part any more, for whoever made the event."""

        def drop(event: Event) -> Event:
            check_maker(event, who.entrant, who.is_moderator)
            if event.find(entrant) is None:
                raise Refusal("nobody of that name takes part")
            return deeds.leave(event, entrant, self.now())

        return await self._do(id, drop)

    async def start(self, id: str, who: Participant) -> Event:
        """Begin now, whatever was planned."""

        def start(event: Event) -> Event:
            check_maker(event, who.entrant, who.is_moderator)
            if event.state != GATHERING:
                raise Refusal("this tournament has begun already")
            if not has_enough(event):
                raise Refusal(f"at least {event.terms.seats} have to take part; wait for more")
            return begin(event, self.now())

        return await self._do(id, start, rated=True)

    async def call_off(self, id: str, who: Participant) -> Event:
        """End an event at once."""

        def stop(event: Event) -> Event:
            check_maker(event, who.entrant, who.is_moderator)
            return deeds.call_off(event, self.now())

        return await self._do(id, stop)

    async def _do(self, id: str, deed: Callable[[Event], Event], rated: bool = False) -> Event:
        """Do something to an event as it is at that moment, and let it go on from there."""
        while True:
            before = await self.store.find(id)
            known = await self.director.rate_all(before) if rated else before
            after = deed(known)
            if after is before:
                return before
            try:
                await self.store.replace(before, replace(after, version=before.version + 1))
            except Stale:
                continue
            return await self.director.advance(id)
