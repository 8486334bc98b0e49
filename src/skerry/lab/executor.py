"""Work on all cores: one process per job, each with a pipe of its own.

A process that dies takes only its own task with it, which is tried once more. The processes end
when their parent does, however it ends.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Thread
from typing import Any, Generic, TypeVar

from skerry.core.errors import SkerryError

TRIES = 2
Key = TypeVar("Key")
Answer = TypeVar("Answer")


class WorkerLost(SkerryError):
    """A process died again and again over the same task."""


def count_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # where processes cannot be tied to cores


class _Worker:
    """A process that answers one task after the other."""

    def __init__(self, function: Callable[..., Any]) -> None:
        context = get_context("spawn")  # a fork would copy threads and locks in any state
        self.pipe, far_end = context.Pipe()
        self.process: SpawnProcess = context.Process(
            target=_serve, args=(far_end, function), daemon=True
        )
        with _deaf_to_interrupts():
            self.process.start()
        far_end.close()  # so that the pipe ends here when the process dies

    def stop(self) -> None:
        self.process.terminate()
        self.process.join()
        self.pipe.close()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started meanwhile never hear of Ctrl-C, which is for their parent to act on."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows they hear of it, and say so
        yield
        return
    from multiprocessing import resource_tracker  # not on Windows

    resource_tracker.ensure_running()  # or the first start would begin it, which ends our deafness
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass
class _Task(Generic[Key]):
    key: Key
    arguments: tuple[object, ...]
    tries: int = 0


class Workers(Generic[Key, Answer]):
    """Up to ``jobs`` processes that call ``function``; a context that ends them all.

    ``function`` must be importable by name. ``warn`` is told of a process that died.
    """

    def __init__(
        self, function: Callable[..., Answer], jobs: int, warn: Callable[[str], None]
    ) -> None:
        self._function = function
        self._jobs = jobs
        self._warn = warn
        self._all: list[_Worker] = []  # an interruption may come while one is neither of these
        self._idle: list[_Worker] = []
        self._busy: list[tuple[_Worker, _Task[Key]]] = []

    def __enter__(self) -> "Workers[Key, Answer]":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._all:
            worker.stop()

    @property
    def busy(self) -> int:
        return len(self._busy)

    @property
    def has_room(self) -> bool:
        return self.busy < self._jobs

    def start(self, key: Key, *arguments: object) -> None:
        """Hand a task to a process that has none; its answer comes back with the key."""
        self._start(_Task(key, arguments))

    def _start(self, task: _Task[Key]) -> None:
        worker = self._idle.pop() if self._idle else self._hire()
        try:
            worker.pipe.send(task.arguments)
        except OSError:  # it died while it had nothing to do
            self._dismiss(worker)
            worker = self._hire()
            worker.pipe.send(task.arguments)
        self._busy.append((worker, task))

    def _hire(self) -> _Worker:
        self._all.append(_Worker(self._function))
        return self._all[-1]

    def _dismiss(self, worker: _Worker) -> None:
        worker.stop()
        self._all.remove(worker)

    def wait(self) -> tuple[Key, Answer]:
        """The next task that is done, with its answer; what it raised is raised here."""
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

    def _replace(self, worker: _Worker, task: _Task[Key]) -> None:
        """Try the task of a dead process once more with another."""
        worker.process.join()
        code = worker.process.exitcode
        self._dismiss(worker)
        task.tries += 1
        if task.tries == TRIES:
            raise WorkerLost(
                f"a process died twice over the same game (exit code {code}); what is finished is "
                "kept, and the same command goes on"
            )
        self._warn(f"a process died (exit code {code}); its game is played again")
        self._start(task)


def _serve(pipe: Connection, function: Callable[..., Any]) -> None:
    """What a process does: answer until the pipe ends, which is no error."""
    Thread(target=_follow_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send(_answer(function, pipe.recv()))


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    """What the function returned, or what it raised; and which of the two."""
    try:
        return True, function(*arguments)
    except Exception as error:
        return False, error


def _follow_parent() -> None:
    """End with the parent, even if it was killed in the middle of a long game."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
