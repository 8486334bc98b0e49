"""Rounds: clients play while a nemesis does harm; then all is made well, and checked."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx

from faults.checker import DOUBLED, LOST, Flaw, check
from faults.club import Club
from faults.clubbook import ClubSeen, check_club
from faults.history import LOOK, History, Place, Sight
from faults.nemesis import Nemesis
from faults.players import Players
from faults.site import Site

STUCK = "stuck"  # it does not go on although everything is well
TRACEBACK = "traceback"
PATIENCE = 90.0  # seconds in which a server that is left alone has to be well again
PROGRESS = 2  # changes that are acknowledged between two faults
MOST_AT_ONCE = 8  # requests of whoever reads everything in the end
Harm = Callable[[Nemesis, History], Coroutine[Any, Any, list[Flaw]]]


@dataclass
class Report:
    """What came of some rounds."""

    rounds: int = 0
    fates: Counter[str] = field(default_factory=Counter)
    places: int = 0
    club: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    kills: Counter[str] = field(default_factory=Counter)
    flaws: list[Flaw] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = Counter(flaw.kind for flaw in self.flaws)
        other = sum(kinds.values()) - kinds[LOST] - kinds[DOUBLED]
        return (
            f"{sum(self.kills.values())} kills ({_list(self.kills)}); "
            f"{self.fates['acknowledged']} changes acknowledged in {self.places} games and "
            f"studies, {self.fates['refused']} refused, {self.fates['unknown']} unknown; "
            f"in the club {_list(self.club)}; "
            f"lost: {kinds[LOST]}, doubled: {kinds[DOUBLED]}, other flaws: {other}"
        )

    def add(self, other: "Report") -> None:
        self.rounds += other.rounds
        self.places += other.places
        self.club += other.club
        self.fates += other.fates
        self.faults += other.faults
        self.kills += other.kills
        self.flaws += other.flaws

    def tell_faults(self) -> str:
        return f"faults: {_list(self.faults)}"


def _list(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count)


async def play_round(site: Site, chooser: random.Random, harm: Harm) -> Report:
    """One round, for as long as ``harm`` lasts."""
    history, nemesis = History(), Nemesis(site, chooser)
    read_before = len(site.read_log())
    players, club = Players(site.url, history, chooser), Club(site, history, chooser)
    try:
        players.begin()
        club.begin()
        flaws = await _see_progress(site, history, "although nothing was wrong")
        flaws += await _see_club(club, "rated games begun", "tournaments", "decisions")
        flaws += await harm(nemesis, history)
        site.heal()
        flaws += await _see_club(club, "rated games", "mails", "sessions ended")
        await asyncio.gather(players.end(), club.end())
        flaws += await _settle(site, players)
    finally:
        site.heal()
        await players.close()
    code = await asyncio.to_thread(site.restart)
    if code not in (0, -15):
        flaws.append(Flaw(STUCK, "server", f"it was asked to end, and did so with {code}"))
    final = await _read_all(site, history)
    flaws += check(history, final)
    try:
        flaws += check_club(club.book, await _read_club(site, club))
    finally:
        await club.close()
    flaws += _find_tracebacks(site.read_log()[read_before:])
    fates = Counter(deed.fate.value for deed in history.deeds if deed.kind != LOOK)
    places = len(history.places)
    return Report(1, fates, places, club.count(), nemesis.done, nemesis.kills, flaws)


async def _settle(site: Site, players: Players) -> list[Flaw]:
    """Wait until all is well: engines have moved, and viewers see what there is."""
    flaws = []
    async with _patience() as late:
        while not await _is_well(players.client):
            if late():
                return [Flaw(STUCK, "server", f"not well again: {site.read_log()[-2000:]}")]
            await asyncio.sleep(0.2)
        for place in players.history.places.values():
            sight, thinking = await _insist(players, place)
            while thinking and not late():
                await asyncio.sleep(0.1)
                sight, thinking = await _insist(players, place)
            if thinking:
                flaws.append(Flaw(STUCK, place.id, "an engine is to move, and never does"))
            for viewer in players.viewers:
                while viewer.place is place and sight is not None and not late():
                    if viewer.last.version >= sight.version and {*sight.chat} <= {
                        *viewer.last.chat
                    }:
                        break
                    await asyncio.sleep(0.05)
    return flaws


@asynccontextmanager
async def _patience() -> AsyncIterator[Callable[[], bool]]:
    until = time.monotonic() + PATIENCE
    yield lambda: time.monotonic() > until


async def _is_well(client: httpx.AsyncClient) -> bool:
    with suppress(httpx.TransportError):
        answer = await client.get("/healthz")
        return answer.status_code == 200
    return False


async def _insist(players: Players, place: Place) -> tuple[Sight | None, bool]:
    """Read a place, though what was harmed may still be coming back."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return await players.read(place)
        except httpx.HTTPError:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.1)


