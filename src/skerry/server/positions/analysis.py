"""Analyses over a live connection: what the engine thinks, told while it thinks."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect, WebSocketException
from pydantic import StrictInt, ValidationError
from sqlalchemy.exc import DBAPIError

from skerry.core.errors import SkerryError
from skerry.server.db.retry import note_absence
from skerry.server.host import Host, to_text
from skerry.server.play.routes import Body
from skerry.server.play.socket import POLICY, SENDING_TIME, comes_from_here, read_message, refuse
from skerry.server.positions.routes import Trial
from skerry.server.study.model import Study
from skerry.server.web.access import Id, TheHost, Visitor, check_theme, explain
from skerry.server.web.errors import Refusal

router = APIRouter()


class Wanted(Trial):
    """A position to be analysed; the answers carry its number."""

    n: StrictInt


class WantedReview(Body):
    """A study whose game is to be looked over."""

    n: StrictInt
    study: Id


@router.websocket("/api/analysis")
async def follow_analysis(socket: WebSocket, host: TheHost, visitor: Visitor) -> None:
    """Tell what the engine finds, until the visitor asks for something else or goes away."""
    if not comes_from_here(socket, host):
        raise WebSocketException(POLICY, "pages of other sites may not connect")
    try:
        with host.limits.connect(visitor):
            await socket.accept()
            await _Talk(host, socket, visitor).run()
    except WebSocketDisconnect:
        pass
    except Refusal as error:
        raise refuse(error) from None


class _Talk:
    """One connection: what is being analysed for it, at most one thing at a time."""

    def __init__(self, host: Host, socket: WebSocket, visitor: str) -> None:
        self._host = host
        self._socket = socket
        self._visitor = visitor
        self._task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        try:
            while True:
                await self._hear(await self._socket.receive_text())
        finally:
            await self._stop()

    async def _hear(self, text: str) -> None:
        number: object = None
        try:
            content = read_message(text)
            kind, number = content.pop("type", None), content.get("n")
            self._host.limits.previews.spend(self._visitor)
            if kind == "analyse":
                wanted = Wanted.model_validate(content)
                check_theme(wanted.theme)
                await self._begin(wanted.n, partial(self._tell, "analyse", wanted.model_dump()))
            elif kind == "review":
                asked = WantedReview.model_validate(content)
                await self._begin(asked.n, partial(self._review, asked))
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

    async def _review(self, wanted: WantedReview) -> None:
        study = await self._host.shelf.find(wanted.study)
        last = await self._tell("review", review_task(study) | {"n": wanted.n})
        found = json.loads(last) if last else {}
        if found.get("type") == "review":
            await self._host.shelf.keep_review(wanted.study, found["review"])
            await self._send(to_text("kept", n=wanted.n))

    async def _tell(self, kind: str, task: dict[str, Any]) -> str | bytes:
        """Pass on what is told; the last of it."""
        told: str | bytes = ""
        with self._host.analyses.begin(self._visitor, kind, task) as job:
            async for told in job:
                await self._send(str(told))
        return told

    async def _refuse(self, number: object, error: Exception) -> None:
        status = getattr(error, "status", 422)
        await self._send(to_text("error", n=number, error=explain(error), status=status))

    async def _send(self, text: str) -> None:
        async with asyncio.timeout(SENDING_TIME):
            await self._socket.send_text(text)


def review_task(study: Study) -> dict[str, Any]:
    """What a process needs to know to go through the main line of a study."""
    return {
        "game": study.frame["game"],
        "options": study.frame["options"],
        "start": study.frame.get("position"),
        "seed": study.frame.get("seed"),
        "moves": study.moves,
    }
