"""Analyses in processes of their own, apart from those that play.

A visitor has one at a time: whoever asks for another gives up the one before. A process that dies
is replaced, and what it was doing is done again, once.
"""

import asyncio
import logging
import os
import pickle
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import get_context
from typing import Any

from skerry.core.game import Game
from skerry.server.web.errors import Busy, Refusal, Stale
from skerry.server.web.logs import log
from skerry.server.web.metrics import Metrics
from skerry.server.workers.analyst import Task, work
from skerry.server.workers.warm import Key, key_of

PREPARE = "prepare"
MOST_ASIDE = 4  # jobs that are no visitor's, such as films
CHUNK = 65_536
HEADER = struct.Struct("!i")  # how long a message is, as connections between processes write it
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

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        deliver: "Callable[[_Analyst, Message], None]",
        lose: "Callable[[_Analyst], None]",
    ) -> None:
        self._loop = loop
        self._deliver = deliver
        self._lose = lose
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self.jobs: dict[int, Job] = {}
        # No thread listens: it and the server would wait for each other again and again.
        self._socket = socket.socket(fileno=os.dup(self._connection.fileno()))
        self._heard = bytearray()
        loop.add_reader(self._socket, self._hear)

    def begin(self, job: Job) -> None:
        self.jobs[job.number] = job
        self._send((job.number, job.kind, job.task))

    def stop(self, job: Job) -> None:
        if self.jobs.pop(job.number, None) is not None:
            self._send((job.number, None, {}))

    def _send(self, message: Any) -> None:
        with suppress(OSError):  # it has died, and whoever listens to it will say so
            self._connection.send(message)

    def _hear(self) -> None:
        """Take in what has come, and tell of every message that is complete."""
        try:
            fresh = self._socket.recv(CHUNK)
        except OSError:
            fresh = b""
        if not fresh:
            self.ignore()
            self._lose(self)
            return
        self._heard += fresh
        while len(self._heard) >= HEADER.size:
            (size,) = HEADER.unpack_from(self._heard)
            end = HEADER.size + size
            if len(self._heard) < end:
                return
            message = pickle.loads(self._heard[HEADER.size : end])  # noqa: S301  from our process
            del self._heard[:end]
            self._deliver(self, message)

    def ignore(self) -> None:
        """Hear nothing any more."""
        self._loop.remove_reader(self._socket)

    def close(self) -> None:
        """End the process; it may take a moment."""
        self._process.terminate()
        self._process.join()
        self._socket.close()
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

    @property
    def busy(self) -> int:
        """How many jobs there are."""
        return len(self._jobs)

    @property
    def _jobs(self) -> list[Job]:
        return [job for analyst in self._analysts for job in analyst.jobs.values()]

    def _hire(self) -> None:
        """See that there are processes enough."""
        loop = asyncio.get_running_loop()
        while len(self._analysts) < self._processes:
            self._analysts.append(_Analyst(loop, self._deliver, self._lose))

    def warm_up(self, game: Game) -> None:
        """Get ready for a game that somebody may want to analyse, one game after the other."""
        self._hire()
        if key_of(game) in self._prepared or any(job.kind == PREPARE for job in self._jobs):
            return
        self._prepared.add(key_of(game))
        for analyst in self._analysts:
            task = {"game": game.name, "options": game.options}
            analyst.begin(Job(next(self._numbers), None, PREPARE, task))

    @contextmanager
    def begin(self, visitor: str | None, kind: str, task: Task) -> Iterator[Job]:
        """A job that lasts as long as somebody waits for it; it counts as the visitor's."""
        if visitor is not None:
            self._make_way(visitor)
        aside = sum(job.visitor is None for job in self._jobs)
        if self.busy >= self._most or (visitor is None and aside >= MOST_ASIDE):
            raise Busy("everything is being analysed just now; try again in a few seconds")
        job = Job(next(self._numbers), visitor, kind, task)
        self._assign(job)
        try:
            yield job
        finally:
            self._drop(job)

    def _assign(self, job: Job) -> None:
        """Give a job to whoever has least to do."""
        self._hire()
        min(self._analysts, key=lambda analyst: len(analyst.jobs)).begin(job)

    def _make_way(self, visitor: str) -> None:
        mine = [job for job in self._jobs if job.visitor == visitor]
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
        self._metrics.count("skerry_analysis_failures_total")
        log("an analysing process died", level=logging.ERROR)
        self._analysts.remove(analyst)
        self._prepared.clear()
        asyncio.get_running_loop().run_in_executor(None, analyst.close)
        for job in analyst.jobs.values():
            job.tries += 1
            if job.tries > 1:
                job.end(Busy("this position cannot be analysed; try another one"))
            else:
                self._assign(job)

    async def close(self) -> None:
        for analyst in self._analysts:
            analyst.ignore()
            await asyncio.to_thread(analyst.close)
