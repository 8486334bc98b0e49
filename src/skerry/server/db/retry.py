"""Work that never ends: whatever fails, such as a database that is away, it begins again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import DBAPIError

from skerry.server.web.logs import log
from skerry.server.web.refusals import note_absence

PAUSE = 1.0  # seconds before something that failed is tried again


async def keep_reading(
    stale: asyncio.Event, read: Callable[[], Awaitable[None]], pause: float = 0.0
) -> None:
    """Read something again whenever it is stale, which it remains if that fails."""
    while True:
        await stale.wait()
        stale.clear()
        try:
            await read()
        except BaseException:
            stale.set()
            raise
        await asyncio.sleep(pause)


async def persist(work: Callable[[], Awaitable[None]]) -> None:
    """Do some work, and start again whenever it fails."""
    while True:
        try:
            await work()
        except (DBAPIError, ConnectionError) as error:
            note_absence(error)
            await asyncio.sleep(PAUSE)
        except Exception:
            name = getattr(work, "__qualname__", repr(work))
            log("work starts again", level=logging.ERROR, work=name, exc_info=True)
            await asyncio.sleep(PAUSE)
        else:
            return
