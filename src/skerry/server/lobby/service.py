"""What visitors can do in the lobby: challenge, join, leave, agree; and who is paired."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from random import SystemRandom
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.core.texts import N_
from skerry.lab.contest.swap import check_swap
from skerry.server.lobby import challenge as deeds
from skerry.server.lobby.challenge import BEGUN, Caller, Challenge, Terms
from skerry.server.lobby.pairing import PAUSE, find_partner, list_pairs, order_hosts
from skerry.server.lobby.store import ChallengeStore
from skerry.server.people.ties import Ties
from skerry.server.play.clocks import Clock
from skerry.server.play.creation import Creation, Wish, check_even
from skerry.server.play.table import LEVEL, Seat, Table, name_engine
from skerry.server.settings import Settings
from skerry.server.web.entrants import Entrant
from skerry.server.web.errors import Forbidden, NotFound, Refusal, Stale
from skerry.server.web.kinds import usual_options
from skerry.server.web.secrets import new_id
from skerry.server.workers.warm import Rulebook

ROUND = 10  # seconds between looks at who is connected
ROUNDS_A_DAY = 8640
ATTEMPTS = 50  # to change what others change at the same time
UNWANTED = N_("this challenge is not for you; look at the lobby for others")  # and no more is told
CROWDED = N_("too many change this at once; look at it again in a moment")
Rater = Callable[[str, Collection[str]], Awaitable[Mapping[str, int]]]


class _BotsLeft(Refusal):
    """Some who have joined have left the server since."""

    def __init__(self, entrants: Collection[str]) -> None:
        super().__init__(deeds.OVER)
        self.entrants = entrants


@dataclass
class LobbyService:
    """Deeds in the lobby: each is checked, made and kept. ``rate`` knows ratings of entrants."""

    store: ChallengeStore
    creation: Creation
    rulebook: Rulebook
    settings: Settings
    rate: Rater
    ties: Ties
    now: Callable[[], int]

    async def read_terms(self, game: str, options: dict[str, int], **chosen: Any) -> Terms:
        """What somebody wants to play, checked and complete."""
        found = await self.rulebook.game(game, options)
        seat, clock = chosen.get("seat"), chosen.pop("clock", None)
        if seat is not None and seat not in range(found.num_seats):
            raise Refusal(f"{found.title} has no seat {seat}; they are numbered from 0")
        if chosen.get("swap"):
            check_swap(found)
        if chosen.get("even"):
            check_even(found, self.creation.books, swap=chosen.get("swap", False))
        low, high = chosen.get("low"), chosen.get("high")
        if low is not None and high is not None and low > high:
            raise Refusal(f"no rating is from {low} to {high}; the lower one comes first")
        return Terms(
            game=found.name,
            options=dict(found.options),
            seats=found.num_seats,
            usual=found.options == usual_options(found.name),
            clock=None if clock is None else Clock.read(clock).settings(),
            **chosen,
        )

    async def challenge(self, terms: Terms, caller: Caller) -> Challenge:
        """A new challenge, for everybody or for one."""
        if terms.addressee is not None and terms.addressee == caller.entrant:
            raise Refusal("you cannot challenge yourself")
        if terms.addressee is not None and caller.account is not None:
            asked = Entrant.read(terms.addressee)
            if await self.ties.list_blocking(caller.account, [asked.key]):
                raise Forbidden(UNWANTED)
        return await self._keep(terms, await self._rated(caller, terms.game))

    async def _keep(self, terms: Terms, caller: Caller) -> Challenge:
        made = deeds.make(new_id(), terms, caller, self.now())
        await self.store.create(made, caller.visitor, self.settings.challenges)
        return made

    async def seek(self, terms: Terms, caller: Caller) -> Challenge:
        """Somebody who plays with whoever comes, at once if somebody is there."""
        caller = await self._rated(caller, terms.game)
        waiting = await self.store.list_open()
        for one in waiting:  # whoever asks twice waits once
            if one.terms.quick and one.terms.key == terms.key and _is_in(one, caller):
                return one
        made = await self._keep(replace(terms, quick=True), caller)
        shunned: set[str] = set()  # where somebody waits who is blocked
        for _ in range(ATTEMPTS):  # others may have joined it, or taken it into theirs
            own = await self._find_own(made, caller)
            waiting = [one for one in await self.store.list_open() if one.id not in shunned]
            partner = find_partner(own, waiting, self.now())
            if not own.is_open or partner is None:
                return own
            try:
                return await self._merge(own, partner, caller.visitor)
            except (Stale, NotFound):
                continue
            except Forbidden:
                shunned.add(partner.id)
        return own  # a later comparison finds somebody

    async def _find_own(self, made: Challenge, caller: Caller) -> Challenge:
        """What has become of a challenge, which may have been merged with another."""
        held = await self.store.list_held([caller.secret], [], self.now())
        return next((one for one in held if one.terms.key == made.terms.key), made)

    async def _check_ties(self, account: str | None, challenge: Challenge) -> None:
        """See that nobody who waits there has blocked somebody, nor is blocked by them."""
        others = [one.account for one in challenge.joined if one.account is not None]
        if account is None or not others:
            return
        if await self.ties.list_blocking(account, others):
            raise Forbidden(UNWANTED)
        for other in others:
            if await self.ties.list_blocking(other, [account]):
                raise Forbidden("you have blocked somebody who waits there")

    async def _merge(self, one: Challenge, other: Challenge, visitor: str) -> Challenge:
        host, guest = order_hosts(one, other)
        for who in guest.joined:
            await self._check_ties(who.account, host)
        return await self._proceed([host, guest], deeds.merge(host, [guest]), visitor)

    async def join(self, id: str, caller: Caller) -> Challenge:
        """Take a seat; the game begins with the last one. Who comes again finds what there is."""
        for _ in range(ATTEMPTS):  # of several who come at once, one is the last
            found = await self.store.find(id)
            if (number := found.find({caller.secret}, caller.entrant)) is not None:
                if number == 0 and found.is_open:
                    raise Refusal("this is your own challenge; wait for somebody to answer")
                return found
            if found.find(caller.shown, None) is not None:
                raise Refusal("you wait there yourself; somebody else has to answer")
            caller = await self._rated(caller, found.terms.game)
            await self._check_ties(caller.account, found)
            with suppress(Stale):
                after = deeds.join(found, caller, self.now())
                return await self._proceed([found], after, caller.visitor)
        raise Stale(CROWDED)

    async def leave(self, id: str, caller: Caller) -> None:
        """Take back a challenge, or leave one that others have made."""
        for _ in range(ATTEMPTS):
            found = await self.store.find(id)
            after = deeds.leave(found, found.own(caller))
            with suppress(Stale):
                return await self.store.replace([found], after)
        raise Stale(CROWDED)

    async def decline(self, id: str, caller: Caller) -> Challenge:
        """Answer no, to whoever has challenged somebody."""
        for _ in range(ATTEMPTS):
            found = await self.store.find(id)
            after = deeds.decline(found, caller, self.now())
            with suppress(Stale):
                await self.store.replace([found], after)
                return after
        raise Stale(CROWDED)

    async def fill(self, id: str, caller: Caller, level: int | None) -> Challenge:
        """Have engines in the seats that are free; the game begins when all who came agree."""
        top = self.settings.top_level
        if level is not None and not 1 <= level <= top:
            raise Refusal(f"levels go from 1 to {top}")
        for _ in range(ATTEMPTS):
            found = await self.store.find(id)
            after = deeds.vote(found, caller, level)
            with suppress(Stale):
                return await self._proceed([found], after, caller.visitor)
        raise Stale(CROWDED)

    async def show(self, id: str, caller: Caller) -> Challenge:
        """A challenge as it is, for whoever may see it."""
        found = await self.store.find(id)
        involved = found.find(caller.shown, caller.entrant) is not None
        if found.terms.addressee not in (None, caller.entrant) and not involved:
            raise Forbidden("this challenge is between others")
        return found

    async def list_for(self, entrant: str) -> list[dict[str, Any]]:
        """The challenges that wait for an entrant's answer, in a few words."""
        held = await self.store.list_held([], [entrant], self.now())
        return [
            {
                "id": one.id,
                "game": one.terms.game,
                "options": one.terms.options,
                "clock": one.terms.clock,
                "rated": one.terms.rated,
                "swap": one.terms.swap,
                "even": one.terms.even,
                "by": one.joined[0].name,
            }
            for one in held
            if one.is_open and one.terms.addressee == entrant
        ]

    async def _rated(self, caller: Caller, game: str) -> Caller:
        if caller.entrant is None:
            return caller
        return replace(caller, rating=(await self.rate(game, [caller.entrant])).get(caller.entrant))

    async def _proceed(
        self, before: Sequence[Challenge], after: Challenge, visitor: str
    ) -> Challenge:
        """Put a challenge in the place of others, and begin its game if nobody is missing."""
        if after.state == BEGUN or (not after.is_full and after.fill is None):
            if after.version != before[0].version:
                await self.store.replace(before, after)
            return after
        begun: list[Challenge] = []

        async def finish(connection: AsyncConnection, table: Table) -> None:
            if left := await self.store.list_left(connection, after):
                raise _BotsLeft(left)
            begun.append(deeds.begin(after, table.id, self.now()))
            await self.store.rewrite(connection, before, begun[0])

        try:
            await self.creation.create(_write_wish(after), visitor, finish)
        except _BotsLeft as gone:
            await self._go_on_without(before, gone.entrants)
            raise NotFound(deeds.OVER) from None
        finally:
            self.store.committed()
        return begun[0]

    async def _go_on_without(self, before: Sequence[Challenge], left: Collection[str]) -> None:
        """Let those go on waiting who have not left, if there are any."""
        for one in before:
            after: Challenge | None = one
            for number, who in reversed(list(enumerate(one.joined))):
                if after is not None and who.entrant in left:
                    after = deeds.leave(after, number)
            if after is not one:
                await self.store.replace([one], after)

    # What is done without being asked

    async def pair(self) -> None:
        """Compare all who wait for quick pairing again and again: they become less choosy."""
        while True:
            await asyncio.sleep(PAUSE)
            for one, other in list_pairs(await self.store.list_open(), self.now()):
                with suppress(Refusal):  # one of them has gone, or plays
                    await self._merge(one, other, one.joined[0].visitor)

    async def sweep(self, present: Callable[[], tuple[Collection[str], Collection[str]]]) -> None:
        """End what is too old, or whose players have been away for a while.

        ``present`` tells who is connected here: by the hashes of secrets, and as entrants. Nobody
        counts as gone just after a start.
        """
        started = self.now()
        for number in count():
            await asyncio.sleep(ROUND)
            await self.store.touch(*present(), self.now())
            if self.now() > started + deeds.GONE:
                await self.end_old()
            if number % ROUNDS_A_DAY == 0:
                await self.store.drop_old(self.now())

    async def end_old(self) -> None:
        now = self.now()
        for found in await self.store.list_open():
            after: Challenge | None = found
            if found.until < now:
                after = None
            for number in deeds.list_gone(found, now):
                after = after and deeds.leave(after, number)
            if after is not found:
                with suppress(Stale):
                    await self.store.replace([found], after)


def _is_in(challenge: Challenge, caller: Caller) -> bool:
    return challenge.find({caller.secret, *caller.shown}, caller.entrant) is not None


def _write_wish(challenge: Challenge) -> Wish:
    """The game that a challenge leads to, with everybody in their seat."""
    terms = challenge.terms
    people = [one.seat() for one in challenge.joined]
    free = terms.seats - len(people)
    kind = f"{LEVEL}{challenge.fill}"
    others = [*people[1:], *[Seat(kind, name_engine(kind))] * free]
    SystemRandom().shuffle(others)
    is_dealt = terms.seat is None or terms.rated  # nobody is to choose the better seat
    own = SystemRandom().randrange(terms.seats) if is_dealt else terms.seat
    return Wish(
        terms.game,
        terms.options,
        clock=terms.clock,
        swap=terms.swap,
        even=terms.even,
        rated=terms.rated,
        sitting=(*others[:own], people[0], *others[own:]),
    )
