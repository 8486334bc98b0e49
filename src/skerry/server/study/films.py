"""Films of studies: drawn by the process pool, and kept for whoever fetches them next."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from skerry.server.study.analyst import make_film
from skerry.server.study.model import Study
from skerry.server.web.lru import Recent
from skerry.server.workers.lanes import CHORES
from skerry.server.workers.pool import Pool, Urgency

KEPT = 16  # films of some hundred kB


@dataclass(frozen=True)
class FilmAsked:
    """Which film: of a study at a version, and how it is to look."""

    id: str
    version: int
    theme: str
    ending: str
    width: int


class Films:
    """Films that were made lately."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._kept: Recent[FilmAsked, bytes] = Recent(KEPT)

    async def fetch(self, study: Study, asked: FilmAsked) -> bytes:
        """The film, made if it is not there yet."""
        film = self._kept.get(asked)
        if film is None:
            film = await self._pool.run(CHORES, Urgency.PERSON, *_order(study, asked))
            self._kept[asked] = film
        return film

    async def make(self, study: Study, asked: FilmAsked) -> AsyncIterator[tuple[int, int]]:
        """See that the film is there: how many of how many pictures are drawn, until it is."""
        if asked in self._kept:
            return
        with self._pool.begin(CHORES, Urgency.PERSON, *_order(study, asked)) as job:
            async for progress in job:
                yield progress
            self._kept[asked] = await job.answer()


def _order(study: Study, asked: FilmAsked) -> tuple[Any, ...]:
    """The job of the pool that makes a film."""
    return make_film, study.task, asked.theme, f".{asked.ending}", asked.width
