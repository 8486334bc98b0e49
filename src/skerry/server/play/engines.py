"""Engines: who may sit at a table, and what they choose in processes of their own."""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from skerry.core.errors import Forfeit, OptionsError, shorten
from skerry.core.game import Game
from skerry.core.state import State
from skerry.games import GAMES
from skerry.search.players import Player, player
from skerry.search.standin import stand_in
from skerry.search.warmup import is_ready
from skerry.server.play.table import LEVEL, MAY_SWAP, RANDOM, Table
from skerry.server.settings import Settings, flag_of
from skerry.server.web.errors import Refusal
from skerry.server.web.logs import log
from skerry.server.web.metrics import Metrics
from skerry.server.workers.lanes import ENGINES, PROGRAMS
from skerry.server.workers.pool import Pool, Urgency
from skerry.server.workers.thinking import (
    OPENER,
    ask_program,
    choose_action,
    open_evenly,
    prefer_other,
    rehearse_engine,
    think,
)
from skerry.server.workers.warm import Key, Rulebook, key_of, name_game


def check_engine(spec: str, top_level: int, named: Collection[str] = ()) -> str:
    """The name of an engine that may play here; others could think for ever, or be commands."""
    tidy = spec.strip().lower()
    levels = [f"{LEVEL}{level}" for level in range(1, top_level + 1)]
    if tidy == RANDOM or tidy in levels or tidy in named:
        return tidy
    forms = ", ".join(["person", "random", *named])
    raise OptionsError(
        f"{shorten(spec)} cannot sit here: use {forms}, or level:1 to level:{top_level}"
    )


def find_named(settings: Settings) -> dict[str, str]:
    """The players of others that may play here, by name; OptionsError if there is no such one."""
    for name, spec in settings.named_engines.items():
        try:
            player(spec)
        except OptionsError as error:
            raise OptionsError(f"{flag_of('engine')} {name}: {error}") from None
    return settings.named_engines


