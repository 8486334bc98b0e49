"""Load on a real server: many live games with two connected clients each.

    python tests/server/load.py --games 500 --rate 50 --seconds 300
    python tests/server/load.py --postgres --workers 2
    python tests/server/load.py --analyses 4 --seconds 120

Starts ``skerry serve`` (and a PostgreSQL of its own, if that is asked for), plays, and prints how
long it took from sending a move until the opponent's client had it. At the end every confirmed move
is looked for in the database. With ``--analyses`` so many visitors let the engine think meanwhile,
about one position after the other.
"""

import argparse
import asyncio
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from server.postgres import find_programs, running
from server.serving import Server

WARM_UP = 15  # seconds until the engine has been asked about every game


@dataclass
class Match:
    """A game with two clients; the second one is told of the first one's moves, and so on."""

    id: str
    game: str
    secrets: list[str]
    sockets: list[ClientConnection] = field(default_factory=list)
    seen: dict[str, Any] = field(default_factory=dict)
    arrivals: dict[tuple[int, int], float] = field(default_factory=dict)  # (version, seat) -> when
    moves: list[str] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self, seat: int) -> None:
        async for message in self.sockets[seat]:
            game = json.loads(message)["game"]
            self.arrivals.setdefault((game["version"], seat), time.perf_counter())
            if game["version"] >= self.seen.get("version", -1):
                self.seen = game
            self.news.set()

    async def play(self, client: httpx.AsyncClient) -> float | None:
        """Make a move; the seconds until the opponent had it."""
        seen = self.seen
        seat = seen["to_move"]
        if seat is None:
            return None
        move = random.choice(seen["legal"])["move"]
        began = time.perf_counter()
        answer = await client.post(
            f"/api/games/{self.id}/moves",
            headers={"X-Seat": self.secrets[seat]},
            json={"version": seen["version"], "move": move},
        )
        assert answer.status_code == 200, answer.text
        self.moves.append(move)
        arrival = (seen["version"] + 1, 1 - seat)
        while arrival not in self.arrivals or self.seen["version"] <= seen["version"]:
            self.news.clear()
            await self.news.wait()
        return self.arrivals[arrival] - began


async def make(client: httpx.AsyncClient, url: str, game: str) -> Match:
    made = await client.post("/api/games", json={"game": game, "seats": ["person", "person"]})
    match = Match(made.json()["id"], game, made.json()["secrets"])
    for seat in (0, 1):
        address = f"{url.replace('http', 'ws', 1)}/api/games/{match.id}/live"
        socket = await connect(address, max_size=None, compression=None)
        await socket.send(json.dumps({"type": "hello", "secrets": [match.secrets[seat]]}))
        match.sockets.append(socket)
    return match


async def analyse(url: str, matches: Sequence[Match], firsts: list[float]) -> None:
    """Look at positions of the games with the engine; how long its first numbers take."""
    address = f"{url.replace('http', 'ws', 1)}/api/analysis"
    async with connect(address, max_size=None, compression=None) as socket:
        for n in count():
            match = random.choice(matches)
            if match.game == "skaane":  # its moves need its deal
                continue
            began = time.perf_counter()
            content = {"n": n, "game": match.game, "moves": match.moves}
            await socket.send(json.dumps({"type": "analyse", **content}))
            told: dict[str, Any] = {}
            while told.get("n") != n:
                told = json.loads(await socket.recv())
            if told["type"] == "analysis":
                firsts.append(time.perf_counter() - began)
            until = time.perf_counter() + random.uniform(1, 6)
            while (left := until - time.perf_counter()) > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(socket.recv(), left)


async def run(url: str, games: int, rate: float, seconds: float, analyses: int) -> None:
    limits = httpx.Limits(max_connections=100, max_keepalive_connections=100)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as client:
        matches = [
            await make(client, url, ("skew", "skirt", "skaane")[n % 3]) for n in range(games)
        ]
        ears = [asyncio.create_task(m.listen(seat)) for m in matches for seat in (0, 1)]
        while not all(match.seen for match in matches):
            await asyncio.sleep(0.1)
        print(f"{games} games, {2 * games} live connections", flush=True)
        firsts: list[float] = []
        ears += [asyncio.create_task(analyse(url, matches, firsts)) for _ in range(analyses)]
        if analyses:
            await asyncio.sleep(WARM_UP)
            firsts.clear()
        gc.disable()  # pauses of ours would count as the server's
        times: list[float] = []
        busy: set[asyncio.Task[None]] = set()

        async def play(match: Match) -> None:
            took = await match.play(client)
            if took is not None:
                times.append(took)
            idle.append(match)

        idle = list(matches)
        random.shuffle(idle)
        began = time.perf_counter()
        sent = 0
        while (now := time.perf_counter() - began) < seconds:
            while sent < now * rate and idle:
                task = asyncio.create_task(play(idle.pop(0)))
                busy.add(task)
                task.add_done_callback(busy.discard)
                sent += 1
            await asyncio.sleep(1 / rate / 4)
        await asyncio.gather(*busy)
        took = time.perf_counter() - began
        report(times, took)
        if analyses:
            print(f"{len(firsts)} analyses, first numbers: {spread(firsts)}")
        lost = 0
        for match in matches:
            found = (await client.get(f"/api/games/{match.id}")).json()
            lost += [move["text"] for move in found["moves"]] != match.moves
        print(f"games with a move lost or made twice: {lost}")
        for ear in ears:
            ear.cancel()


def report(times: Sequence[float], took: float) -> None:
    print(f"{len(times)} moves in {took:.0f} s ({len(times) / took:.1f} a second)")
    print(f"to the opponent: {spread(times)}")


def spread(times: Sequence[float]) -> str:
    ordered = sorted(1000 * second for second in times)

    def share(part: float) -> str:
        return f"{ordered[min(len(ordered) - 1, int(part * len(ordered)))]:.0f} ms"

    return f"median {share(0.5)}, p95 {share(0.95)}, p99 {share(0.99)}, longest {share(1)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rate", type=float, default=50, help="moves a second in all")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--analyses", type=int, default=0, help="visitors who analyse meanwhile")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL, not on SQLite")
    parser.add_argument("--workers", default="1")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        database = str(Path(folder) / "load.db")
        if chosen.postgres:
            programs = find_programs()
            assert programs is not None, "no PostgreSQL here: apt-get install postgresql"
            database = stack.enter_context(running(programs))
        flags = ["--workers", chosen.workers, "--log-level", "warning"]
        with Server(database, Path(folder) / "log", flags) as server:
            asyncio.run(run(server.url, chosen.games, chosen.rate, chosen.seconds, chosen.analyses))
            print(server.log.read_text()[-2000:], end="")


if __name__ == "__main__":
    main()
