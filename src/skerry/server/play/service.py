"""What visitors can do to a game that goes on. HTTP routes come here, and so do bots."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from skerry.server.play.actions import REMATCH, act
from skerry.server.play.creation import NOBODY, Creation
from skerry.server.play.deeds import (
    check_renewal,
    expect,
    give_secrets,
    list_handed_on,
    move,
    sit,
)
from skerry.server.play.flags import Deadlines
from skerry.server.play.hub import Hub
from skerry.server.play.store import Store
from skerry.server.play.table import PERSON, Held, Remark, Table, held_by
from skerry.server.web.entrants import Acquaintances
from skerry.server.web.errors import Forbidden, Refusal, Stale, Unauthorised
from skerry.server.web.metrics import Metrics
from skerry.server.web.secrets import Credentials, Signed, conceal, new_secret
from skerry.server.web.text import REMARK_LENGTH, read_name, tidy


@dataclass
class Service:
    """Deeds of visitors, who are known by secrets: each is checked, made and kept.

    The store announces what was kept, so nothing is left to do for whoever calls.
    """

    store: Store
    deadlines: Deadlines
    hub: Hub
    creation: Creation
    metrics: Metrics
    acquaintances: Acquaintances
    now: Callable[[], int]

    async def move(
        self, id: str, shown: Credentials, version: int, text: str, visitor: str
    ) -> Table:
        """Play a move for whichever of the seats is to move."""
        table, held = await self.enter(id, shown)
        expect(table, version)
        after = move(table, held, text, self.now(), shown.person)
        table = await self.store.replace(table, after, visitor=visitor)
        self.metrics.moves.labels(by=PERSON).inc()
        return table

    async def act(
        self, id: str, shown: Credentials, version: int, action: str, visitor: str
    ) -> Table:
        """Resign, abort, offer, ask, accept, decline, or begin a rematch."""
        table, held = await self.enter(id, shown)
        if action == REMATCH:
            return await self.creation.rematch(table, held, visitor)
        expect(table, version)
        after = act(table, held, action, self.now(), self.hub.absent(table))
        return await self.store.replace(table, after, visitor=visitor)

    async def claim(
        self, id: str, shown: Credentials, name: str, fresh: str | None = None
    ) -> tuple[Table, dict[int, str]]:
        """Sit down on all seats that are held, or on none; and the new secrets of some of them.

        Whoever made a game has the links of its seats, but not the seats of those who came: their
        secrets are exchanged, for one that they choose or for ones that we make.
        """
        called = read_name(name) or NOBODY
        while True:  # of several who come at once, one is the last
            table, held = await self.enter(id, shown)
            if not held & table.links:
                raise Refusal("bots keep the name they were made with")
            given = {n: fresh or new_secret() for n in list_handed_on(table, held)}
            after = give_secrets(sit(table, held, called, self.now(), shown.person), given)
            with suppress(Stale):
                if table.began is None:
                    return await self.store.replace(table, after), given
                await self.store.change_seats(table, after.seats)  # and the game as it was
                return await self.deadlines.find(id), given

    async def adopt(self, id: str, shown: Credentials) -> bool:
        """Give an account the seats that somebody took as a guest; whether there were any."""
        person = shown.person
        table = await self.deadlines.find(id)
        mine = held_by(table, shown) & table.links
        seats = tuple(
            replace(seat, account=person.id, name=person.name)
            if person is not None and n in mine and seat.claimed and seat.account is None
            else seat
            for n, seat in enumerate(table.seats)
        )
        if seats != table.seats:
            await self.store.change_seats(table, seats)
        return seats != table.seats

    async def revoke(self, id: str, shown: Credentials, number: int) -> str:
        """A new secret for a seat; the old one opens nothing any more."""
        table, held = await self.enter(id, shown)
        if number not in table.links:
            raise Refusal(f"seat {number} has no link to replace")
        is_own = number in held
        if not is_own:
            check_renewal(table, held, number, self.hub.absent(table))
        secret = new_secret()
        before = table.seats[number]
        after = replace(before, secret=conceal(secret), claimed=is_own and before.claimed)
        if not is_own and before.account is not None:
            after = replace(after, account=None, name=NOBODY)
        seats = (*table.seats[:number], after, *table.seats[number + 1 :])
        await self.store.change_seats(table, seats)
        return secret

    async def say(self, id: str, shown: Credentials, text: str) -> Table:
        """Add a remark by whoever sits at the table."""
        table, held = await self.enter(id, shown)
        seat = min(held)
        name = table.seats[seat].name
        known = name if name != NOBODY else table.name_of(seat)
        await self._say(table, shown.person, known, text)
        return await self.deadlines.find(id)

    async def comment(self, id: str, person: Signed, shown: Credentials, text: str) -> Table:
        """Say something to those who watch; players hear nothing of it while they play."""
        table = await self.deadlines.find(id)
        if held_by(table, shown) and not table.is_over:
            raise Forbidden("you play here; those who watch talk among themselves until it is over")
        await self._say(table, person, person.name, text, gallery=True)
        return await self.deadlines.find(id)

    async def _say(
        self, table: Table, person: Signed | None, name: str, text: str, gallery: bool = False
    ) -> None:
        words, account = tidy(text, REMARK_LENGTH), None if person is None else person.id
        if not words:
            raise Refusal("a chat message has to say something")
        if person is not None:
            if person.muted > self.now():
                raise Forbidden("a moderator has muted you; you can play, but not chat")
            others = {seat.owner for seat in table.seats if seat.owner} - {account}
            if await self.acquaintances.list_blocking(person.id, others):
                raise Forbidden("somebody here has blocked you; you can play, but not chat")
        await self.store.say(table.id, Remark(0, name, words, self.now(), gallery, account))

    async def enter(self, id: str, shown: Credentials) -> tuple[Table, Held]:
        """The game and the seats of somebody who wants to do something."""
        table = await self.deadlines.find(id)
        held = held_by(table, shown)
        if not held:
            raise Unauthorised(
                "this needs the secret of a seat in the header X-Seat, the token of a bot that "
                "sits here, or an account that does; open the link of your seat, or sign in"
            )
        return table, held