class Engines:
    """What engines choose, and how far they are ready for games; ``changed`` hears of it.

    ``named`` are players of others, by the names that seats know them by.
    """

    def __init__(
        self,
        pool: Pool,
        metrics: Metrics,
        changed: Callable[[], None],
        named: Mapping[str, str] | None = None,
    ) -> None:
        self._named = named or {}
        self._pool = pool
        self._metrics = metrics
        self._changed = changed
        self._warm: set[Key] = set()
        self._warming: dict[Key, asyncio.Task[None]] = {}
        self._progress: dict[Key, int] = {}  # of those that have begun, in per cent
        self._awaited: set[Key] = set()  # which somebody's game waits for
        self._standing_in = asyncio.Lock()  # one at a time leaves the pages their time

    def readiness(self, game: Game) -> int:
        """How much of what it takes to think about a game is there, in per cent."""
        key = key_of(game)
        return 100 if key in self._warm else self._progress.get(key, 0)

    def warm_up(self, game: Game) -> None:
        """Begin to load what it takes to think about a game; compiling it may take a while."""
        key = key_of(game)
        if key not in self._warm and key not in self._warming:
            self._begin(key, Urgency.NOBODY)

    def _begin(self, key: Key, urgency: Urgency) -> asyncio.Task[None]:
        task = self._warming[key] = asyncio.create_task(self._warm_up(key, urgency))
        return task

    def _hurry(self, key: Key) -> asyncio.Task[None]:
        """See that an engine gets ready that somebody plays with: what nobody has waited for yet
        goes first from now on."""
        task = self._warming.get(key)
        if task is None or (key not in self._progress and key not in self._awaited):
            if task is not None:
                task.cancel()
            self._awaited.add(key)
            task = self._begin(key, Urgency.GAME)
        return task

    async def get_ready(self, rulebook: Rulebook, count: int) -> None:
        """Get ready for what newcomers ask for first: all rules, and engines for so many games.

        On a new machine that compiles for a minute or two; what somebody plays goes first. The
        first engine begins beside the rules: half of it needs none, and serves all games.
        """
        names = list(GAMES)[:count]
        for name in names[:1]:
            self._begin(name_game(name, {}), Urgency.NOBODY)
        await rulebook.load_defaults()
        for name in names[1:]:
            self.warm_up(await rulebook.game(name, {}))
        await asyncio.gather(*self._warming.values(), return_exceptions=True)

    async def _warm_up(self, key: Key, urgency: Urgency) -> None:
        began = time.monotonic()
        try:
            with self._pool.begin(ENGINES, urgency, rehearse_engine, *key) as job:
                async for done in job:
                    self._progress[key] = done
                    if done:
                        self._changed()
            self._note_warm(key)
            log("an engine is ready", game=key[0], seconds=round(time.monotonic() - began, 1))
        except Refusal as error:
            log("an engine could not be made ready", level=logging.ERROR, reason=str(error))
        finally:
            if self._warming.get(key) is asyncio.current_task():
                del self._warming[key]
                self._awaited.discard(key)
                self._progress.pop(key, None)

    def _note_warm(self, key: Key) -> None:
        if key not in self._warm:
            self._warm.add(key)
            self._changed()

    async def choose(self, table: Table, kind: str, visitor: str | None = None) -> int:
        """The action that an engine plays at a table, for a visitor; Forfeit if it loses by it."""
        if kind in self._named:
            # All turns of its programs are thought of the same way, whatever else is agreed upon.
            return await self._ask_program(table, kind, visitor)
        if kind != RANDOM and not kind.startswith(LEVEL):
            raise Forfeit(f"{kind} does not play here any more")
        if table.swap == MAY_SWAP and not table.plies:
            opener = OPENER if kind.startswith(LEVEL) else kind
            return int(await self._decide(table, kind, open_evenly, opener, visitor))
        return int(await self._decide(table, kind, choose_action, kind, visitor))

    async def _ask_program(self, table: Table, kind: str, visitor: str | None) -> int:
        with self._timing(kind):
            chosen, reason, detail = await self._pool.run(
                PROGRAMS,
                Urgency.GAME,
                ask_program,
                *key_of(table.game),
                table.state.position,
                self._named[kind],
                visitor=visitor,
            )
        if chosen is None:
            log(
                "an engine forfeits", level=logging.WARNING, engine=kind, reason=reason, said=detail
            )
            raise Forfeit(reason)
        return int(chosen)

    async def wants_swap(self, table: Table, kind: str, visitor: str | None = None) -> bool:
        """Whether an engine would rather have the seat that has made the first turn."""
        if kind != RANDOM and not kind.startswith(LEVEL):
            return False
        return bool(await self._decide(table, kind, prefer_other, kind, visitor))

    async def _decide(
        self,
        table: Table,
        kind: str,
        deed: Callable[[State, Player], Any],
        spec: str,
        visitor: str | None,
    ) -> Any:
        """What a player of ours comes to at a table. While its engine is being compiled somebody
        stands in for it here, who needs no more than the rules; otherwise it waits for whoever
        loads the engine, since a second process would only do the same."""
        key = key_of(table.game)
        if kind.startswith(LEVEL) and key not in self._warm:
            loading = self._hurry(key)
            understudy = None if is_ready(table.game) else stand_in(player(spec), table.game)
            if understudy is not None:
                async with self._standing_in:
                    with self._timing(kind):
                        return await asyncio.to_thread(deed, table.state, understudy)
            await asyncio.wait([loading])
        with self._timing(kind):
            order = (think, deed, *key, table.state.position, spec)
            found = await self._pool.run(ENGINES, Urgency.GAME, *order, visitor=visitor)
        if kind.startswith(LEVEL):
            self._note_warm(key)
        return found

    @contextmanager
    def _timing(self, kind: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self._metrics.engine_seconds.labels(engine=kind).inc(time.monotonic() - began)

    async def close(self) -> None:
        for task in self._warming.values():
            task.cancel()
        await asyncio.gather(*self._warming.values(), return_exceptions=True)
