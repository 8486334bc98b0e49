"""A process at the other end of a pipe, as the laboratory and the web app both need it.

It never hears of Ctrl-C, which is for its parent to act on, and it ends when its parent does,
however that ends.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Thread


class PipedProcess:
    """A process that calls ``target(pipe, *arguments)``; ours is the other end of that pipe.

    ``target`` must be importable by name, and is done when the pipe ends, which is no error.
    """

    def __init__(self, target: Callable[..., None], *arguments: object, niceness: int = 0) -> None:
        context = get_context("spawn")  # a fork would copy threads and locks in any state
        self.pipe, far_end = context.Pipe()
        self.process: SpawnProcess = context.Process(
            target=_begin, args=(target, far_end, niceness, arguments), daemon=True
        )
        with _deaf_to_interrupts():
            self.process.start()
        far_end.close()  # so that the pipe ends here when the process dies

    def stop(self) -> None:
        """End the process, whatever it is doing; this may take a moment."""
        self.process.terminate()
        self.process.join()
        self.pipe.close()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started meanwhile never hear of Ctrl-C."""
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


def _begin(
    target: Callable[..., None], pipe: Connection, niceness: int, arguments: tuple[object, ...]
) -> None:
    """What happens first in the process."""
    follow_parent()
    if niceness and hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    with suppress(EOFError, OSError):
        target(pipe, *arguments)


def follow_parent() -> None:
    """End with the parent of this process, even if that is killed in the middle of something."""

    def follow() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=follow, daemon=True).start()
