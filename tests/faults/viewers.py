"""Viewers: they look on over live connections, and come back whenever these are lost."""

import asyncio
import json
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from faults.history import History, Place, Sight

PAUSE = 0.2  # seconds before somebody comes back


def see(told: dict[str, Any]) -> Sight:
    """What a document of a game, or of a study, shows."""
    if "line" in told:
        return Sight(told["version"], tuple(told["line"].get("comments", ())))
    return Sight(
        told["version"],
        tuple(move["text"] for move in told["moves"]),
        told["outcome"] is not None,
        tuple(line["text"] for line in told["chat"]),
    )


class Viewer:
    """Somebody who looks at a game from one of its seats."""

    def __init__(self, url: str, place: Place, history: History) -> None:
        self._address = url.replace("http", "ws", 1) + f"{place.path}/live"
        self.place = place
        name = f"{place.id} viewer"
        self._heard: list[tuple[str, Sight]] = []
        history.heard[name] = self._heard
        self._task = asyncio.create_task(self._look_on())

    @property
    def last(self) -> Sight:
        return self._heard[-1][1] if self._heard else Sight(-1)

    async def _look_on(self) -> None:
        while True:
            with suppress(OSError, TimeoutError, WebSocketException):
                await self._connect()
            await asyncio.sleep(PAUSE)

    async def _connect(self) -> None:
        async with connect(self._address, max_size=None, compression=None) as live:
            secrets = list(filter(None, self.place.secrets))
            await live.send(json.dumps({"type": "hello", "secrets": secrets}))
            async for message in live:
                content = json.loads(message)
                if content["type"] == "game":
                    self._heard.append((self.place.id, see(content["game"])))

    async def close(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
