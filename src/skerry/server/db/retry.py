"""What happens while the database is away: work waits for it, and whoever asks is told."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from skerry.server.web.errors import Away
from skerry.server.web.logs import log

PAUSE = 1.0  # seconds before something that failed is tried again


async def persist(work: Callable[[], Awaitable[None]]) -> None:
    """Do some work, and begin anew whenever it fails."""
    while True:
        try:
            await work()
        except Exception:
            name = getattr(work, "__qualname__", repr(work))
            log("work begins anew", level=logging.ERROR, work=name, exc_info=True)
            await asyncio.sleep(PAUSE)
        else:
            return


def note_absence(error: Exception) -> Away:
    """Log that the database is away; what to tell whoever waits for it."""
    log("the database is away", level=logging.ERROR, reason=str(getattr(error, "orig", error)))
    return Away()
