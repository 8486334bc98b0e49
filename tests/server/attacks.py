"""One visitor does its worst within the default limits, while an honest one plays.

    python tests/server/attacks.py
    python tests/server/attacks.py --only films engines --seconds 30

Starts ``skerry serve`` with default limits on loopback, one server for each attack. The attacker
comes from 127.0.0.2 and is a process of its own; the honest visitor comes from 127.0.0.1, makes
moves, and now and then looks at a page, tries a move on a study board and saves a study. Told are
how long those moves took, how often the honest visitor was refused, what became of the attacker's
requests, and how much memory the server and its processes came to. Attacks end after
``--seconds``; none leaves anything behind.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from server.attack_list import ATTACKS
from server.attacking import Attacker, Prey, Sender, seed_database
from server.serving import Server

HONEST = "127.0.0.1"
EVERY = 0.2  # seconds between moves of the honest visitor
PAGE = os.sysconf("SC_PAGE_SIZE")
SETTLING = 3.0  # seconds until the attack is under way
HONEST_BOARD = {"game": "skew", "options": {"side": 5}}


class Honest:
    """Somebody who plays, reads and studies, and notes how long that takes."""

    def __init__(self, url: str) -> None:
        self.sender = Sender(url, HONEST)
        self.moves: list[float] = []
        self.others: list[float] = []
        self.refused: Counter[str] = Counter()

    async def prepare(self) -> None:
        await self._begin()
        made = await self.sender.ask("POST", "/api/studies", HONEST_BOARD)
        self.study = json.loads(made.body)
        self.version = 0

    async def _begin(self) -> None:
        body = {**HONEST_BOARD, "seats": ["person", "person"]}
        answer = await self.sender.ask("POST", "/api/games", body)
        self._note("a new game", answer.status)
        made = json.loads(answer.body)
        self.id, self.secrets = made["id"], made["secrets"]
        self.game = json.loads((await self.sender.ask("GET", f"/api/games/{self.id}")).body)

    async def play(self, until: float) -> None:
        """Moves, one after the other; those that come late are not left out."""
        due = time.perf_counter()
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if self.game["to_move"] is None:
                await self._begin()
            seat = self.game["to_move"]
            move = random.choice(self.game["legal"])["move"]
            body = {"version": self.game["version"], "move": move}
            headers = {"X-Seat": self.secrets[seat]}
            due = max(due, time.perf_counter())
            answer = await self.sender.ask("POST", f"/api/games/{self.id}/moves", body, headers)
            self.moves.append(time.perf_counter() - due)
            self._note("a move", answer.status)
            if answer.status == 200:
                self.game = json.loads(answer.body)
            due += EVERY

    async def look_around(self, until: float) -> None:
        """What else one does on the site."""
        while time.perf_counter() < until:
            began = time.perf_counter()
            await self._ask("a page", "GET", f"/g/{self.id}")
            await self._ask("a trial", "POST", "/api/positions", {**HONEST_BOARD, "moves": []})
            headers = {"X-Seat": self.study["secret"]}
            body = {"version": self.version, "line": {"moves": [], "comments": ["mine"]}}
            path = f"/api/studies/{self.study['id']}"
            if await self._ask("a study", "PUT", path, body, headers) == 200:
                self.version += 1
            self.others.append(time.perf_counter() - began)
            await asyncio.sleep(1)

    async def _ask(self, what: str, *request: Any) -> int:
        answer = await self.sender.ask(*request)
        self._note(what, answer.status)
        return answer.status

    def _note(self, what: str, status: int) -> None:
        if status >= 400:
            self.refused[f"{what}: {status}"] += 1


def attack(name: str, url: str, prey: Prey, seconds: float, pipe: Any) -> None:
    """The attacker's process."""
    attacker = Attacker(url, prey, seconds)
    with suppress(KeyboardInterrupt):
        asyncio.run(attacker.run(ATTACKS[name]))
    pipe.send(dict(attacker.seen))


def measure_memory(pid: int) -> float:
    """MB of a process and all that it has started."""
    parents, pages = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            one = int(stat.parent.name)
            parents[one], pages[one] = int(fields[1]), int(fields[21])
    family = {pid}
    while more := {one for one, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(pages.get(one, 0) for one in family) * PAGE / 2**20


async def measure(server: Server, name: str, prey: Prey, seconds: float) -> dict[str, Any]:
    """One attack: what it did to the honest visitor."""
    context = get_context("spawn")
    near, far = context.Pipe()
    arguments = (name, server.url, prey, SETTLING + seconds, far)
    attacker = context.Process(target=attack, args=arguments, daemon=True)
    honest = Honest(server.url)
    await honest.prepare()
    await honest.play(time.perf_counter() + 2)
    honest.moves.clear()
    before = measure_memory(server.process.pid)
    attacker.start()
    await asyncio.sleep(SETTLING)
    gc.disable()
    until = time.perf_counter() + seconds
    watching = asyncio.create_task(_watch_memory(server.process.pid))
    await asyncio.gather(honest.play(until), honest.look_around(until))
    watching.cancel()
    gc.enable()
    seen = await asyncio.to_thread(near.recv) if near.poll(60) else {}
    attacker.join(5)
    attacker.kill()
    await honest.sender.close()
    most = max([before, *peaks])
    peaks.clear()
    return {"honest": honest, "seen": seen, "before": before, "most": most}


peaks: list[float] = []


async def _watch_memory(pid: int) -> None:
    while True:
        peaks.append(measure_memory(pid))
        await asyncio.sleep(1)


def spread(times: Sequence[float]) -> str:
    ordered = sorted(1000 * second for second in times)
    shares = [ordered[min(len(ordered) - 1, int(p * len(ordered)))] for p in (0.5, 0.95, 0.99, 1)]
    return " | ".join(f"{share:.0f}" for share in shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--only", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--plies", type=int, default=990, help="of the attacker's longest game")
    chosen = parser.parse_args()
    print(
        "| attack | moves: median | 95 % | 99 % | longest (ms) | others refused "
        "| attacker's answers | memory before and at most (MB) |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name in chosen.only:
        with tempfile.TemporaryDirectory() as folder:
            database = str(Path(folder) / "attack.db")
            prey = asyncio.run(seed_database(database, chosen.plies))
            flags = ["--log-level", "warning", "--warm", "0"]
            with Server(database, Path(folder) / "log", flags, limited=True) as server:
                found = asyncio.run(measure(server, name, prey, chosen.seconds))
                log = server.log.read_text()
        honest = found["honest"]
        refused = ", ".join(f"{what} x{n}" for what, n in honest.refused.items()) or "none"
        seen = ", ".join(f"{n} x {code}" for code, n in sorted(found["seen"].items()))
        memory = f"{found['before']:.0f}, {found['most']:.0f}"
        print(f"| {name} | {spread(honest.moves)} | {refused} | {seen} | {memory} |", flush=True)
        if "Traceback" in log or "traceback" in log:
            print(log[-3000:])


if __name__ == "__main__":
    main()
