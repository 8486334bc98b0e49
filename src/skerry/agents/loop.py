"""One event loop in a thread of its own, for those who are not asynchronous themselves."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from threading import RLock, Thread, current_thread
from typing import Any, TypeVar

Found = TypeVar("Found")


class BackgroundLoop:
    """A loop that runs as long as the process does, from the first time it is needed.

    Programs are started from its thread, so that they can be told to end with this process.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._thread: Thread | None = None
        self._owner = 0  # a process that was forked has no thread of its own yet
        self._loop: asyncio.AbstractEventLoop | None = None
        self._errands: set[asyncio.Task[object]] = set()  # a loop alone would forget them

    def run(self, work: Coroutine[Any, Any, Found]) -> Found:
        """What a coroutine comes to; whoever is interrupted gives it up."""
        future = asyncio.run_coroutine_threadsafe(work, self._find())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def finish(self, begin: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Have something done when an object goes, whichever thread finds out that it is gone."""
        if current_thread() is self._thread:  # which cannot wait for itself
            errand = self._find().create_task(begin())
            self._errands.add(errand)
            errand.add_done_callback(self._errands.discard)
        else:
            self.run(begin())

    def _find(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._owner != os.getpid():
                self._loop, self._owner = asyncio.new_event_loop(), os.getpid()
                run_forever = self._loop.run_forever
                self._thread = Thread(target=run_forever, name="skerry agents", daemon=True)
                self._thread.start()
            return self._loop


BACKGROUND = BackgroundLoop()
run, finish = BACKGROUND.run, BACKGROUND.finish
