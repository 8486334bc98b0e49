"""Work in a thread of a process of the pool, so that its job can tell of it meanwhile."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from threading import Event
from typing import Any

PAUSE = 0.005  # seconds between looks at what a thread does


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)


def run_aside(function: Callable[[Event], Any]) -> Generator[None, None, Any]:
    """What a function returns that runs in a thread; it hears of it if nobody waits any more."""
    stop = Event()
    future = _threads().submit(function, stop)
    try:
        while not wait([future], PAUSE).done:
            yield None
        return future.result()
    finally:
        stop.set()
        future.cancel()
