"""Clients that play and study, and write down what they asked for and what they were told."""

import asyncio
import random
import time
from contextlib import suppress
from itertools import count
from typing import Any

import httpx

import skerry
from faults.history import CREATE, LOOK, MOVE, SAVE, SAY, Deed, Fate, History, Place, Sight
from faults.viewers import Viewer, see

BOARDS: dict[str, dict[str, int]] = {
    "skew": {"side": 3},
    "skirt": {"side": 3},
    "x": {"size": 4},
    "skaane": {"width": 4, "height": 4, "gods": 2, "kings": 2, "serfs": 3},
}
PERSON, ENGINE = "person", "level:1"
TABLES = [
    ("skew", [PERSON, PERSON]),
    ("skirt", [PERSON, PERSON]),
    ("x", [PERSON, PERSON, PERSON]),
    ("skaane", [PERSON, PERSON]),
    ("skew", [PERSON, ENGINE]),
    ("x", [PERSON, ENGINE, PERSON]),
]
CLOCK = {"kind": "days", "days": 1}
PAUSE = (0.05, 0.4)  # seconds between what one client does
AWAY = 0.3  # seconds until a client tries again whose connection was lost
MOST_REMARKS = 30  # in a game; servers keep more
MOST_SAVES = 12  # of a study, before another is begun
DEEDS = (
    "offer-draw", "accept-draw", "decline-draw", "ask-takeback", "accept-takeback",
    "decline-takeback",
)  # fmt: skip
TIMEOUT = 15.0  # seconds that an answer may take


def deal(chooser: random.Random) -> int:
    """The seed of a deal of Skaane that leaves something to play: of some, version 0 is the end."""
    game = skerry.make("skaane", **BOARDS["skaane"])
    while game.initial(seed := chooser.randrange(1000)).is_over:
        pass
    return seed


