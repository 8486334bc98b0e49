"""Bots: programs of others that play here, known by tokens, and told what happens to their games.

A bot has a row of its own with the hash of its token. On its seats it is known by a secret made of
the token and a salt that only we have, so that it plays as everybody else does; once the bot has
left, the salt is gone and nothing opens these seats.
"""

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from skerry.core.errors import SkerryError
from skerry.core.game import Game
from skerry.games import kind
from skerry.server.db import schema
from skerry.server.play.boards import describe_outcome, words
from skerry.server.play.store import Store, list_seats
from skerry.server.play.table import BOT, OPEN, Seat, Table
from skerry.server.play.views import list_sitting
from skerry.server.web.errors import Refusal, Taken
from skerry.server.web.logs import log
from skerry.server.web.secrets import conceal, new_secret, seat_secret
from skerry.server.web.text import NAME_LENGTH, fold, tidy
from skerry.server.workers.engines import LEVEL

KEEP_ALIVE = 15.0  # seconds until an empty line tells that we are still here
REMEMBERED = 1000  # games of which a stream knows what it has told
ENDED = -1  # no version of a game
MOST_OPEN = 100

games, seats, bots = schema.games, schema.seats, schema.bots


@dataclass(frozen=True)
class Bot:
    """A bot that has shown its token; ``secret`` is that of its seats."""

    name: str
    secret: str
    created: int

    @property
    def seat(self) -> Seat:
        return Seat(BOT, self.name, conceal(self.secret), claimed=True)


def is_rated(game: Game, kinds: Sequence[str]) -> bool:
    """Whether a game counts on the ladder: the usual board, among bots and levels."""
    usual = {option.name: option.default for option in game.option_specs}
    return game.options == usual and all(
        kind in (BOT, OPEN) or kind.startswith(LEVEL) for kind in kinds
    )


@dataclass(eq=False)
class Listener:
    """A stream of events for one bot, with the games that it has to look at again."""

    ids: set[str] = field(default_factory=set)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def notice(self, id: str) -> None:
        self.ids.add(id)
        self.news.set()


