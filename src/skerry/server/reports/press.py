"""Pages of reports and their pictures: made by the process pool, and kept while there is room."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any

from skerry.server.reports.drawing import THEMES, Files, print_covers, print_list, rehearse
from skerry.server.web.errors import Refusal
from skerry.server.web.logs import log
from skerry.server.web.lru import Recent
from skerry.server.workers.lanes import PICTURES
from skerry.server.workers.pool import Pool, Urgency

ROOM = 24_000_000  # bytes
Order = tuple[Any, ...]  # a job of the pool, and what it is about


def weigh(files: Files) -> int:
    return sum(map(len, files.values()))


class Press:
    """Files that were asked for lately. Whoever asks for what is being made waits for the same."""

    def __init__(self, pool: Pool, room: int = ROOM) -> None:
        self._pool = pool
        self._kept: Recent[Order, Files] = Recent(room, weigh)
        self._awaited: dict[Order, asyncio.Task[Files]] = {}

    async def get_ready(self, names: Iterable[str]) -> None:
        """Print the list of all reports ahead, then the boards beside it.

        While they are new these take seconds, so that is done report by report, and nobody's
        picture waits for all of them.
        """
        try:
            await self.fetch(print_list)
            for name in names:
                await self._pool.run(PICTURES, Urgency.NOBODY, rehearse, name)
            for theme in THEMES:
                await self.fetch(print_covers, theme)
        except Refusal as error:  # whoever asks first will wait a little
            log("reports could not be made ready", level=logging.WARNING, reason=str(error))

    async def fetch(self, job: Callable[..., Files], *about: Any) -> Files:
        """The files that a job makes; a Refusal says why there are none."""
        order = (job, *about)
        found = self._kept.get(order)
        if found is not None:
            return found
        task = self._awaited.get(order)
        if task is None:
            task = self._awaited[order] = asyncio.create_task(self._make(order))
            task.add_done_callback(lambda done: self._put_down(order, done))
        return await asyncio.shield(task)  # others may wait for it when this request is given up

    async def _make(self, order: Order) -> Files:
        files: Files = await self._pool.run(PICTURES, Urgency.PERSON, *order)
        self._kept[order] = files
        return files

    def _put_down(self, order: Order, done: "asyncio.Task[Files]") -> None:
        del self._awaited[order]
        if not done.cancelled():
            done.exception()  # told to whoever waits, if anybody still does
