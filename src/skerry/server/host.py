"""The host: everything a visitor can ask for, whether by HTTP or over a live connection."""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from secrets import randbelow
from typing import Any

from skerry.core.game import Game
from skerry.core.state import State
from skerry.server.archive.archive import Archive
from skerry.server.bots.bots import Bot, Bots, is_rated
from skerry.server.bots.ladder import Ladder
from skerry.server.db.migrate import migrate
from skerry.server.db.notify import Post
from skerry.server.db.retry import persist
from skerry.server.play.clocks import Clock
from skerry.server.play.flags import Deadlines
from skerry.server.play.hub import Hub
from skerry.server.play.opponents import Thinking
from skerry.server.play.store import Store, connect
from skerry.server.play.table import (
    ACTIONS,
    BOT,
    PERSON,
    REMATCH,
    VISITORS,
    Held,
    Seat,
    Table,
    expect,
    join,
    link_rematch,
    move,
    rematch,
)
from skerry.server.play.views import document
from skerry.server.positions.course import Courses
from skerry.server.settings import Settings
from skerry.server.study.shelf import Shelf
from skerry.server.web.errors import Forbidden, Refusal, Stale, Unauthorised
from skerry.server.web.limits import Limits
from skerry.server.web.metrics import Metrics
from skerry.server.web.secrets import conceal, held_by, new_id, new_secret
from skerry.server.web.text import NAME_LENGTH, REMARK_LENGTH, tidy
from skerry.server.workers.analyses import Analyses
from skerry.server.workers.engines import Engines, check_engine
from skerry.server.workers.warm import Rulebook

DEALS = 1_000_000  # seeds short enough to be read out
DEFAULT_ENGINE = "level:2"
NOBODY = "Guest"
Secrets = tuple[str, ...]


