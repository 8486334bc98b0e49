"""Guests and bots in the lobby of a server."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from server.serving import TINY, Game, Host, Somebody
from skerry.server.web.secrets import new_secret

PATIENCE = 30
FIVE = {"kind": "total", "seconds": 300, "increment": 3}
SLOW = {"kind": "days", "days": 3}


@dataclass
class Guest:
    """Somebody with a browser of their own, which keeps one secret for the lobby."""

    server: Host
    name: str = "Guest"
    secret: str = field(default_factory=new_secret)

    @property
    def header(self) -> dict[str, str]:
        return {"X-Seat": self.secret}

    def look(self) -> dict[str, Any]:
        return dict(self.server.client.get("/api/lobby", headers=self.header).json())

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.server.client.post(f"/api/lobby{path}", headers=self.header, json=body)

    def come(self, path: str, **body: Any) -> httpx.Response:
        return self.post(path, name=self.name, secret=self.secret, **body)

    def challenge(self, game: str = "skew", **chosen: Any) -> dict[str, Any]:
        """A challenge on a tiny board."""
        answer = self.come("", **{"game": game, "options": TINY[game], **chosen})
        assert answer.status_code == 201, answer.text
        return dict(answer.json()["challenge"])

    def seek(self, game: str = "skew", clock: dict[str, Any] | None = None) -> dict[str, Any]:
        answer = self.come("/quick", game=game, clock=clock or FIVE)
        assert answer.status_code == 201, answer.text
        return dict(answer.json()["challenge"])

    def join(self, id: str) -> httpx.Response:
        return self.come(f"/{id}/join")

    def leave(self, id: str) -> httpx.Response:
        return self.server.client.delete(f"/api/lobby/{id}", headers=self.header)

    def sit(self, url: str) -> Game:
        """The game that a challenge has led to, as this guest sees it."""
        return Game(self.server, url.removeprefix("/g/"), [self.secret])

    def seats(self, url: str) -> list[int]:
        return list(self.sit(url).look()["yours"])


@dataclass
class Member:
    """Somebody who is signed in, whose browser need not keep anything."""

    who: Somebody

    @property
    def client(self) -> httpx.Client:
        return self.who.client

    @property
    def cookie(self) -> dict[str, str]:
        return self.who.cookie

    def look(self) -> dict[str, Any]:
        return dict(self.client.get("/api/lobby").json())

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.client.post(f"/api/lobby{path}", json=body)


class Looking:
    """A live connection to the lobby."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def hear(self) -> dict[str, Any]:
        return dict(json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE)))

    async def until(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The next message for which something holds."""
        while True:
            message = await self.hear()
            assert message["type"] == "lobby", message
            if wanted(message):
                return message


@asynccontextmanager
async def look_on(
    server: Host, *secrets: str, headers: dict[str, str] | None = None, **hello: Any
) -> AsyncIterator[Looking]:
    address = server.url.replace("http", "ws", 1) + "/api/lobby/live"
    async with connect(address, additional_headers=headers) as socket:
        await socket.send(json.dumps({"type": "hello", "secrets": list(secrets), **hello}))
        yield Looking(socket)
