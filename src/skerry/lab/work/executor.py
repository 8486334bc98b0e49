"""Work on all cores: one process per job, each with a pipe of its own.

A process that dies takes only its own task with it, which is tried once more, with agents in
processes of their own, since one of them may have done it. The processes end when their parent
does, however it ends.

``Site`` is where work is done. The cores of this machine are one (``Cores``), a cluster is another
(``lab.work.cluster``); whoever has work to do takes either and cannot tell them apart.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Protocol, Self, TypeVar

from skerry.agents.apart import apart
from skerry.core.errors import SkerryError
from skerry.lab.work.process import PipedProcess

TRIES = 2
KEPT = "what is finished is kept, and the same command goes on"
Key = TypeVar("Key")
Answer = TypeVar("Answer")
Warn = Callable[[str], None]


class WorkerLost(SkerryError):
    """A process died again and again over the same task."""


def count_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # where processes cannot be tied to cores


@dataclass(eq=False)
class Task(Generic[Key]):
    """What a worker is asked, and how many have died over it."""

    key: Key
    arguments: tuple[object, ...]
    tries: int = 0

    def fail(self, how: str, most: int, warn: Warn) -> None:
        """One more worker died over this; WorkerLost if that is as many as may."""
        self.tries += 1
        if self.tries == most:
            often = "twice" if most == 2 else f"{most} times"
            raise WorkerLost(f"a process died {often} over the same task ({how}); {KEPT}")
        warn(f"a process died ({how}); its task is tried again")


class Crew(ABC, Generic[Key, Answer]):
    """Workers that all call the same function; a context that sends them away.

    ``_most`` is how many tasks may be under way, and ``_warn`` is told of a process that died.
    """

    _most: int
    _warn: Warn

    def __enter__(self) -> Self:
        return self

    @abstractmethod
    def __exit__(self, *_: object) -> None: ...

    @property
    @abstractmethod
    def busy(self) -> int:
        """How many tasks are under way."""

    @property
    def has_room(self) -> bool:
        """Whether another task should be started now."""
        return self.busy < self._most

    def start(self, key: Key, *arguments: object) -> None:
        """Hand out a task; its answer comes back with the key."""
        self._start(Task(key, arguments))

    @abstractmethod
    def _start(self, task: Task[Key]) -> None: ...

    @abstractmethod
    def wait(self) -> tuple[Key, Answer]:
        """The next task that is done, with its answer; what it raised is raised here."""


class Site(Protocol):
    """Where work is done."""

    def hire(self, function: Callable[..., Answer], warn: Warn) -> Crew[Any, Answer]:
        """Workers for a function that can be imported by name; ``warn`` hears of those who die."""

    def prepare(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function once on every machine, such as one that has kernels compiled."""


@dataclass(frozen=True)
class Cores:
    """The cores of this machine: so many processes at a time."""

    jobs: int

    def hire(self, function: Callable[..., Answer], warn: Warn) -> "Workers[Any, Answer]":
        return Workers(function, self.jobs, warn)

    def prepare(self, function: Callable[..., object], *arguments: object) -> None:
        function(*arguments)


class Oneself:
    """A site where this process does the work: one that was started for that."""

    def hire(self, function: Callable[..., Answer], warn: Warn) -> "OwnHands[Any, Answer]":
        return OwnHands(function)

    def prepare(self, function: Callable[..., object], *arguments: object) -> None:
        function(*arguments)


class OwnHands(Crew[Key, Answer]):
    """One task at a time, done as it is handed out."""

    _most = 1

    def __init__(self, function: Callable[..., Answer]) -> None:
        self._function = function
        self._done: list[tuple[Key, Answer]] = []

    def __exit__(self, *_: object) -> None:
        self._done.clear()

    @property
    def busy(self) -> int:
        return len(self._done)

    def _start(self, task: Task[Key]) -> None:
        self._done.append((task.key, self._function(*task.arguments)))

    def wait(self) -> tuple[Key, Answer]:
        return self._done.pop()


class Workers(Crew[Key, Answer]):
    """Up to ``jobs`` processes that call ``function``; a context that ends them all.

    ``function`` must be importable by name. ``warn`` is told of a process that died.
    """

    def __init__(self, function: Callable[..., Answer], jobs: int, warn: Warn) -> None:
        self._function = function
        self._most = jobs
        self._warn = warn
        self._all: list[PipedProcess] = []  # an interruption may come while one is neither of these
        self._idle: list[PipedProcess] = []
        self._busy: list[tuple[PipedProcess, Task[Key]]] = []

    def __exit__(self, *_: object) -> None:
        for worker in self._all:
            worker.stop()

    @property
    def busy(self) -> int:
        return len(self._busy)

    def _start(self, task: Task[Key]) -> None:
        worker = self._idle.pop() if self._idle else self._hire()
        try:
            worker.pipe.send((task.arguments, task.tries > 0))
        except OSError:  # it died while it had nothing to do
            self._dismiss(worker)
            worker = self._hire()
            worker.pipe.send((task.arguments, task.tries > 0))
        self._busy.append((worker, task))

    def _hire(self) -> PipedProcess:
        self._all.append(PipedProcess(_serve, self._function))
        return self._all[-1]

    def _dismiss(self, worker: PipedProcess) -> None:
        worker.stop()
        self._all.remove(worker)

    def wait(self) -> tuple[Key, Answer]:
        while True:
            ready = wait([worker.pipe for worker, _ in self._busy])
            worker, task = next(entry for entry in self._busy if entry[0].pipe in ready)
            self._busy.remove((worker, task))
            try:
                good, answer = worker.pipe.recv()
            except (EOFError, OSError):
                self._replace(worker, task)
                continue
            self._idle.append(worker)
            if not good:
                raise answer
            return task.key, answer

    def _replace(self, worker: PipedProcess, task: Task[Key]) -> None:
        """Try the task of a dead process once more with another."""
        worker.process.join()
        code = worker.process.exitcode
        self._dismiss(worker)
        task.fail(f"exit code {code}", TRIES, self._warn)
        self._start(task)


def _serve(pipe: Connection, function: Callable[..., Any]) -> None:
    """What a process does: answer until the pipe ends."""
    while True:
        pipe.send(answer(function, *pipe.recv()))


def answer(
    function: Callable[..., Any], arguments: tuple[Any, ...], wary: bool = False
) -> tuple[bool, Any]:
    """What the function returned, or what it raised; and which of the two.

    Whoever is ``wary`` keeps agents apart.
    """
    try:
        with apart(wary):
            return True, function(*arguments)
    except Exception as error:
        return False, error
