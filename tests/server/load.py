"""Load on a real server: many live games with two connected clients each.

    python tests/server/load.py --games 500 --rate 50 --seconds 300
    python tests/server/load.py --postgres --workers 2
    python tests/server/load.py --analyses 4 --seconds 120
    python tests/server/load.py --lobby 1000                 # who look on while nothing changes
    python tests/server/load.py --lobby 1000 --changes 12

Starts ``skerry serve`` (and a PostgreSQL of its own, if that is asked for), plays, and prints how
long it took from sending a move until the opponent's client had it. At the end every confirmed move
is looked for in the database. With ``--analyses`` so many visitors let the engine think meanwhile,
about one position after the other. With ``--lobby`` so many look at the lobby meanwhile, which has
so many ``--changes`` a minute; how long it takes until all have seen one is printed as well.
"""

import argparse
import asyncio
import gc
import json
import random
import resource
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

SPARE = 500  # files that a process has besides its connections
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


@dataclass
class Crowd:
    """Those who look at the lobby, and when each of them last heard something of a challenge."""

    sockets: list[ClientConnection] = field(default_factory=list)
    heard: dict[str, list[float]] = field(default_factory=dict)  # by challenge, one for each socket
    times: list[float] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def gather(
        self, client: httpx.AsyncClient, url: str, size: int, changes: float
    ) -> "list[asyncio.Task[None]]":
        """Let so many look on, and somebody make challenges, so many a minute."""
        if not size:
            return []
        address = f"{url.replace('http', 'ws', 1)}/api/lobby/live"
        for _ in range(size):
            socket = await connect(address, max_size=None, compression=None)
            await socket.send(json.dumps({"type": "hello"}))
            await socket.recv()
            self.sockets.append(socket)
        print(f"{size} look at the lobby", flush=True)
        tasks = [asyncio.create_task(self.listen(socket)) for socket in self.sockets]
        return (
            [*tasks, asyncio.create_task(self.change(client, 60 / changes))] if changes else tasks
        )

    async def listen(self, socket: ClientConnection) -> None:
        known: set[str] = set()
        async for message in socket:
            ids = {one["id"] for one in json.loads(message)["lobby"]["open"]}
            for id in ids - known:
                self.heard.setdefault(id, []).append(time.perf_counter())
            known = ids
            self.news.set()

    async def change(self, client: httpx.AsyncClient, pause: float) -> None:
        """Make a challenge and take it back, again and again; how long until all had seen it."""
        while True:
            began = time.perf_counter()
            made = await client.post("/api/lobby", json={"game": "skew"})
            assert made.status_code == 201, made.text
            id, secret = made.json()["challenge"]["id"], made.json()["secret"]
            while len(self.heard.get(id, [])) < len(self.sockets):
                self.news.clear()
                await self.news.wait()
            self.times.append(max(self.heard[id]) - began)
            gone = await client.delete(f"/api/lobby/{id}", headers={"X-Seat": secret})
            assert gone.status_code == 204, gone.text
            await asyncio.sleep(max(0.0, pause - (time.perf_counter() - began)))


async def run(url: str, chosen: argparse.Namespace) -> None:
    games, rate, seconds, analyses = chosen.games, chosen.rate, chosen.seconds, chosen.analyses
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
        crowd = Crowd()
        ears += await crowd.gather(client, url, chosen.lobby, chosen.changes)
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
        if crowd.times:
            print(f"{len(crowd.times)} challenges, until all had them: {spread(crowd.times)}")
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


def make_room(connections: int) -> None:
    """Let this process, and the server that it starts, have so many connections and some files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE
    assert hard == resource.RLIM_INFINITY or wanted <= hard, f"ulimit -n allows no more than {hard}"
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rate", type=float, default=50, help="moves a second in all")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--analyses", type=int, default=0, help="visitors who analyse meanwhile")
    parser.add_argument("--lobby", type=int, default=0, help="visitors who look at the lobby")
    parser.add_argument("--changes", type=float, default=0, help="of the lobby, a minute")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL, not on SQLite")
    parser.add_argument("--workers", default="1")
    chosen = parser.parse_args()
    make_room(2 * chosen.games + chosen.lobby)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        database = str(Path(folder) / "load.db")
        if chosen.postgres:
            programs = find_programs()
            assert programs is not None, "no PostgreSQL here: apt-get install postgresql"
            database = stack.enter_context(running(programs))
        flags = ["--workers", chosen.workers, "--log-level", "warning"]
        with Server(database, Path(folder) / "log", flags) as server:
            asyncio.run(run(server.url, chosen))
            print(server.log.read_text()[-2000:], end="")


if __name__ == "__main__":
    main()
