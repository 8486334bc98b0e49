"""The nemesis: does harm to a site, chosen at random by a seed, and ends it after a while."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from faults.shim import DAY, READS, SYNCS, WRITES
from faults.site import (
    BACKEND,
    HELPER,
    POOL,
    POSTMASTER,
    SQLITE,
    SUPERVISOR,
    WORKER,
    Site,
    send,
)

FREEZE = (0.2, 2.5)  # seconds
LONG_FREEZE = 12.0  # longer than a server waits for PostgreSQL
HOLD = (0.3, 2.0)  # seconds that something goes wrong
# How often each kind of process is killed: those most that are back soonest.
WEIGHTS = {SUPERVISOR: 3, WORKER: 10, POOL: 22, POSTMASTER: 5, BACKEND: 45, HELPER: 15}


@dataclass
class Nemesis:
    """Whoever does it, with a count of what was done."""

    site: Site
    chooser: random.Random
    done: Counter[str] = field(default_factory=Counter)
    kills: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._first = self.chooser.sample(list(self.faults), len(self.faults))

    @property
    def faults(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """All that can be done to this site, by name."""
        site = self.site
        found: dict[str, Callable[[], Awaitable[None]]] = {
            "kill": self.kill,
            "freeze": self.freeze,
        }
        if site.relay is not None:
            found |= {"partition": self.part, "cut": self.cut}
        if site.shim is not None:
            found |= {
                "full disk": self.fill_disk,
                "slow disk": self.slow_disk,
                "failing writes": lambda: self.break_disk(WRITES),
                "failing syncs": lambda: self.break_disk(SYNCS),
                "clock jump": self.set_clock,
            }
            # A PostgreSQL that cannot read its log while it starts takes that for its end: no
            # server on top of it could know.
            if site.kind == SQLITE:
                found["failing reads"] = lambda: self.break_disk(READS)
        return found

    async def strike(self) -> str:
        """Do something, and end it: each thing once, and then whatever comes. Tells its name."""
        faults = self.faults
        name = self._first.pop() if self._first else self.chooser.choice(list(faults))
        self.done[name] += 1
        await faults[name]()
        return name

    async def kill(self) -> None:
        kinds = [kind for kind in self.site.kinds if self.site.find(kind)]
        weights = [WEIGHTS[kind] for kind in kinds]
        if kinds:
            (kind,) = self.chooser.choices(kinds, weights)
            self.kill_one(kind)

    def kill_one(self, kind: str) -> bool:
        """Kill a process of a kind, if there is one."""
        found = self.site.find(kind)
        done = bool(found) and send(self.chooser.choice(found), signal.SIGKILL)
        self.kills[kind] += done
        return done

    async def freeze(self) -> None:
        """Stop a process for a while, as a machine does that has too much to do."""
        everybody = [pid for kind in self.site.kinds for pid in self.site.find(kind)]
        if not everybody:
            return
        pid = self.chooser.choice(everybody)
        send(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(self.chooser.uniform(*FREEZE))
        finally:
            send(pid, signal.SIGCONT)

    async def part(self) -> None:
        """Let nothing pass between server and database, for a while or until it gives up."""
        assert self.site.relay is not None
        self.site.relay.freeze(later=self.chooser.random() < 0.5)
        is_long = self.chooser.random() < 0.2
        try:
            await asyncio.sleep(LONG_FREEZE if is_long else 2 * self.chooser.uniform(*FREEZE))
        finally:
            self.site.relay.thaw()

    async def cut(self) -> None:
        assert self.site.relay is not None
        self.site.relay.cut()

    async def fill_disk(self) -> None:
        assert self.site.shim is not None
        self.site.shim.fill(self.chooser.choice((1000, 300)))
        await self._hold()

    async def break_disk(self, calls: int) -> None:
        assert self.site.shim is not None
        self.site.shim.fail(calls, self.chooser.choice((1000, 300, 50)))
        await self._hold()

    async def slow_disk(self) -> None:
        assert self.site.shim is not None
        self.site.shim.slow_down(self.chooser.uniform(0.01, 0.3))
        await self._hold()

    async def _hold(self) -> None:
        assert self.site.shim is not None
        try:
            await asyncio.sleep(self.chooser.uniform(*HOLD))
        finally:
            self.site.shim.heal()

    async def set_clock(self) -> None:
        """Set the clock of the machine; it stays so, and servers may start by it."""
        assert self.site.shim is not None
        self.site.shim.set_clock(self.chooser.choice((-3 * DAY, -3600, 0, 3600, 3 * DAY)))
