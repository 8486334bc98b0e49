"""What live connections (WebSockets) share: who may open one, and how messages are written."""

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

from fastapi import Depends, WebSocket, WebSocketDisconnect

from skerry.server.settings import Settings
from skerry.server.web.access import is_foreign
from skerry.server.web.errors import Forbidden, Refusal
from skerry.server.web.limits import hold
from skerry.server.web.parts import Part

SENDING_TIME = 20.0  # seconds to take a message


async def _check_origin(socket: WebSocket, settings: Part[Settings]) -> None:
    if is_foreign(socket, settings):
        raise Forbidden("pages of other sites may not connect")


# What a route for a live connection depends on: the page is ours, and there are not too many.
ADMITTED = [Depends(_check_origin), hold("sockets")]


async def receive(socket: WebSocket) -> str:
    """What a visitor says next; it is text."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"], message.get("reason"))
    text = message.get("text")
    if text is None:
        raise Refusal("messages are JSON objects as text, not as bytes")
    return str(text)


def read_message(text: str) -> dict[str, Any]:
    """A message from a visitor, which is a JSON object."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise Refusal("messages are JSON objects")
    return content


def write_message(kind: str, **content: Any) -> str:
    """A message to a visitor."""
    return json.dumps({"type": kind, **content}, ensure_ascii=False, separators=(",", ":"))


async def send(socket: WebSocket, text: str) -> None:
    """Send a message; TimeoutError if nobody takes it."""
    async with asyncio.timeout(SENDING_TIME):
        await socket.send_text(text)


async def converse(telling: Coroutine[Any, Any, None], hearing: Coroutine[Any, Any, None]) -> None:
    """Tell and hear at the same time, until either ends: the other ends with it."""
    tasks = [asyncio.create_task(telling), asyncio.create_task(hearing)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