class Players:
    """Everybody who plays on a site for a while."""

    def __init__(self, url: str, history: History, chooser: random.Random) -> None:
        limits = httpx.Limits(max_connections=100)
        self.client = httpx.AsyncClient(base_url=url, timeout=TIMEOUT, limits=limits)
        self.history = history
        self.viewers: list[Viewer] = []
        self._url = url
        self._chooser = chooser
        self._numbers = count()
        self._done = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        work = [self._host(*table) for table in TABLES]
        self._tasks = [asyncio.create_task(one) for one in (*work, self._study(), self._study())]

    async def end(self) -> None:
        """Let everybody finish what they are about to do."""
        self._done.set()
        await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        for viewer in self.viewers:
            await viewer.close()
        await self.client.aclose()

    async def _host(self, game: str, kinds: list[str]) -> None:
        """One game after the other, each until it is over."""
        while not self._done.is_set():
            wish: dict[str, Any] = {"game": game, "options": BOARDS[game], "seats": kinds}
            if game == "skaane":
                wish["seed"] = deal(self._chooser)
            if self._chooser.random() < 0.5:
                wish["clock"] = CLOCK
            made = await self._create("/api/games", wish)
            if made is None:
                continue
            place = Place(
                made["id"], tuple(made["secrets"]), seats=len(kinds), engines=ENGINE in kinds
            )
            self.history.places[place.id] = place
            self.viewers.append(Viewer(self._url, place, self.history))
            seats = [n for n, kind in enumerate(kinds) if kind == PERSON]
            await asyncio.gather(*(self._sit(place, seat) for seat in seats))

    async def _create(self, path: str, wish: dict[str, Any]) -> dict[str, Any] | None:
        deed, made = await self._ask("POST", path, {}, CREATE, "", body=wish)
        assert deed.fate is not Fate.REFUSED, f"{wish} cannot be made"
        await self._rest()
        return made

    async def _sit(self, place: Place, seat: int) -> None:
        """Play on one seat, knowing of the others only what the server shows."""
        header = {"X-Seat": place.secrets[seat] or ""}
        remarks = 0
        while not self._done.is_set():
            looked, game = await self._ask("GET", place.path, header, LOOK, place.id)
            if looked.fate is not Fate.ACKNOWLEDGED or game is None:
                await self._rest()
                continue
            if game["outcome"] is not None or seat not in game["yours"]:  # an engine sits there
                return
            chance, base = self._chooser.random(), game["version"]
            actions = [action for action in game["can"] if action in DEEDS]
            if game["to_move"] == seat and chance < 0.75:
                move = self._chooser.choice(game["legal"])["move"]
                await self._insist(place, header, MOVE, base, move)
            elif chance < 0.82 and remarks < MOST_REMARKS // place.seats:
                remarks += 1
                text = f"remark {next(self._numbers)}"
                await self._insist(place, header, SAY, None, text)
            elif chance < 0.84 and "resign" in game["can"] and game["ply"] > 2:
                await self._insist(place, header, "resign", base)
            elif chance < 0.95 and actions:
                await self._insist(place, header, self._chooser.choice(actions), base)
            await self._rest()

    async def _insist(
        self,
        place: Place,
        header: dict[str, str],
        kind: str,
        base: int | None,
        content: str = "",
    ) -> None:
        """Do something, sometimes twice at once as a double click does, or again if nobody knows.

        A remark names no version, and whoever has resigned may have no seat any more: they are
        made once.
        """

        async def do() -> Deed:
            body: dict[str, Any] = {"version": base, "action": kind}
            path = f"{place.path}/actions"
            if kind == MOVE:
                body, path = {"version": base, "move": content}, f"{place.path}/moves"
            elif kind == SAY:
                body, path = {"text": content}, f"{place.path}/chat"
            asked = await self._ask("POST", path, header, kind, place.id, base, content, body)
            return asked[0]

        if base is None or kind == "resign":
            await do()
        elif self._chooser.random() < 0.1:
            await asyncio.gather(do(), do())
        elif (await do()).fate is Fate.UNKNOWN and self._chooser.random() < 0.5:
            await do()

    async def _study(self) -> None:
        """One study after the other, each saved some times."""
        while not self._done.is_set():
            wish = {"game": "skew", "options": BOARDS["skew"]}
            made = await self._create("/api/studies", wish)
            if made is None:
                continue
            place = Place(made["id"], (made["secret"],), is_study=True)
            self.history.places[place.id] = place
            for _ in range(MOST_SAVES):
                await self._save(place)
                if self._done.is_set():
                    return

    async def _save(self, place: Place) -> None:
        looked, study = await self._ask("GET", place.path, place.header, LOOK, place.id)
        if looked.fate is Fate.ACKNOWLEDGED and study is not None:
            content, base = f"text {next(self._numbers)}", study["version"]
            body = {"version": base, "line": {"moves": [], "comments": [content]}}
            await self._ask("PUT", place.path, place.header, SAVE, place.id, base, content, body)
        await self._rest()

    async def _ask(
        self,
        method: str,
        path: str,
        header: dict[str, str],
        kind: str,
        place: str,
        base: int | None = None,
        content: str = "",
        body: dict[str, Any] | None = None,
    ) -> tuple[Deed, dict[str, Any] | None]:
        """Ask for something, and write down what became of it."""
        asked, status, told = time.monotonic(), None, None
        with suppress(httpx.TransportError):
            answer = await self.client.request(method, path, headers=header, json=body)
            status = answer.status_code
            told = answer.json() if status < 300 else None
        sight = None if told is None or kind == CREATE else see(told)
        now = time.monotonic()
        deed = Deed(kind, place, asked, now, status, base, content, sight)
        self.history.note(deed)
        if status is None:
            await asyncio.sleep(AWAY)
        return deed, told

    async def _rest(self) -> None:
        await asyncio.sleep(self._chooser.uniform(*PAUSE))

    async def read(self, place: Place) -> tuple[Sight | None, bool]:
        """A place as it is, and whether an engine is about to change it; None if it is gone."""
        answer = await self.client.get(place.path, headers=place.header)
        if answer.status_code == 404:
            return None, False
        answer.raise_for_status()
        told = answer.json()
        return see(told), bool(told.get("thinking"))