async def _read_all(site: Site, history: History) -> dict[str, Sight | None]:
    """Everything that a server finds which has just started: nothing is remembered, all is read."""
    reader = Players(site.url, history, random.Random(0))
    lanes = asyncio.Semaphore(MOST_AT_ONCE)

    async def read(place: Place) -> Sight | None:
        async with lanes:
            return (await _insist(reader, place))[0]

    try:
        found = await asyncio.gather(*map(read, history.places.values()))
    finally:
        await reader.close()
    return dict(zip(history.places, found, strict=True))


async def _read_club(site: Site, club: Club) -> ClubSeen:
    """The same for the club, once more if something was still coming back."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return await club.read(site.postbox)
        except (httpx.HTTPError, KeyError, ValueError):
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.5)


def _find_tracebacks(log: str) -> list[Flaw]:
    """Whatever the server did not expect. What dying processes print is not among it."""
    flaws = []
    for line in log.splitlines():
        with suppress(json.JSONDecodeError):
            content = json.loads(line)
            if isinstance(content, dict) and "traceback" in content:
                flaws.append(Flaw(TRACEBACK, content["event"], content["traceback"][-1500:]))
    return flaws


def torment_for(seconds: float) -> Harm:
    """All kinds of faults, for some seconds."""

    async def harm(nemesis: Nemesis, history: History) -> list[Flaw]:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            name = await nemesis.strike()
            flaws = await _see_progress(nemesis.site, history, f"after {name}")
            if flaws:
                return flaws
        return []

    return harm


def kill_so_many(kills: int) -> Harm:
    """Nothing but kills."""

    async def harm(nemesis: Nemesis, history: History) -> list[Flaw]:
        while sum(nemesis.kills.values()) < kills:
            await nemesis.kill()
            flaws = await _see_progress(nemesis.site, history, "after a kill")
            if flaws:
                return flaws
        return []

    return harm


async def _see_club(club: Club, *wanted: str) -> list[Flaw]:
    """Members come to all that they do, so that harm meets it, and is followed by some of it."""
    before, until = club.count(), time.monotonic() + PATIENCE
    while not all(club.count()[name] > before[name] for name in wanted):
        if time.monotonic() > until:
            words = f"{club.count()}, of which {wanted} are to become more"
            return [Flaw(STUCK, "club", words)]
        await asyncio.sleep(0.05)
    return []


async def _see_progress(site: Site, history: History, when: str) -> list[Flaw]:
    """Whatever was done comes to an end: soon some more changes are acknowledged."""
    wanted, until = history.acknowledged + PROGRESS, time.monotonic() + PATIENCE
    while history.acknowledged < wanted:
        if time.monotonic() > until:
            words = (
                f"nothing was acknowledged for {PATIENCE:.0f} s {when}: {site.read_log()[-1500:]}"
            )
            return [Flaw(STUCK, site.kind, words)]
        await asyncio.sleep(0.01)
    return []
