"""Whoever attacks a server from an address of its own, and what is there to prey on."""

import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import skerry
from server.storing import make_store, open_database
from skerry.core.playthrough import Playthrough
from skerry.server.play.deeds import keep_line
from skerry.server.play.rows import insert_table, rewrite_plies
from skerry.server.play.table import PERSON, Ply, Seat, Table
from skerry.server.web.secrets import conceal

ADDRESS = "127.0.0.2"  # the attacker's
SECRET = "attacker"
MOST_OPEN = 100  # requests of the attacker that wait for their answers


class Reply(NamedTuple):
    status: int
    body: bytes


class Sender:
    """A small HTTP client with an address of its own, so that clients take little of the time."""

    def __init__(self, url: str, address: str) -> None:
        place = urlsplit(url)
        self.place = place.hostname or "", place.port or 80
        self._address = address
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        leave_after: float | None = None,
    ) -> Reply:
        content = b"" if body is None else json.dumps(body, separators=(",", ":")).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(content)}"]
        lines.append("Content-Type: application/json")
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        reader, writer = self._idle.pop() if self._idle else await self._connect()
        try:
            writer.write("\r\n".join([*lines, "", ""]).encode() + content)
            reply = await asyncio.wait_for(_read_reply(reader), leave_after)
        except TimeoutError:
            writer.close()
            return Reply(0, b"")
        except (OSError, asyncio.IncompleteReadError):
            writer.close()
            return Reply(-1, b"")
        except BaseException:
            writer.close()
            raise
        self._idle.append((reader, writer))
        return reply

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            *self.place, limit=2**24, local_addr=(self._address, 0)
        )

    async def close(self) -> None:
        for _, writer in self._idle:
            writer.close()


async def _read_reply(reader: asyncio.StreamReader) -> Reply:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head.split(" ", 2)[1])
    if "transfer-encoding: chunked" not in head:
        length = head.partition("content-length:")[2].split("\r\n")[0].strip()
        return Reply(status, await reader.readexactly(int(length or 0)))
    parts = []
    while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
        parts.append((await reader.readexactly(size + 2))[:-2])
    await reader.readexactly(2)
    return Reply(status, b"".join(parts))


@dataclass
class Prey:
    """What is there before an attack: a long game of the attacker's, and its moves."""

    id: str
    start: str
    moves: list[str]
    options: dict[str, int]


async def seed_database(address: str, plies: int) -> Prey:
    """A database with the attacker's long game, which takes minutes to play within the limits."""
    game = skerry.make("skaane", quiet_limit=plies + 100)
    line, chance = Playthrough(game.initial(1)), random.Random(1)
    while line.plies < plies:
        moves = list(line.state.legal_moves())
        chance.shuffle(moves)
        quiet = sorted(moves, key=lambda move: "x" in str(move))
        line = next(n for n in (line.after(move) for move in quiet) if not n.state.is_over)
    now = int(time.time() * 1000)
    seat = Seat(PERSON, "Attacker", conceal(SECRET), claimed=True)
    table = Table("long", line.start, (seat, seat), now, now, now, admin=0, began=now, version=7)
    actions = [point.action for point in line.points if point.action is not None]
    after = keep_line(Table(**{**vars(table), "plies": tuple(Ply(a, now) for a in actions)}), line)
    async with open_database(address) as database:
        make_store(database)
        async with database.transact() as connection:
            await insert_table(connection, after)
            await rewrite_plies(connection, table, after)
    return Prey("long", line.start.position, list(line.texts), game.options)


class Attacker:
    """Sends requests from its own address at a rate, whether they are answered or not."""

    def __init__(self, url: str, prey: Prey, seconds: float) -> None:
        self.url = url
        self.prey = prey
        self.sender = Sender(url, ADDRESS)
        self.until = time.perf_counter() + seconds
        self.seen: Counter[str] = Counter()
        self._open: set[asyncio.Task[Any]] = set()

    @property
    def trial(self) -> dict[str, Any]:
        return {"game": "skaane", "options": self.prey.options, "start": self.prey.start}

    async def run(self, attack: Callable[["Attacker"], Awaitable[None]]) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self.left):
                await attack(self)
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self.sender.close()

    @property
    def left(self) -> float:
        return max(0.1, self.until - time.perf_counter())

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        leave_after: float | None = None,
    ) -> Reply:
        shown = {"X-Seat": SECRET} | (headers or {})
        reply = await self.sender.ask(method, path, body, shown, leave_after)
        self.seen[{0: "left", -1: "cut"}.get(reply.status, str(reply.status))] += 1
        return reply

    def begin(self, *request: Any) -> None:
        """Send a request, unless too many wait for their answers."""
        if len(self._open) < MOST_OPEN:
            self._keep(self.ask(*request))

    def follow(self, live: Any) -> None:
        """Take all that comes over a live connection."""
        self._keep(self._take(live))

    async def _take(self, live: Any) -> None:
        with suppress(ConnectionClosed):
            async for _ in live:
                self.seen["told"] += 1

    def _keep(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def flood(self, rate: float, request: Callable[[int], tuple[Any, ...]]) -> None:
        """Requests at a rate; ``request`` makes the n-th."""
        began = time.perf_counter()
        for n in count():
            await asyncio.sleep(began + n / rate - time.perf_counter())
            self.begin(*request(n))

    async def make(self, path: str, **body: Any) -> dict[str, Any]:
        return dict(json.loads((await self.ask("POST", path, body)).body))

    @asynccontextmanager
    async def live(self, path: str, **hello: Any) -> AsyncIterator[Any]:
        address = f"{self.url.replace('http', 'ws', 1)}{path}"
        async with connect(
            address, max_size=None, compression=None, local_addr=(ADDRESS, 0)
        ) as live:
            if hello:
                await live.send(json.dumps({"type": "hello", **hello}))
            yield live