class Bots:
    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self._listeners: defaultdict[str, set[Listener]] = defaultdict(set)
        self._changed: set[str] = set()
        self._news = asyncio.Event()

    async def register(self, name: str) -> tuple[str, str]:
        """A new bot: its name, and the token that is told this once."""
        called, token = tidy(name, NAME_LENGTH), new_secret()
        if not called:
            raise Refusal("a bot needs a name")
        try:
            async with self._store.transact() as connection:
                await connection.execute(
                    insert(bots).values(
                        folded=fold(called),
                        name=called,
                        token=conceal(token),
                        salt=new_secret(),
                        created=self._now(),
                    )
                )
        except IntegrityError:
            raise Taken(f"there is or was a bot called {called}; choose another name") from None
        return called, token

    async def find(self, token: str) -> Bot | None:
        """The bot that has this token."""
        hashed = conceal(token)
        async with self._store.engine.connect() as connection:
            row = (await connection.execute(select(bots).where(bots.c.token == hashed))).first()
        if row is None or not compare_digest(row.token, hashed):
            return None
        return Bot(row.name, seat_secret(token, row.salt), row.created)

    async def remove(self, bot: Bot) -> None:
        """Forget the token and the salt of a bot, and end its streams."""
        async with self._store.transact() as connection:
            row = update(bots).where(bots.c.folded == fold(bot.name))
            await connection.execute(row.values(token=None, salt=""))
        for listener in self._listeners.get(bot.name, ()):
            listener.news.set()

    async def list_games(self, bot: Bot) -> list[str]:
        """The games of a bot that go on."""
        async with self._store.engine.connect() as connection:
            found = await connection.scalars(
                select(games.c.id)
                .join(seats, seats.c.game == games.c.id)
                .where(seats.c.folded == fold(bot.name), seats.c.kind == BOT, games.c.playing)
                .order_by(games.c.created)
            )
            return list(found.all())

    async def list_open(self) -> list[dict[str, Any]]:
        """Public games in which a seat waits for a bot, the newest first."""
        waiting = select(seats.c.game).where(seats.c.kind == OPEN)
        query = (
            select(games.c.id, games.c.game, games.c.options, games.c.clock, games.c.rated)
            .where(games.c.id.in_(waiting), games.c.playing, games.c.public)
            .order_by(games.c.created.desc())
            .limit(MOST_OPEN)
        )
        async with self._store.engine.connect() as connection:
            found = (await connection.execute(query)).all()
            sitting = await list_seats(connection, [row.id for row in found])
        return [
            {
                "id": row.id,
                "game": row.game,
                "options": row.options,
                "clock": row.clock,
                "rated": row.rated,
                "seats": list_sitting(kind(row.game), sitting[row.id]),
                "open": [seat.seat for seat in sitting[row.id] if seat.kind == OPEN],
            }
            for row in found
        ]

    async def stays(self, bot: Bot) -> bool:
        """Whether a bot has not left meanwhile."""
        async with self._store.engine.connect() as connection:
            query = select(bots.c.token).where(bots.c.folded == fold(bot.name))
            return await connection.scalar(query) is not None

    # Telling

    def changed(self, id: str) -> None:
        """A game has changed: its bots are to be told, if any of them listens."""
        if self._listeners:
            self._changed.add(id)
            self._news.set()

    async def tell(self) -> None:
        """Find out which bots a change concerns."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._changed:
                id = self._changed.pop()
                try:
                    table = await self._store.recall(id)
                except (SkerryError, DBAPIError, OSError) as error:
                    log("a bot was not told", level=logging.WARNING, game=id, reason=str(error))
                    continue
                for seat in table.seats:
                    if seat.kind == BOT:
                        for listener in self._listeners.get(seat.name, ()):
                            listener.notice(id)

    @contextmanager
    def _listen(self, bot: Bot) -> Iterator[Listener]:
        listener = Listener()
        self._listeners[bot.name].add(listener)
        try:
            yield listener
        finally:
            self._listeners[bot.name].discard(listener)
            if not self._listeners[bot.name]:
                del self._listeners[bot.name]

    async def follow(self, bot: Bot) -> AsyncIterator[dict[str, Any] | None]:
        """Everything that happens to the games of a bot, until it has left.

        All games that go on come first. None is told now and then to show that we are still here.
        """
        told: OrderedDict[str, int] = OrderedDict()
        with self._listen(bot) as listener:
            listener.ids.update(await self.list_games(bot))
            while await self.stays(bot):
                listener.news.clear()
                ids, listener.ids = sorted(listener.ids), set()
                for id in ids:
                    table = await self._store.recall(id)
                    for event in list_events(table, bot.name, told.get(id)):
                        yield event
                    if not table.is_waiting:
                        told[id] = ENDED if table.is_over else table.version
                        told.move_to_end(id)
                    while len(told) > REMEMBERED:
                        told.popitem(last=False)
                try:
                    await asyncio.wait_for(listener.news.wait(), KEEP_ALIVE)
                except TimeoutError:
                    yield None
                    # We may have missed something while the database was away.
                    listener.ids.update(await self.list_games(bot))
                    listener.ids.update(id for id, version in told.items() if version != ENDED)


def list_events(table: Table, name: str, told: int | None) -> list[dict[str, Any]]:
    """What there is to tell a bot about a game of which it knows a version."""
    if told in (ENDED, table.version) or table.is_waiting:
        return []
    own = next((n for n, s in enumerate(table.seats) if (s.kind, s.name) == (BOT, name)), None)
    if own is None:
        return []
    shown = {
        "id": table.id,
        "game": table.game.name,
        "options": table.game.options,
        "rated": table.rated,
        "seat": own,
        "seats": list_sitting(table.game, table.seats),
        "version": table.version,
        "position": table.state.position,
        "moves": list(table.course.texts),
        "to_move": table.to_move,
        "words": words(table.course, table.outcome),
    }
    if table.is_over:
        return [{"type": "end", **shown, "outcome": describe_outcome(table.outcome)}]
    events = [] if told is not None else [{"type": "start", **shown}]
    if table.to_move == own:
        legal = [str(move) for move in table.state.legal_moves()]
        events.append({"type": "turn", **shown, "legal": legal})
    return events
