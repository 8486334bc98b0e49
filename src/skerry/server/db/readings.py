"""Readings for streams, which end when somebody hangs up: at any moment, in the middle of one too.

A response that nobody waits for any more is cancelled again and again until it has ended, so that a
connection could neither finish what it does nor be closed in good order. So what reads the database
for a stream does so in a task of its own, which comes to its end whoever listens.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import Any, TypeVar

T = TypeVar("T")
_going: set[asyncio.Future[Any]] = set()  # the loop itself does not keep them
_END = object()


async def finish(reading: Awaitable[T]) -> T:
    """What a reading finds. It goes on to its end even if nobody wants to know any more."""
    task = asyncio.ensure_future(reading)
    _going.add(task)
    task.add_done_callback(_going.discard)
    return await asyncio.shield(task)


async def finish_each(readings: AsyncIterator[T]) -> AsyncIterator[T]:
    """All that an iterator reads, of which no step is broken off."""
    while (found := await finish(anext(readings, _END))) is not _END:
        yield found  # type: ignore[misc]
