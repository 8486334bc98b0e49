"""Analyses over a live connection: what the engine thinks, told while it thinks."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import StrictInt, ValidationError
from sqlalchemy.exc import DBAPIError

from skerry.core.errors import SkerryError
from skerry.server.languages.documents import translate_document
from skerry.server.study.analyst import analyse_position, review_game
from skerry.server.study.attention import Attention
from skerry.server.study.shelf import Shelf
from skerry.server.web.access import Id, Visitor, check_theme
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import Pay, price_of, spender
from skerry.server.web.parts import Part
from skerry.server.web.refusals import explain, note_absence, status_of
from skerry.server.web.requests import Body, Trial
from skerry.server.web.sockets import ADMITTED, read_message, receive, send, write_message
from skerry.server.workers.lanes import ANALYSES, REVIEWS

router = APIRouter()


class AnalysisAsked(Trial):
    """A position to be analysed; the answers carry its number."""

    n: StrictInt


class ReviewAsked(Body):
    """A study whose game is to be reviewed."""

    n: StrictInt
    study: Id


@router.websocket("/api/analysis", dependencies=ADMITTED)
async def follow_analysis(
    socket: WebSocket,
    attention: Part[Attention],
    shelf: Part[Shelf],
    visitor: Visitor,
    pay: Annotated[Pay, spender("previews")],
) -> None:
    """Tell what the engine finds, until the visitor asks for something else or goes away."""
    await socket.accept()
    with suppress(WebSocketDisconnect):
        await _Consultation(socket, attention, shelf, visitor, pay).run()


@dataclass
class _Consultation:
    """One connection: what is being analysed for it, at most one thing at a time."""

    socket: WebSocket
    attention: Attention
    shelf: Shelf
    visitor: str
    pay: Pay
    _task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        try:
            while True:
                await self._hear()
        finally:
            await self._stop()

    async def _hear(self) -> None:
        number: object = None
        try:
            content = read_message(await receive(self.socket))
            kind, number = content.pop("type", None), content.get("n")
            self.pay(1)
            if kind == "analyse":
                asked = AnalysisAsked.model_validate(content)
                self.pay(price_of(len(asked.moves)))
                check_theme(asked.theme)
                await self._begin(asked.n, partial(self._analyse, asked))
            elif kind == "review":
                wanted = ReviewAsked.model_validate(content)
                await self._begin(wanted.n, partial(self._review, wanted))
            elif kind == "stop":
                await self._stop()
            else:
                raise Refusal("a message is analyse, review or stop")
        except (SkerryError, ValidationError) as error:
            await self._refuse(number, error)

    async def _begin(self, number: int, work: Callable[[], Awaitable[object]]) -> None:
        await self._stop()
        self._task = asyncio.create_task(self._finish(number, work))

    async def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _finish(self, number: int, work: Callable[[], Awaitable[object]]) -> None:
        """Do what was asked for; what keeps us from it is said."""
        # Where they take nothing, or have gone, whoever listens will notice.
        with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
            try:
                await work()
            except (SkerryError, ValidationError) as error:
                await self._refuse(number, error)
            except (DBAPIError, ConnectionError) as error:
                await self._refuse(number, note_absence(error))

    async def _analyse(self, asked: AnalysisAsked) -> None:
        await self._tell(asked.n, ANALYSES, analyse_position, asked.model_dump())

    async def _review(self, asked: ReviewAsked) -> None:
        study = await self.shelf.find(asked.study)
        last = await self._tell(asked.n, REVIEWS, review_game, study.task)
        if last is not None and last["type"] == "review":
            await self.shelf.keep_review(asked.study, last["review"])
            await self._send("kept", n=asked.n)

    async def _tell(
        self, number: int, lane: str, function: Callable[..., Any], task: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Pass on what is reported; the last report."""
        report: dict[str, Any] | None = None
        with self.attention.begin(self.visitor, lane, function, task) as job:
            async for report in job:
                content = {key: said for key, said in report.items() if key != "type"}
                await self._send(report["type"], n=number, **translate_document(content))
        return report

    async def _refuse(self, number: object, error: Exception) -> None:
        await self._send("error", n=number, error=explain(error), status=status_of(error))

    async def _send(self, kind: str, **content: Any) -> None:
        await send(self.socket, write_message(kind, **content))
