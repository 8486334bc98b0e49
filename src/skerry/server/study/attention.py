"""Whom the engine attends to: a visitor has so many analyses at a time, and a new one replaces the
oldest.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from skerry.core.texts import N_
from skerry.server.study.analyst import prepare_game
from skerry.server.web.errors import Stale
from skerry.server.workers.lanes import ANALYSES
from skerry.server.workers.pool import Pool, PoolJob, Urgency
from skerry.server.workers.warm import Key


class Attention:
    """The jobs of visitors; 0 ``per_visitor`` is no limit."""

    def __init__(self, pool: Pool, per_visitor: int) -> None:
        self._pool = pool
        self._most = per_visitor
        self._jobs: dict[PoolJob, str] = {}  # the oldest first

    def warm_up(self, key: Key) -> None:
        """Get ready for a game that somebody may want to analyse."""
        self._pool.prepare(ANALYSES, prepare_game, *key)

    @contextmanager
    def begin(
        self, visitor: str, lane: str, function: Callable[..., Any], *arguments: Any
    ) -> Iterator[PoolJob]:
        """A job for a visitor, for as long as this lasts."""
        mine = [job for job, whose in self._jobs.items() if whose == visitor]
        if self._most and len(mine) >= self._most:
            del self._jobs[mine[0]]
            gone = Stale(N_("the engine is looking at another page of yours now"))
            self._pool.give_up(mine[0], gone)
        with self._pool.begin(lane, Urgency.PERSON, function, *arguments, visitor=visitor) as job:
            self._jobs[job] = visitor
            try:
                yield job
            finally:
                self._jobs.pop(job, None)
