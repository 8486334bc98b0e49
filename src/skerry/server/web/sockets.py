"""What live connections (WebSockets) share: who may open one, and how messages are written."""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Protocol, TypeVar

from fastapi import Depends, WebSocket, WebSocketDisconnect

from skerry.records.strictjson import find_object
from skerry.server.settings import Settings
from skerry.server.web.access import is_foreign
from skerry.server.web.errors import Forbidden, Refusal
from skerry.server.web.limits import Pace, Pay, hold, pacer, spender
from skerry.server.web.parts import Part
from skerry.server.web.refusals import explain, status_of
from skerry.server.web.secrets import MOST_SHOWN, Secrets

GREETING_TIME = 10.0  # seconds to say hello
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
    content = find_object(text)
    if content is None:
        raise Refusal("messages are JSON objects")
    return content


def read_secrets(content: dict[str, Any]) -> Secrets:
    """The secrets that a message shows."""
    secrets = content.get("secrets", [])
    if not isinstance(secrets, list) or not all(isinstance(secret, str) for secret in secrets):
        raise Refusal("secrets must be a list of strings")
    return tuple(secrets[:MOST_SHOWN])


def read_flag(content: dict[str, Any], name: str) -> bool:
    """Whether a message says so; it does not unless it mentions it."""
    found = content.get(name, False)
    if not isinstance(found, bool):
        raise Refusal(f"{name} must be true or false")
    return found


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


@dataclass
class Conversation:
    """A live connection to somebody who looks at what changes."""

    socket: WebSocket
    pay: Annotated[Pay, spender("reads")]
    pace: Annotated[Pace, pacer("told")]
    _sending: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Be connected, until they go, or say or take nothing for too long."""
        await self.socket.accept()
        try:
            yield
        except WebSocketDisconnect:
            pass
        except TimeoutError:
            with suppress(RuntimeError, WebSocketDisconnect):
                await self.socket.close()

    async def hear_hello(self, example: str) -> dict[str, Any]:
        """What they say first: how they want to be told what changes."""
        async with asyncio.timeout(GREETING_TIME):
            content = read_message(await receive(self.socket))
        if content.get("type") != "hello":
            raise Refusal(f"say {example} first")
        return content

    async def say(self, text: str) -> None:
        async with self._sending:
            await send(self.socket, text)

    async def tell(self, kind: str, **content: Any) -> None:
        await self.say(write_message(kind, **content))

    async def hear(self, greet: Callable[[dict[str, Any]], Awaitable[None]], advice: str) -> None:
        """Hear pings, which are signs of life, and further hellos; ``advice`` is about all else."""
        while True:
            try:
                text = await receive(self.socket)
                self.pay(1)
                content = read_message(text)
                if content.get("type") == "hello":
                    await greet(content)
                elif content.get("type") != "ping":
                    raise Refusal(f"a message is a hello or a ping; {advice}")
            except Refusal as error:
                await self.tell("error", error=explain(error), status=status_of(error))


Live = Annotated[Conversation, Depends()]


class Informed(Protocol):
    """One connection; ``news`` is set when there is something to tell."""

    @property
    def news(self) -> asyncio.Event: ...


Onlooking = TypeVar("Onlooking", bound=Informed)


class Viewers(Generic[Onlooking]):
    """All connections, by the id of what they look at."""

    def __init__(self) -> None:
        self._viewers: defaultdict[str, set[Onlooking]] = defaultdict(set)

    def changed(self, id: str) -> None:
        """Everybody who looks at this is sent it again."""
        for viewer in self._viewers.get(id, ()):
            viewer.news.set()

    def everything_changed(self) -> None:
        """Changes may have been missed."""
        for id in list(self._viewers):
            self.changed(id)

    def _forget(self, id: str, viewer: Onlooking) -> None:
        self._viewers[id].discard(viewer)
        if not self._viewers[id]:
            del self._viewers[id]
