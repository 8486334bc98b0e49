"""What a process of the pool does: its jobs, a slice of each in turn.

``(number, function, arguments)`` begins a job and ``(number, CANCEL, ())`` ends it. What a job has
to say is sent as ``(number, NEWS, report)``. Its end is sent once, however it comes about, as
``(number, DONE, answer)``, ``(number, REFUSED, why)`` or ``(number, FAILED, traceback)``.
"""

from collections.abc import Callable, Generator
from multiprocessing.connection import Connection
from traceback import format_exc
from typing import Any

from skerry.core.errors import SkerryError

CANCEL = None
NEWS, DONE, REFUSED, FAILED = "news", "done", "refused", "failed"
Message = tuple[int, str, Any]


def work(pipe: Connection) -> None:
    """Do what is asked for over a pipe, until it ends."""
    rota = _Rota(pipe)
    while True:
        rota.take_turns()


class _Rota:
    """The jobs of this process, by their numbers."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._jobs: dict[int, Generator[Any, None, Any]] = {}

    def take_turns(self) -> None:
        """A slice for every job; without any, wait for one."""
        self._hear(None if not self._jobs else 0)
        for number in list(self._jobs):
            self._hear(0)
            if number in self._jobs:
                self._go_on(number)

    def _hear(self, patience: float | None) -> None:
        while self._pipe.poll(patience):
            number, function, arguments = self._pipe.recv()
            if function is not CANCEL:
                self._jobs[number] = _run(function, arguments)
                self._go_on(number)  # whoever is new has to wait for nobody else
            elif number in self._jobs:
                self._jobs.pop(number).close()
                self._pipe.send((number, DONE, None))
            patience = 0

    def _go_on(self, number: int) -> None:
        """Let a job have its slice."""
        try:
            report = next(self._jobs[number])
        except StopIteration as end:
            ending = DONE, end.value
        except SkerryError as error:
            ending = REFUSED, str(error)
        except Exception:  # nobody else's job is to suffer from it
            ending = FAILED, format_exc()
        else:
            if report is not None:
                self._pipe.send((number, NEWS, report))
            return
        del self._jobs[number]
        self._pipe.send((number, *ending))


def _run(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Generator[Any, None, Any]:
    """Any function as a generator: one that is none is done in a single slice."""
    made = function(*arguments)
    if isinstance(made, Generator):
        made = yield from made
    return made
