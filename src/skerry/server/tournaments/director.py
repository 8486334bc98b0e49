"""The director: sees to it that tournaments go on, whoever of us was there before.

Everything that an event comes to follows from what is on disk. So it does not matter which worker
looks at it, or how often: a round is paired in one transaction, on the version it was worked out
from, and a game is made in the transaction that notes it as that of its bout. Whatever a worker
that was killed has left undone, the next look does.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.play.creation import Creation, Wish
from skerry.server.play.store import Store
from skerry.server.play.table import BOT, PERSON, Seat, Table, name_engine
from skerry.server.tournaments.course import BoutEnding, judge, proceed
from skerry.server.tournaments.event import (
    GATHERING,
    UNFINISHED,
    Entry,
    Event,
    HeldBout,
    is_level,
)
from skerry.server.tournaments.store import EventStore
from skerry.server.web.entrants import DELETED, LEVEL, Entrant, EntrantNames
from skerry.server.web.errors import NotFound, Refusal, Stale
from skerry.server.web.logs import log

SWEEP = 5.0  # seconds between looks at what others may have left undone
PAUSE = 2.0  # seconds between pairings of an arena, in which several become free
Rate = Callable[[str, Collection[str]], Awaitable[Mapping[str, int]]]


@dataclass(eq=False)
class Director:
    """Looks at every event in which something may have happened. ``rate`` knows ratings."""

    events: EventStore
    tables: Store
    creation: Creation
    names: EntrantNames
    rate: Rate
    now: Callable[[], int]
    _waiting: set[str] = field(default_factory=set)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def consider(self, table: Table, visitor: str | None = None) -> None:
        """A game has changed: if that ends it, its tournament may go on."""
        if table.event is not None and table.is_over:
            self.wake(table.event)

    def wake(self, id: str) -> None:
        """Look at an event soon."""
        self._waiting.add(id)
        self._news.set()

    async def watch(self) -> None:
        """Look at events for as long as this lasts."""
        while True:
            self._news.clear()
            ids, self._waiting = self._waiting, set()
            found = await self.events.list_due(self.now())
            for id in dict.fromkeys([*ids, *found]):
                await self._look(id)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), SWEEP)

    async def pair_arenas(self) -> None:
        """Pair whoever is free, a few seconds after one another has become free."""
        while True:
            await asyncio.sleep(PAUSE)
            for id in await self.events.list_arenas():
                await self._look(id)

    async def _look(self, id: str) -> None:
        try:
            await self.advance(id)
        except (DBAPIError, ConnectionError):  # no other event fares better
            raise
        except NotFound:
            return
        except Exception:  # one event must not keep the others waiting
            log("a tournament is stuck", level=logging.ERROR, tournament=id, exc_info=True)

    async def advance(self, id: str) -> Event:
        """The event as it is to be now, with all games that are to be played."""
        while True:
            event = await self.events.find(id)
            if event.state not in UNFINISHED:
                return event
            known = await self._refresh(event)
            endings = await self._list_endings(event)
            after = await asyncio.to_thread(proceed, known, endings, self.now())
            if after is not event:
                after = replace(after, version=event.version + 1)
                try:
                    await self.events.replace(event, after)
                except Stale:
                    continue
            await self._make_games(after)
            return after

    async def _refresh(self, event: Event) -> Event:
        """The event with those gone whose accounts are, and with ratings before it begins."""
        persons = [Entrant.read(e.entrant) for e in event.active]
        names = await self.names.name_entrants(persons)
        gone = {str(entrant) for entrant, name in names.items() if name == DELETED}
        for entry in event.active:
            if entry.entrant in gone:
                event = event.with_entry(replace(entry, left=self.now()))
        if event.state == GATHERING:
            return await self.rate_all(event)
        return event

    async def rate_all(self, event: Event) -> Event:
        """The event in which everybody has the rating that decides on the order of seeds."""
        known = await self.rate(event.terms.game, [entry.entrant for entry in event.entries])
        entries = tuple(replace(entry, rating=known.get(entry.entrant)) for entry in event.entries)
        return event if entries == event.entries else event.change(entries=entries)

    async def _list_endings(self, event: Event) -> dict[str, BoutEnding]:
        found = {}
        for game in await self.events.list_finished(event):
            ending = judge(await self.tables.find(game))
            if ending is not None:
                found[game] = ending
        return found

    async def _make_games(self, event: Event) -> None:
        """Make the games that are missing; whoever else does so is as good."""
        for bout in event.bouts:
            if bout.is_open and bout.game is None:
                try:
                    await self._make_game(event, bout)
                except Stale:
                    continue
                except (Refusal, IntegrityError) as error:
                    reason = str(error)
                    log("no game was made", level=logging.ERROR, tournament=event.id, reason=reason)

    async def _make_game(self, event: Event, bout: HeldBout) -> None:
        terms = event.terms
        entries = {entry.entrant: entry for entry in event.entries}
        now = self.now()
        wish = Wish(
            terms.game,
            dict(terms.options),
            clock=dict(terms.clock),
            rated=terms.rated and not all(map(is_level, bout.players)),
            sitting=[seat(entries[player], now) for player in bout.players],
            event=event.id,
        )
        note = partial(self._note, event.id, bout)
        await self.creation.create(wish, f"tournament {event.id}", note)
        self.events.committed(event.id)

    async def _note(
        self, id: str, bout: HeldBout, connection: AsyncConnection, table: Table
    ) -> None:
        await self.events.give_game(connection, id, bout, table.id)


def seat(entry: Entry, now: int) -> Seat:
    """The seat of somebody who was paired: nobody else can take it."""
    entrant = Entrant.read(entry.entrant)
    if entrant.kind == LEVEL:
        return Seat(entry.entrant, name_engine(entry.entrant))
    if entrant.kind == BOT:
        return Seat(BOT, entry.name, entry.secret, claimed=True)
    return Seat(PERSON, entry.name, claimed=True, seen=now, account=entrant.key)
