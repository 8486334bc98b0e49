"""Whoever looks at a tournament, and is told when it changes."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from skerry.server.web.sockets import Viewers


@dataclass(eq=False)
class EventViewer:
    """One connection to one tournament."""

    news: asyncio.Event = field(default_factory=asyncio.Event)


class Gallery(Viewers[EventViewer]):
    """All viewers, by the tournament that they look at."""

    @contextmanager
    def enter(self, id: str) -> Iterator[EventViewer]:
        """Look at a tournament for as long as this lasts."""
        viewer = EventViewer()
        viewer.news.set()
        self._viewers[id].add(viewer)
        try:
            yield viewer
        finally:
            self._forget(id, viewer)
