"""The process pool: whatever takes long is done in processes of its own, so that no page waits.

Jobs go into *lanes*. Each lane has its own processes, so a move of a live game never waits for an
analysis, nor an analysis for a film; a lane that is full refuses more. Within a lane visitors take
turns (round robin), however many jobs one of them has, and nobody has more than so many. A process
that dies is replaced, and what it was doing is done again, a limited number of times.

A job is a function that can be imported by name. If it is a generator function, its process works
on several such jobs at once, a slice of each in turn: it yields None to let the others go on, or a
report for whoever waits. What it returns is the answer.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from itertools import count
from threading import Thread
from typing import Any

from skerry.core.texts import N_
from skerry.lab.work.process import PipedProcess
from skerry.server.web.errors import Busy, Refusal, TooMany
from skerry.server.web.logs import log
from skerry.server.web.metrics import Metrics
from skerry.server.workers.rota import CANCEL, DONE, FAILED, NEWS, REFUSED, Message, work

FAILURE = N_("something went wrong with this; try another position")
CLOSING = N_("the server is about to stop; try again in a moment")
ENOUGH = N_("enough is being worked on for your address; wait until some of it is done")


class Urgency(IntEnum):
    """Who waits for a job. Within a lane, the more urgent job begins first."""

    GAME = 0
    PERSON = 1
    NOBODY = 2


@dataclass(frozen=True)
class Lane:
    """A kind of work with processes of its own."""

    name: str
    processes: int
    most: int  # jobs, running or waiting; others are refused
    each: int | None = None  # the same for one visitor
    abreast: int = 1  # jobs that one process works on at a time
    niceness: int = 0
    patience: float | None = None  # seconds for a job given up to end, or its process is ended
    deaths: int = 2  # processes that may die over one job before it is given up
    full: str = N_("too much is being worked on just now; try again in a few seconds")
    lost: str = N_("this could not be worked out; try something else")


class PoolJob:
    """Something that is done for somebody; a newer report takes the place of an older one."""

    def __init__(
        self,
        number: int,
        lane: str,
        urgency: Urgency,
        function: Callable[..., Any],
        *arguments: Any,
        visitor: str | None = None,
    ) -> None:
        self.number = number
        self.lane = lane
        self.urgency = urgency
        self.visitor = visitor
        self.order = (function, arguments)
        self.deaths = 0
        self._news = asyncio.Event()
        self._report: Any = None
        self._answer: Any = None
        self._error: Exception | None = None
        self._ended = False

    def report(self, content: Any) -> None:
        self._report = content
        self._news.set()

    def end(self, answer: Any = None, error: Exception | None = None) -> None:
        self._ended = True
        self._answer = answer
        self._error = error
        self._news.set()

    def __aiter__(self) -> "PoolJob":
        return self

    async def __anext__(self) -> Any:
        """The next report, until the job is done."""
        await self._news.wait()
        report, self._report = self._report, None
        if report is not None:
            if not self._ended:
                self._news.clear()
            return report
        if self._error is not None:
            raise self._error
        raise StopAsyncIteration

    async def answer(self) -> Any:
        """What the job comes to; a Refusal says why it comes to nothing."""
        async for _ in self:
            pass
        return self._answer


class _Worker:
    """A process, and the jobs that it works on."""

    def __init__(
        self,
        lane: Lane,
        deliver: "Callable[[_Worker, Message], None]",
        lose: "Callable[[_Worker], None]",
    ) -> None:
        self.jobs: dict[int, PoolJob] = {}
        self.leaving: set[int] = set()  # jobs given up that the process has not put down yet
        self.prepared: set[Any] = set()
        self.dismissed = False  # ended by us
        self._loop = asyncio.get_running_loop()
        self._deliver = deliver
        self._lose = lose
        self._process = PipedProcess(work, niceness=lane.niceness)
        # A pipe may be full while its process works, and the server is not to wait for it.
        self._sender = ThreadPoolExecutor(1, thread_name_prefix=f"{lane.name} sender")
        self._listener = Thread(target=self._listen, name=f"{lane.name} listener", daemon=True)
        self._listener.start()

    @property
    def load(self) -> int:
        return len(self.jobs) + len(self.leaving)

    def begin(self, job: PoolJob) -> None:
        self.jobs[job.number] = job
        self._send((job.number, *job.order))

    def cancel(self, job: PoolJob) -> bool:
        """Give up a job; whether it was here."""
        if self.jobs.pop(job.number, None) is None:
            return False
        self.leaving.add(job.number)
        self._send((job.number, CANCEL, ()))
        return True

    def dismiss(self) -> None:
        """End the process while it works; whoever listens will notice."""
        self.dismissed = True
        self._process.process.terminate()

    def _send(self, message: Any) -> None:
        # If the process has died, whoever listens to it will say so.
        self._sender.submit(self._process.pipe.send, message)

    def _listen(self) -> None:
        """Pass on what the process says, until it ends."""
        with suppress(RuntimeError):  # the loop has ended, and nobody wants to know any more
            try:
                while True:
                    message = self._process.pipe.recv()
                    self._loop.call_soon_threadsafe(self._deliver, self, message)
            except (EOFError, OSError):
                self._loop.call_soon_threadsafe(self._lose, self)

    def stop(self) -> None:
        """End the process; this may take a moment."""
        self._process.process.terminate()
        self._listener.join()
        self._sender.shutdown(cancel_futures=True)
        self._process.stop()


class _Staff:
    """The processes of a lane; the first are started when there is work for them."""

    def __init__(self, lane: Lane, metrics: Metrics) -> None:
        self._lane = lane
        self._workers: list[_Worker] = []
        self._waiting: list[PoolJob] = []
        self._served: dict[str | None, int] = {}  # visitors with jobs, and when one last began
        self._begun = count(1)
        self._gauge = metrics.jobs.labels(lane=lane.name)
        self._failures = metrics.worker_failures.labels(lane=lane.name)
        self._closed = False

    @property
    def jobs(self) -> list[PoolJob]:
        return [*self._waiting, *(job for worker in self._workers for job in worker.jobs.values())]

    def add(self, job: PoolJob) -> None:
        jobs, each = self.jobs, self._lane.each
        ahead = sum(other.urgency <= job.urgency for other in jobs)
        if self._closed or ahead >= self._lane.most:
            raise Busy(self._lane.full)
        mine = sum(other.visitor == job.visitor for other in jobs)
        if each is not None and job.visitor is not None and mine >= each:
            raise TooMany(ENOUGH)
        self._waiting.append(job)
        self._assign()

    def drop(self, job: PoolJob) -> None:
        """Give up a job, whether it has begun or not."""
        if job in self._waiting:
            self._waiting.remove(job)
        for worker in self._workers:
            if worker.cancel(job) and self._lane.patience is not None:
                loop = asyncio.get_running_loop()
                loop.call_later(self._lane.patience, self._dismiss, worker, job.number)
        self._assign()

    def _dismiss(self, worker: _Worker, number: int) -> None:
        """End a process that goes on with what nobody wants any more."""
        if number in worker.leaving and worker in self._workers:
            worker.dismiss()

    def prepare(self, make: Callable[[], PoolJob]) -> None:
        """Begin a job in every process that has not had it, and prepares nothing else."""
        self._hire()
        for worker in self._workers:
            is_busy = any(job.urgency == Urgency.NOBODY for job in worker.jobs.values())
            job = make()
            if not (is_busy or self._closed or job.order in worker.prepared):
                worker.prepared.add(job.order)
                worker.begin(job)
        self._count()

    def _hire(self) -> None:
        """See that there are processes enough."""
        while len(self._workers) < self._lane.processes and not self._closed:
            self._workers.append(_Worker(self._lane, self._deliver, self._lose))

    def _count(self) -> None:
        self._gauge.set(len(self.jobs))

    def _assign(self) -> None:
        """Give the most urgent jobs to the processes that have least to do."""
        while self._waiting and not self._closed:
            self._hire()
            worker = min(self._workers, key=lambda worker: worker.load)
            if worker.load >= self._lane.abreast:
                break
            job = min(self._waiting, key=self._rank)
            self._waiting.remove(job)
            self._served[job.visitor] = next(self._begun)
            worker.begin(job)
        present = {job.visitor for job in self.jobs}
        self._served = {who: at for who, at in self._served.items() if who in present}
        self._count()

    def _rank(self, job: PoolJob) -> tuple[int, int, int]:
        """What begins first: the most urgent, of whoever has waited longest for a turn."""
        return job.urgency, self._served.get(job.visitor, 0), job.number

    def _deliver(self, worker: _Worker, message: Message) -> None:
        number, kind, content = message
        if kind == FAILED:
            log("a job failed", level=logging.ERROR, lane=self._lane.name, traceback=content)
        job = worker.jobs.get(number)
        if kind == NEWS:
            if job is not None:  # otherwise it was given up meanwhile
                job.report(content)
            return
        worker.jobs.pop(number, None)
        worker.leaving.discard(number)
        if job is not None and kind == DONE:
            job.end(content)
        elif job is not None:
            job.end(error=Refusal(content if kind == REFUSED else FAILURE))
        self._assign()

    def _lose(self, worker: _Worker) -> None:
        """A process has died: another one takes over what it did."""
        if self._closed:
            return
        if not worker.dismissed:
            self._failures.inc()
            log("a process of the pool died", level=logging.ERROR, lane=self._lane.name)
        self._workers.remove(worker)
        asyncio.get_running_loop().run_in_executor(None, worker.stop)
        for job in worker.jobs.values():
            job.deaths += 1
            if job.deaths < self._lane.deaths:
                self._waiting.append(job)
            else:
                job.end(error=Busy(self._lane.lost))
        self._assign()

    async def close(self) -> None:
        """End the processes; what they were doing is for somebody else to do."""
        self._closed = True
        for job in self.jobs:
            job.end(error=Busy(CLOSING))
        self._waiting.clear()
        for worker in self._workers:
            worker.jobs.clear()
        await asyncio.gather(*(asyncio.to_thread(worker.stop) for worker in self._workers))


class Pool:
    """All processes that work for the server, by lanes."""

    def __init__(self, lanes: Sequence[Lane], metrics: Metrics) -> None:
        self._staffs = {lane.name: _Staff(lane, metrics) for lane in lanes}
        self._numbers = count(1)

    @contextmanager
    def begin(
        self,
        lane: str,
        urgency: Urgency,
        function: Callable[..., Any],
        *arguments: Any,
        visitor: str | None = None,
    ) -> Iterator[PoolJob]:
        """A job that lasts as long as somebody waits for it; Busy if its lane is full."""
        job = PoolJob(next(self._numbers), lane, urgency, function, *arguments, visitor=visitor)
        self._staffs[lane].add(job)
        try:
            yield job
        finally:
            self._staffs[lane].drop(job)

    def give_up(self, job: PoolJob, why: Refusal) -> None:
        """End a job before its time; whoever waits for it is told why."""
        self._staffs[job.lane].drop(job)
        job.end(error=why)

    async def run(
        self,
        lane: str,
        urgency: Urgency,
        function: Callable[..., Any],
        *arguments: Any,
        visitor: str | None = None,
    ) -> Any:
        """What a function returns; a Refusal says why it does not."""
        with self.begin(lane, urgency, function, *arguments, visitor=visitor) as job:
            return await job.answer()

    def prepare(self, lane: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Call a function once in every process of a lane, such as one that loads kernels.

        It is left out where another preparation is still going on: nobody needs it yet.
        """
        self._staffs[lane].prepare(
            lambda: PoolJob(next(self._numbers), lane, Urgency.NOBODY, function, *arguments)
        )

    async def close(self) -> None:
        await asyncio.gather(*(staff.close() for staff in self._staffs.values()))
