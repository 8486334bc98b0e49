"""Analyses in processes of their own, apart from those that play.

A visitor has one at a time: whoever asks for another gives up the one before. A process that dies
is replaced, and what it was doing is done again, once.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from skerry.core.game import Game
from skerry.server.analysing import Task, work
from skerry.server.errors import Busy, Refusal, Stale
from skerry.server.logs import log
from skerry.server.metrics import Metrics
from skerry.server.rulebook import Key, key_of

Message = tuple[int, str, Any]


class Job:
    """Something that is being done for somebody; a newer report takes the place of an older one."""

    def __init__(self, number: int, visitor: str | None, kind: str, task: Task) -> None:
        self.number = number
        self.visitor = visitor
        self.kind = kind
        self.task = task
        self.tries = 0
        self._news = asyncio.Event()
        self._told: str | bytes | None = None
        self._ending: Refusal | None = None
        self._ended = False

    def tell(self, content: str | bytes) -> None:
        self._told = content
        self._news.set()

    def end(self, why: Refusal | None = None) -> None:
        self._ended = True
        self._ending = why
        self._news.set()

    def __aiter__(self) -> "Job":
        return self

    async def __anext__(self) -> str | bytes:
        await self._news.wait()
        told, self._told = self._told, None
        if told is not None:
            if not self._ended:
                self._news.clear()
            return told
        if self._ending is not None:
            raise self._ending
        raise StopAsyncIteration


class _Analyst:
    """A process, and what it does."""

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Any, lose: Any) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.jobs: dict[int, Job] = {}
        self._ears = Thread(
            target=self._listen, args=(self._connection, loop, deliver, lose), daemon=True
        )
        self._ears.start()

    def begin(self, job: Job) -> None:
        self.jobs[job.number] = job
        self._send((job.number, job.kind, job.task))

    def stop(self, job: Job) -> None:
        if self.jobs.pop(job.number, None) is not None:
            self._send((job.number, None, {}))

    def _send(self, message: Any) -> None:
        with suppress(OSError):  # it has died, and whoever listens to it will say so
            self._connection.send(message)

    def _listen(
        self, connection: Connection, loop: asyncio.AbstractEventLoop, deliver: Any, lose: Any
    ) -> None:
        with suppress(RuntimeError):  # the server has ended, and its loop with it
            try:
                while True:
                    loop.call_soon_threadsafe(deliver, self, connection.recv())
            except (EOFError, OSError):
                loop.call_soon_threadsafe(lose, self)

    def close(self) -> None:
        self.process.terminate()
        self.process.join()
        self._connection.close()


class Analyses:
    """The processes; the first is started when somebody comes near to needing it."""

    def __init__(self, processes: int, most: int, per_visitor: int, metrics: Metrics) -> None:
        self._processes = processes
        self._most = most
        self._per_visitor = per_visitor
        self._metrics = metrics
        self._analysts: list[_Analyst] = []
        self._prepared: set[Key] = set()
        self._numbers = count(1)
        self._closed = False

    @property
    def busy(self) -> int:
        """How many jobs there are."""
        return sum(len(analyst.jobs) for analyst in self._analysts)

    def _hire(self) -> _Analyst:
        return _Analyst(asyncio.get_running_loop(), self._deliver, self._lose)

    def warm_up(self, game: Game) -> None:
        """Get ready for a game that somebody may want to analyse."""
        while len(self._analysts) < self._processes:
            self._analysts.append(self._hire())
        if key_of(game) in self._prepared:
            return
        self._prepared.add(key_of(game))
        for analyst in self._analysts:
            task = {"game": game.name, "options": game.options}
            analyst.begin(Job(next(self._numbers), None, "prepare", task))

    @contextmanager
    def begin(self, visitor: str | None, kind: str, task: Task) -> Iterator[Job]:
        """A job that lasts as long as somebody waits for it; it counts as the visitor's."""
        while len(self._analysts) < self._processes:
            self._analysts.append(self._hire())
        if visitor is not None:
            self._make_way(visitor)
        if self.busy >= self._most:
            raise Busy("everything is being analysed just now; try again in a few seconds")
        job = Job(next(self._numbers), visitor, kind, task)
        min(self._analysts, key=lambda analyst: len(analyst.jobs)).begin(job)
        try:
            yield job
        finally:
            self._drop(job)

    def _make_way(self, visitor: str) -> None:
        jobs = [job for analyst in self._analysts for job in analyst.jobs.values()]
        mine = [job for job in jobs if job.visitor == visitor]
        if self._per_visitor and len(mine) >= self._per_visitor:
            oldest = min(mine, key=lambda job: job.number)
            self._drop(oldest)
            oldest.end(Stale("the engine is looking at another page of yours now"))

    def _drop(self, job: Job) -> None:
        for analyst in self._analysts:
            analyst.stop(job)

    def _deliver(self, analyst: _Analyst, message: Message) -> None:
        number, kind, content = message
        job = analyst.jobs.get(number)
        if job is None:
            return  # it was given up meanwhile
        if kind == "news":
            job.tell(content)
            return
        del analyst.jobs[number]
        job.end(Refusal(content) if kind == "refused" else None)

    def _lose(self, analyst: _Analyst) -> None:
        """A process has died: another one goes on with what it did."""
        if self._closed or analyst not in self._analysts:
            return
        self._metrics.count("skerry_analysis_failures_total")
        log("an analysing process died", level=logging.ERROR)
        self._analysts[self._analysts.index(analyst)] = successor = self._hire()
        self._prepared.clear()
        for job in analyst.jobs.values():
            job.tries += 1
            if job.tries > 1:
                job.end(Busy("this position cannot be analysed; try another one"))
            else:
                successor.begin(job)

    async def close(self) -> None:
        self._closed = True
        for analyst in self._analysts:
            await asyncio.to_thread(analyst.close)
