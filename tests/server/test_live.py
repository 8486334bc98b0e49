"""Live connections: everybody sees every change, and comes back after a break."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.serving import Game, Server, logged

PATIENCE = 30


class Watcher:
    """One live connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, **content: Any) -> None:
        await self.socket.send(json.dumps(content))

    async def hear(self) -> dict[str, Any]:
        return dict(json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE)))

    async def until(self, wanted: Any) -> dict[str, Any]:
        """The next document for which something holds."""
        while True:
            message = await self.hear()
            if message["type"] == "game" and wanted(message["game"]):
                return dict(message["game"])


@asynccontextmanager
async def watch(game: Game, *seats: int, **hello: Any) -> AsyncIterator[Watcher]:
    address = game.server.url.replace("http", "ws", 1) + game.path + "/live"
    async with connect(address) as socket:
        watcher = Watcher(socket)
        secrets = [game.secrets[seat] for seat in seats]
        await watcher.send(type="hello", secrets=secrets, **hello)
        yield watcher


def test_moves_reach_everybody(server: Server) -> None:
    game = server.make_for_persons()

    async def talk() -> None:
        async with watch(game, 0) as first, watch(game, 1) as second, watch(game) as third:
            seen = await first.until(lambda g: all(s["online"] for s in g["seats"]))
            assert seen["yours"] == [0]
            move = seen["legal"][0]["move"]
            await asyncio.to_thread(game.play, move)
            for watcher, yours in ((first, [0]), (second, [1]), (third, [])):
                after = await watcher.until(lambda g: g["version"] == 1)
                assert after["moves"][0]["text"] == move
                assert after["yours"] == yours
            await third.send(type="hello", secrets=[game.secrets[0]], theme="dark")
            dark = await third.until(lambda g: g["yours"] == [0])
            assert dark["svg"] != after["svg"]

    asyncio.run(talk())


def test_there_is_one_door_for_moves(server: Server) -> None:
    """Moves are made with POST; whoever sends one over a live connection is told so."""
    game = server.make_for_persons()

    async def talk() -> None:
        async with watch(game, 0) as first:
            seen = await first.until(lambda g: g["seats"][0]["online"])
            move = seen["legal"][0]["move"]
            await first.send(type="ping")
            for content in ({"type": "move", "version": 0, "move": move}, {"type": "dance"}, {}):
                await first.send(**content)
                said = await first.hear()
                assert (said["type"], said["status"]) == ("error", 422)
                assert "POST" in said["error"]

    asyncio.run(talk())
    assert game.look()["ply"] == 0


def test_presence_and_coming_back(server: Server) -> None:
    game = server.make_for_persons()

    async def talk() -> None:
        async with watch(game, 0, theme="dark") as first:
            await first.until(lambda g: not g["seats"][1]["online"])
            async with watch(game, 1):
                await first.until(lambda g: g["seats"][1]["online"])
            await first.until(lambda g: not g["seats"][1]["online"])
            # While the second was away the first has moved; on return it is all there.
            await asyncio.to_thread(game.play)
            await first.until(lambda g: g["ply"] == 1)
            async with watch(game, 1) as second:
                again = await second.until(lambda g: True)
                assert again["ply"] == 1
                assert again["yours"] == [1]

    asyncio.run(talk())


def test_chat_claims_and_revocations_are_news(server: Server) -> None:
    game = server.make_for_persons()

    async def talk() -> None:
        async with watch(game, 1) as watcher:
            await watcher.until(lambda g: g["yours"] == [1])
            await asyncio.to_thread(game.post, "chat", 0, text="hi")
            await watcher.until(lambda g: g["chat"])
            await asyncio.to_thread(game.post, "claim", 0, name="Ann")
            await watcher.until(lambda g: g["seats"][0]["name"] == "Ann")
            await asyncio.to_thread(game.post, "revoke", 0, seat=1)
            await watcher.until(lambda g: g["yours"] == [] and not g["seats"][1]["online"])

    asyncio.run(talk())


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_other_origins_are_refused(server: Server, origin: str) -> None:
    game = server.make_for_persons()

    async def try_it() -> None:
        address = server.url.replace("http", "ws", 1) + game.path + "/live"
        async with connect(address, origin=server.url):  # type: ignore[arg-type]
            pass
        with pytest.raises(InvalidStatus) as caught:
            async with connect(address, origin=origin):  # type: ignore[arg-type]
                pass
        assert caught.value.response.status_code == 403

    asyncio.run(try_it())


@pytest.mark.parametrize(
    "greeting",
    ["", "[]", "{", '{"type": "move"}', '{"type": "hello", "secrets": 1}',
     '{"type": "hello", "theme": "pink"}', '{"type": "hello", "theme": []}',
     '{"type": "hello", "flipped": 1}', "x" * 20_000],
)  # fmt: skip
def test_bad_greetings(server: Server, greeting: str) -> None:
    game = server.make_for_persons()

    async def try_it() -> None:
        address = server.url.replace("http", "ws", 1) + game.path + "/live"
        async with connect(address) as socket:
            await socket.send(greeting)
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(socket.recv(), PATIENCE)

    asyncio.run(try_it())
    assert server.client.get("/healthz").status_code == 200


def test_bytes_are_refused(server: Server) -> None:
    """Whoever says hello in bytes is sent away; later on they are told."""
    game = server.make_for_persons()
    base = server.url.replace("http", "ws", 1)

    async def try_it() -> None:
        async with connect(base + game.path + "/live") as socket:
            await socket.send(b'{"type": "hello"}')
            with pytest.raises(ConnectionClosed, match="text"):
                await asyncio.wait_for(socket.recv(), PATIENCE)
        async with watch(game) as watcher:
            await watcher.until(lambda g: True)
            await watcher.socket.send(b"{}")
            assert "text" in (await watcher.hear())["error"]
        async with connect(base + "/api/analysis") as socket:
            await socket.send(b"{}")
            assert "text" in await asyncio.wait_for(socket.recv(), PATIENCE)

    with logged() as log:
        asyncio.run(try_it())
    assert "Traceback" not in log.getvalue()


def test_there_is_no_such_game(server: Server) -> None:
    async def try_it() -> None:
        with pytest.raises(InvalidStatus):
            async with connect(server.url.replace("http", "ws", 1) + "/api/games/none/live"):
                pass

    asyncio.run(try_it())