def read_time() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Host:
    """One server process with all that belongs to it."""

    def __init__(self, settings: Settings, now: Callable[[], int] = read_time) -> None:
        settings.check()
        settings.make_file()
        self.settings = settings
        self.now = now
        self.metrics = Metrics()
        self.limits = Limits(settings)
        self.rulebook = Rulebook()
        self.courses = Courses()
        self.hub = Hub()
        self.analyses = Analyses(
            settings.analyses, settings.analysis_queue, settings.analysing, self.metrics
        )
        self.store = Store(connect(settings.database_url), self.rulebook, self._changed)
        self.shelf = Shelf(self.store)
        self.archive = Archive(self.store)
        self.bots = Bots(self.store, now)
        self.ladder = Ladder(self.store, settings.top_level)
        self.engines = Engines(settings.engines, self.metrics, self.hub.everything_changed)
        self.deadlines = Deadlines(self.store, self.metrics, now)
        self.thinking = Thinking(
            self.store,
            self.hub,
            self.engines,
            settings,
            self.metrics,
            now,
            self.deadlines.consider,
        )
        self._tasks: list[asyncio.Task[None]] = []
        self.metrics.gauges = {
            "skerry_websockets": lambda: self.hub.connections,
            "skerry_engine_queue": lambda: self.thinking.queue,
            "skerry_analyses": lambda: self.analyses.busy,
        }

    async def open(self) -> None:
        """Bring the database up to date and take up what was going on."""
        await migrate(self.store.engine)
        work = [
            self.rulebook.load_defaults,
            self.deadlines.watch,
            self.thinking.sweep,
            self.bots.tell,
        ]
        if self.store.is_shared:
            post = Post(self.settings.database_url, self.store, self.hub)
            await post.open()
            self.thinking.alone = post.alone
            work.append(post.listen)
        self._tasks = [asyncio.create_task(persist(task)) for task in work]

    def _changed(self, id: str) -> None:
        self.hub.changed(id)
        self.bots.changed(id)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.thinking.close()
        await self.engines.close()
        await self.analyses.close()
        await self.store.engine.dispose()

    # Looking

    async def find(self, id: str) -> Table:
        """A game as it is now; its flag falls if it is time."""
        table = await self.store.find(id)
        return await self.deadlines.enforce(id) if _is_due(table, self.now()) else table

    async def recall(self, id: str) -> Table:
        """A game for those who are told of its changes."""
        table = await self.store.recall(id)
        return await self.find(id) if _is_due(table, self.now()) else table

    async def look(self, id: str) -> Table:
        """A game that somebody looks at, which lets engines among themselves go on."""
        table = await self.find(id)
        self.hub.look(id)
        if table.has_engines and not table.is_over:
            self.engines.warm_up(table.game)
        self.thinking.consider(table)
        return table

    def show(self, table: Table, secrets: Secrets = (), theme: str = "light") -> dict[str, Any]:
        """The document of a game for whoever has these secrets."""
        return document(
            table,
            held=held_by(table, secrets),
            online=self.hub.online(table.id),
            theme=theme,
            now=self.now(),
            warm=table.is_over or self.engines.is_warm(table.game),
        )

    # Doing

    async def create(
        self,
        visitor: str,
        name: str,
        options: dict[str, int],
        seats: list[str] | None = None,
        names: list[str] | None = None,
        clock: dict[str, Any] | None = None,
        seed: int | None = None,
        position: str | None = None,
        public: bool = True,
        seat: int | None = None,
        bot: Bot | None = None,
    ) -> tuple[Table, list[str | None]]:
        """A new game, and the secret of every seat that is a person's; a bot has one by itself.

        ``seat`` is that of whoever makes the game, the first person's if it is not said.
        """
        self.limits.creates.spend(visitor)
        game = await self.rulebook.game(name, options)
        kinds = self._read_seats(game, seats, bot)
        if any(kind not in VISITORS for kind in kinds):
            self.thinking.check(visitor)
        start, seed = _find_start(game, seed, position)
        secrets = [new_secret() if kind == PERSON else None for kind in kinds]
        called = _read_names(kinds, names)
        now = self.now()
        persons = [number for number, kind in enumerate(kinds) if kind in (PERSON, BOT)]
        if seat is not None and seat not in persons:
            raise Refusal(f"seat {seat} is no person's, so it cannot be yours")
        table = Table(
            id=new_id(),
            start=start,
            seed=seed,
            seats=tuple(
                bot.seat
                if bot is not None and kind == BOT
                else Seat(kind, called[n], secret and conceal(secret))
                for n, (kind, secret) in enumerate(zip(kinds, secrets, strict=True))
            ),
            clock=None if clock is None else Clock.read(clock),
            admin=seat if seat is not None else min(persons, default=None),
            public=public,
            rated=bot is not None and is_rated(game, kinds),
            created=now,
            since=now,
            updated=now,
        )
        self.limits.games.spend(visitor)
        await self.store.create(table)
        self.metrics.count("skerry_games_created_total", game=game.name)
        self.hub.look(table.id)
        if table.has_engines:
            self.engines.warm_up(game)
        self._follow(table, visitor)
        if bot is not None:
            await self._check_out(bot)
        return table, secrets

    async def move(self, id: str, secrets: Secrets, version: int, text: str, visitor: str) -> Table:
        """Play a move for whichever of the seats is to move."""
        table, held = await self._enter(id, secrets)
        expect(table, version)
        if table.has_engines:
            self.thinking.check(visitor)
        table = await self._replace(table, move(table, held, text, self.now()), visitor)
        self.metrics.count("skerry_moves_total", by=PERSON)
        return table

    async def act(
        self, id: str, secrets: Secrets, version: int, action: str, visitor: str
    ) -> Table:
        """Resign, offer, ask, accept, decline, or begin a rematch."""
        table, held = await self._enter(id, secrets)
        if action == REMATCH:
            return await self._rematch(table, held, visitor)
        expect(table, version)
        if action not in ACTIONS:
            raise Refusal(f"use one of {', '.join([*ACTIONS, REMATCH])}")
        return await self._replace(table, ACTIONS[action](table, held, self.now()), visitor)

    async def _rematch(self, table: Table, held: Held, visitor: str) -> Table:
        """The game with its rematch; whoever asks second is led to the same one."""
        if table.rematch is not None:
            return table
        seed = randbelow(DEALS) if table.seed is not None else None
        start = table.start if seed is None else table.game.initial(seed)
        now = self.now()
        successor = rematch(table, held, new_id(), start, seed, now)
        self.limits.creates.spend(visitor)
        self.limits.games.spend(visitor)
        table = await self.store.replace(table, link_rematch(table, successor.id, now), successor)
        self.hub.look(successor.id)
        self._follow(successor, visitor)
        return table

    async def claim(self, id: str, secrets: Secrets, name: str) -> Table:
        """Sit down on all seats that are held."""
        table, held = await self._enter(id, secrets)
        if not held & table.links:
            raise Refusal("bots keep the name they were made with")
        for number in sorted(held & table.links):
            before = table.seats[number]
            after = replace(before, name=tidy(name, NAME_LENGTH) or NOBODY, claimed=True)
            await self.store.change_seat(id, number, before, after)
        return await self.find(id)

    async def revoke(self, id: str, secrets: Secrets, number: int) -> str:
        """A new secret for a seat; the old one opens nothing any more."""
        table, held = await self._enter(id, secrets)
        if table.admin not in held:
            raise Forbidden("only whoever made the game can replace the link of a seat")
        if number not in table.links:
            raise Refusal(f"seat {number} has no link to replace")
        secret = new_secret()
        before = table.seats[number]
        after = replace(before, secret=conceal(secret), claimed=False)
        await self.store.change_seat(id, number, before, after)
        return secret

    async def join(self, id: str, bot: Bot, number: int, visitor: str) -> Table:
        """Let a bot sit down on an open seat; of two at once, one is too late."""
        table = await self.find(id)
        table = await self._replace(table, join(table, number, bot.seat, self.now()), visitor)
        await self._check_out(bot)
        return table

    async def remove(self, bot: Bot) -> None:
        """Let a bot leave: its games are resigned, and its token opens nothing any more."""
        await self._resign_all(bot)
        await self.bots.remove(bot)
        await self._resign_all(bot)  # what it began or joined meanwhile

    async def _check_out(self, bot: Bot) -> None:
        """Resign what a bot has begun or joined while it was leaving."""
        if not await self.bots.stays(bot):
            await self._resign_all(bot)

    async def _resign_all(self, bot: Bot) -> None:
        for id in await self.bots.list_games(bot):
            with suppress(Refusal):  # it may be over by now
                await self._resign(id, bot)

    async def _resign(self, id: str, bot: Bot) -> None:
        """Resign for a bot, however quickly others move."""
        while True:
            table, held = await self._enter(id, (bot.secret,))
            with suppress(Stale):
                await self._replace(table, ACTIONS["resign"](table, held, self.now()), bot.name)
                return

    async def say(self, id: str, secrets: Secrets, text: str) -> Table:
        """Add a remark by whoever sits at the table."""
        table, held = await self._enter(id, secrets)
        words = tidy(text, REMARK_LENGTH)
        if not words:
            raise Refusal("a remark has to say something")
        seat = min(held)
        name = table.seats[seat].name
        known = name if name != NOBODY else table.name_of(seat)
        await self.store.say(id, known, words, self.now())
        return await self.find(id)

    async def _enter(self, id: str, secrets: Secrets) -> tuple[Table, Held]:
        """The game and the seats of somebody who wants to do something."""
        table = await self.find(id)
        held = held_by(table, secrets)
        if not held:
            raise Unauthorised(
                "this needs the secret of a seat in the header X-Seat, or the token of a bot that "
                "sits here; open the link of your seat"
            )
        return table, held

    async def _replace(self, before: Table, after: Table, visitor: str) -> Table:
        after = await self.store.replace(before, after)
        self._follow(after, visitor)
        return after

    def _follow(self, table: Table, visitor: str) -> None:
        """See to what a change brings about."""
        self.deadlines.consider(table)
        self.thinking.consider(table, visitor)

    def _read_seats(self, game: Game, seats: list[str] | None, bot: Bot | None) -> list[str]:
        if seats is None:
            return [BOT if bot else PERSON] + [DEFAULT_ENGINE] * (game.num_seats - 1)
        if len(seats) != game.num_seats:
            raise Refusal(f"{game.title} has {game.num_seats} seats, and {len(seats)} are given")
        names = [kind.strip().lower() for kind in seats]
        if bot is not None and names.count(BOT) != 1:
            raise Refusal("you have one seat: give bot for it, and somebody else for each other")
        visitors = VISITORS if bot is not None else (PERSON,)
        return [
            name if name in visitors else check_engine(name, self.settings.top_level)
            for name in names
        ]


def _is_due(table: Table, now: int) -> bool:
    return table.deadline is not None and table.deadline <= now


def _read_names(kinds: list[str], names: list[str] | None) -> list[str]:
    """How everybody is called; whoever gave no name is a guest."""
    chosen = [*(names or []), *[""] * len(kinds)][: len(kinds)]
    return [
        tidy(name, NAME_LENGTH)
        or (NOBODY if kind == PERSON else kind.replace(":", " ").capitalize())
        for kind, name in zip(kinds, chosen, strict=True)
    ]


def _find_start(game: Game, seed: int | None, position: str | None) -> tuple[State, int | None]:
    """Where a game begins, and by which deal."""
    if position is None:
        if not game.has_chance:
            return game.initial(), None
        seed = randbelow(DEALS) if seed is None else seed
        return game.initial(seed), seed
    start = game.position(position)
    if start.is_over:
        raise Refusal("the game is over in this position; begin with an earlier one")
    return start, None


def to_text(kind: str, **content: Any) -> str:
    """A message over a live connection."""
    return json.dumps({"type": kind, **content}, ensure_ascii=False, separators=(",", ":"))
