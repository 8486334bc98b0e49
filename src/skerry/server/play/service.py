"""What visitors can do to a game that goes on. HTTP routes come here, and so do bots."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from skerry.server.play.actions import REMATCH, act
from skerry.server.play.creation import NOBODY, Creation
from skerry.server.play.deeds import check_renewal, expect, move, sit
from skerry.server.play.flags import Deadlines
from skerry.server.play.hub import Hub
from skerry.server.play.opponents import Opponents
from skerry.server.play.store import Store
from skerry.server.play.table import PERSON, Held, Table, held_by
from skerry.server.web.errors import Refusal, Stale, Unauthorised
from skerry.server.web.metrics import Metrics
from skerry.server.web.secrets import Secrets, conceal, new_secret
from skerry.server.web.text import NAME_LENGTH, REMARK_LENGTH, tidy


@dataclass
class Service:
    """Deeds of visitors, who are known by secrets: each is checked, made and kept.

    The store announces what was kept, so nothing is left to do for whoever calls.
    """

    store: Store
    deadlines: Deadlines
    hub: Hub
    opponents: Opponents
    creation: Creation
    metrics: Metrics
    now: Callable[[], int]

    async def move(self, id: str, secrets: Secrets, version: int, text: str, visitor: str) -> Table:
        """Play a move for whichever of the seats is to move."""
        table, held = await self.enter(id, secrets)
        expect(table, version)
        if table.has_engines:
            self.opponents.check(visitor)
        after = move(table, held, text, self.now())
        table = await self.store.replace(table, after, visitor=visitor)
        self.metrics.moves.labels(by=PERSON).inc()
        return table

    async def act(
        self, id: str, secrets: Secrets, version: int, action: str, visitor: str
    ) -> Table:
        """Resign, abort, offer, ask, accept, decline, or begin a rematch."""
        table, held = await self.enter(id, secrets)
        if action == REMATCH:
            return await self.creation.rematch(table, held, visitor)
        expect(table, version)
        after = act(table, held, action, self.now(), self.hub.absent(table))
        return await self.store.replace(table, after, visitor=visitor)

    async def claim(self, id: str, secrets: Secrets, name: str) -> Table:
        """Sit down on all seats that are held."""
        table, held = await self.enter(id, secrets)
        if not held & table.links:
            raise Refusal("bots keep the name they were made with")
        called = tidy(name, NAME_LENGTH) or NOBODY
        while table.began is None:  # of several who come at once, one is the last
            with suppress(Stale):
                return await self.store.replace(table, sit(table, held, called, self.now()))
            table, held = await self.enter(id, secrets)
        for number in sorted(held & table.links):
            before = table.seats[number]
            after = replace(before, name=called, claimed=True, seen=self.now())
            await self.store.change_seat(id, number, before, after)
        return await self.deadlines.find(id)

    async def revoke(self, id: str, secrets: Secrets, number: int) -> str:
        """A new secret for a seat; the old one opens nothing any more."""
        table, held = await self.enter(id, secrets)
        if number not in table.links:
            raise Refusal(f"seat {number} has no link to replace")
        is_own = number in held
        if not is_own:
            check_renewal(table, held, number, self.hub.absent(table))
        secret = new_secret()
        before = table.seats[number]
        after = replace(before, secret=conceal(secret), claimed=is_own and before.claimed)
        await self.store.change_seat(id, number, before, after)
        return secret

    async def say(self, id: str, secrets: Secrets, text: str) -> Table:
        """Add a remark by whoever sits at the table."""
        table, held = await self.enter(id, secrets)
        words = tidy(text, REMARK_LENGTH)
        if not words:
            raise Refusal("a chat message has to say something")
        seat = min(held)
        name = table.seats[seat].name
        known = name if name != NOBODY else table.name_of(seat)
        await self.store.say(id, known, words, self.now())
        return await self.deadlines.find(id)

    async def enter(self, id: str, secrets: Secrets) -> tuple[Table, Held]:
        """The game and the seats of somebody who wants to do something."""
        table = await self.deadlines.find(id)
        held = held_by(table, secrets)
        if not held:
            raise Unauthorised(
                "this needs the secret of a seat in the header X-Seat, or the token of a bot that "
                "sits here; open the link of your seat"
            )
        return table, held
