"""Engines in processes of their own, so that no page waits while one thinks.

A process that dies is replaced and its task is tried again. The processes end when the server does,
however it ends.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Game
from skerry.games import make
from skerry.search.players import player
from skerry.server.web.logs import log
from skerry.server.web.metrics import Metrics
from skerry.server.workers.warm import Key, key_of
from skerry.study import puzzles
from skerry.study.forcing import Prover
from skerry.study.puzzles import Verdict

TRIES = 3
RANDOM, LEVEL = "random", "level:"
Options = dict[str, int]


class EngineLost(RuntimeError):
    """A process died again and again over the same position."""


def check_engine(spec: str, top_level: int) -> str:
    """The name of an engine that may play here; others could think for ever."""
    tidy = spec.strip().lower()
    levels = [f"{LEVEL}{level}" for level in range(1, top_level + 1)]
    if tidy == RANDOM or tidy in levels:
        return tidy
    raise OptionsError(
        f"{shorten(spec)} cannot sit here: use person, random, or level:1 to level:{top_level}"
    )


class Engines:
    """A pool of processes, and which games they have the kernels of."""

    def __init__(self, processes: int, metrics: Metrics, warmed: Callable[[], None]) -> None:
        self._processes = processes
        self._metrics = metrics
        self._warmed = warmed  # told when another game is ready
        self._closed = False
        self._pool = self._hire()
        self._warm: set[Key] = set()
        self._warming: dict[Key, asyncio.Task[None]] = {}

    def _hire(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._processes, mp_context=get_context("spawn"), initializer=settle_in
        )

    def is_warm(self, game: Game) -> bool:
        return key_of(game) in self._warm

    def warm_up(self, game: Game) -> None:
        """Begin to load what it takes to think about a game; compiling it may take a while."""
        key = key_of(game)
        if key not in self._warm and key not in self._warming:
            self._warming[key] = asyncio.create_task(self._warm_up(key))

    async def _warm_up(self, key: Key) -> None:
        try:
            await self._run(_rehearse, key[0], dict(key[1]))
            self._note_warm(key)
        except EngineLost as error:
            log("an engine could not be made ready", level=logging.ERROR, reason=str(error))
        finally:
            del self._warming[key]

    def _note_warm(self, key: Key) -> None:
        if key not in self._warm:
            self._warm.add(key)
            self._warmed()

    async def choose(
        self, game: Game, start: str, actions: list[int], spec: str, seed: int | None
    ) -> int:
        """The action that an engine plays after these actions from that start."""
        began = asyncio.get_running_loop().time()
        found = await self._run(_choose, game.name, game.options, start, actions, spec, seed)
        took = asyncio.get_running_loop().time() - began
        self._metrics.count("skerry_engine_seconds_total", took, engine=spec)
        self._note_warm(key_of(game))
        return int(found)

    async def judge(self, name: str, number: int, moves: list[str]) -> Verdict:
        """What becomes of an answer to a puzzle."""
        found: Verdict = await self._run(_judge, name, number, moves)
        return found

    async def _run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        for _ in range(TRIES):
            pool = self._pool
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
            except BrokenProcessPool:
                if self._closed:
                    raise
                self._metrics.count("skerry_engine_failures_total")
                log("an engine process died")
                if self._pool is pool:  # others who waited for it may have been quicker
                    pool.shutdown(wait=False, cancel_futures=True)
                    self._pool = self._hire()
        raise EngineLost("engine processes died again and again over the same position")

    async def close(self) -> None:
        """End the processes; what they were thinking about is thought about again later."""
        self._closed = True
        for task in self._warming.values():
            task.cancel()
        for process in list((self._pool._processes or {}).values()):
            process.terminate()
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)


def settle_in() -> None:
    """Begin in a new process: Ctrl-C is for the server, and so is when to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _choose(
    name: str, options: Options, start: str, actions: list[int], spec: str, seed: int | None
) -> int:
    state = make(name, **options).position(start)
    for action in actions:
        state = state.play(action)
    return int(player(spec).choose(state, seed))


def _judge(name: str, number: int, moves: list[str]) -> Verdict:
    puzzle = puzzles.find(name, number)
    return puzzles.judge(puzzle, moves, Prover(puzzle.game))


def _rehearse(name: str, options: Options) -> None:
    start = make(name, **options).playable_start()
    if not start.is_over:
        player("level:1").choose(start, 0)
