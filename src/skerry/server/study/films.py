"""Films of studies: drawn by the process pool, and kept for whoever fetches them next."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from skerry.server.study.analyst import make_film
from skerry.server.study.model import Study
from skerry.server.web.lru import Recent
from skerry.server.workers.lanes import FILMS
from skerry.server.workers.pool import Pool, Urgency

KEPT = 16_000_000  # bytes of films


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
        self._kept: Recent[FilmAsked, bytes] = Recent(KEPT, weigh=len)

    async def fetch(self, study: Study, asked: FilmAsked, visitor: str) -> bytes:
        """The film, made if it is not there yet."""
        film = self._kept.get(asked)
        if film is None:
            order = _order(study, asked)
            film = await self._pool.run(FILMS, Urgency.PERSON, *order, visitor=visitor)
            self._kept[asked] = film
        return film

    async def make(
        self, study: Study, asked: FilmAsked, visitor: str
    ) -> AsyncIterator[tuple[int, int]]:
        """See that the film is there: how many of how many pictures are drawn, until it is."""
        if asked in self._kept:
            return
        order = _order(study, asked)
        with self._pool.begin(FILMS, Urgency.PERSON, *order, visitor=visitor) as job:
            async for progress in job:
                yield progress
            self._kept[asked] = await job.answer()


def _order(study: Study, asked: FilmAsked) -> tuple[Any, ...]:
    """The job of the pool that makes a film."""
    return make_film, study.task, asked.theme, f".{asked.ending}", asked.width
