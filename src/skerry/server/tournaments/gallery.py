"""Whoever looks at a tournament, and is told when it changes."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(eq=False)
class EventViewer:
    """One connection to one tournament."""

    news: asyncio.Event = field(default_factory=asyncio.Event)


class Gallery:
    """All viewers, by the tournament that they look at."""

    def __init__(self) -> None:
        self._viewers: defaultdict[str, set[EventViewer]] = defaultdict(set)

    def changed(self, id: str) -> None:
        for viewer in self._viewers.get(id, ()):
            viewer.news.set()

    def everything_changed(self) -> None:
        """Changes may have been missed."""
        for id in list(self._viewers):
            self.changed(id)

    @contextmanager
    def enter(self, id: str) -> Iterator[EventViewer]:
        """Look at a tournament for as long as this lasts."""
        viewer = EventViewer()
        viewer.news.set()
        self._viewers[id].add(viewer)
        try:
            yield viewer
        finally:
            self._viewers[id].discard(viewer)
            if not self._viewers[id]:
                del self._viewers[id]
