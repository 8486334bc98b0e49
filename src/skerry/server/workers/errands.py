"""Work that a request has done by the process pool, for as long as its visitor waits for it."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request

from skerry.server.web.access import Visitor
from skerry.server.web.errors import Refusal
from skerry.server.web.lru import Recent
from skerry.server.web.parts import Part
from skerry.server.workers.pool import Pool, Urgency

KEPT = 64_000_000  # bytes of answers that somebody may ask for again
Answer = TypeVar("Answer", str, bytes)


class Gone(Refusal):
    """Nobody waits for an answer any more; what this says is read by nobody."""

    status = 499


class Answers:
    """What the pool has answered lately, by what it was asked."""

    def __init__(self) -> None:
        self.kept: Recent[tuple[Any, ...], str | bytes] = Recent(KEPT, weigh=len)


@dataclass
class _Errands:
    """What is done for a request: it counts for its visitor, and is given up if they leave."""

    pool: Part[Pool]
    answers: Part[Answers]
    visitor: Visitor
    request: Request

    async def run(self, lane: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function returns that is called in a process of a lane."""
        job = self.pool.run(lane, Urgency.PERSON, function, *arguments, visitor=self.visitor)
        return await self.stay(job)

    async def fetch(self, lane: str, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """The same for what does not change: asked for again, it is there. Arguments are values."""
        order = (function, *arguments)
        found = self.answers.kept.get(order)
        if found is None:
            found = await self.run(lane, function, *arguments)
            self.answers.kept[order] = found
        return found  # type: ignore[return-value]

    async def stay(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do something unless the visitor leaves meanwhile."""
        doing = asyncio.create_task(work)
        leaving = asyncio.create_task(self._wait_for_end())
        try:
            await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                raise Gone("the visitor has left")
            return doing.result()
        finally:
            doing.cancel()
            leaving.cancel()
            await asyncio.gather(doing, leaving, return_exceptions=True)

    async def _wait_for_end(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass


Errands = Annotated[_Errands, Depends()]
