"""Members of a club: they sign up and out, meet in the lobby, play rated games and tournaments,
decide about others and give mail addresses; and write down what they were told."""

import asyncio
import random
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

import httpx
from sqlalchemy import select

from faults.clubbook import HONEST, BoutSeen, ClubBook, ClubSeen, EventSeen, TableSeen
from faults.history import History
from faults.site import Site
from server.mailing import Postbox
from server.serving import PASSWORD
from skerry.server.db.engine import Database
from skerry.server.db.knowing import outbox
from skerry.server.web.secrets import new_secret
from support.running import run_aside

CLOCK = {"kind": "total", "seconds": 3600, "increment": 0}
SMALL = {"side": 2}
PLAYED = 4  # plies of a game, before somebody resigns
PAUSE = (0.05, 0.3)  # seconds between what one member does
AWAY = 0.3  # seconds until a member tries again whose connection was lost
TIMEOUT = 15.0
ADMIN = "Admin"
COOKIE = "skerry-session"
OTHERS = 3  # who look at a game in the end, whether they play or not


@dataclass
class Member:
    """Somebody with an account, in a browser of their own."""

    name: str
    client: httpx.AsyncClient
    id: str = ""

    @property
    def entrant(self) -> str:
        return f"person:{self.id}"


class Club:
    """Everybody who is at the club for a while; ``book`` has what they were told."""

    def __init__(self, site: Site, history: History, chooser: random.Random) -> None:
        self.site, self.book = site, ClubBook()
        self._history = history
        self._chooser = chooser
        self._run = f"{chooser.randrange(16**6):06x}"  # names of another round are taken
        self._numbers = count()
        self._done = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._clients: list[httpx.AsyncClient] = []

    def begin(self) -> None:
        work: list[Coroutine[Any, Any, None]] = [
            self._meet("A", "B"),
            self._compete("C", "D", "E"),
            self._govern("F", "G"),
            self._come_and_go("H"),
        ]
        self._tasks = [asyncio.create_task(one) for one in work]

    async def end(self) -> None:
        """Let everybody finish what they are about to do."""
        self._done.set()
        await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()

    def count(self) -> Counter[str]:
        """What was acknowledged, in numbers."""
        told = self.book
        return Counter(
            {
                "accounts": len(told.accounts),
                "rated games begun": len(told.games),
                "rated games": len(told.ended & told.games.keys()),
                "tournaments": len(told.begun),
                "decisions": sum(status == 204 for _, status in told.decided),
                "mails": len(told.mailed),
                "sessions ended": len(told.left),
            }
        )

    # What everybody does

    async def _ask(
        self, who: Member, method: str, path: str, **body: Any
    ) -> tuple[int | None, Any]:
        """The status of an answer, and what it says; nothing if there was none."""
        status, told = None, None
        with suppress(httpx.TransportError):
            answer = await who.client.request(method, path, json=body or None)
            status = answer.status_code
            told = answer.json() if status < 300 and answer.content else None
        if status is not None and status not in HONEST:
            self.book.strange.append(f"{method} {path} was answered with {status}")
        if status is not None and status < 300 and method != "GET":
            self._history.acknowledged += 1
        if status is None or status == 503:
            await asyncio.sleep(AWAY)
        await asyncio.sleep(self._chooser.uniform(*PAUSE))
        return status, told

    def _new_client(self) -> httpx.AsyncClient:
        client = httpx.AsyncClient(base_url=self.site.url, timeout=TIMEOUT)
        self._clients.append(client)
        return client

    async def _sign_up(self, name: str) -> Member:
        """An account, whatever it takes: nobody may have heard that it was made."""
        member = Member(f"{name} {self._run}", self._new_client())
        body = {"name": member.name, "password": PASSWORD}
        was_asked = False
        while not member.id:
            status, told = await self._ask(member, "POST", "/api/accounts", **body)
            if status == 409:
                if not was_asked:
                    self.book.strange.append(f"{member.name} is taken, and nobody has asked")
                status, told = await self._ask(member, "POST", "/api/sessions", **body)
            was_asked = True
            member.id = told["id"] if told else ""
        self.book.accounts[member.name] = member.id
        return member

    async def _play(self, game: str, *members: Member) -> None:
        """Some moves, and somebody resigns; all of it by the accounts alone."""
        path, by_id = f"/api/games/{game}", {one.id: one for one in members}
        while not self._done.is_set():
            status, seen = await self._ask(members[0], "GET", path)
            if status is None or seen is None:
                continue
            if seen["outcome"] is not None:
                return
            seat = seen["to_move"]
            person = seen["seats"][seat]["person"]
            mover = by_id.get(person["id"] if person else "")
            if mover is None:
                self.book.strange.append(f"seat {seat} of {game} is {person}")
                return
            body: dict[str, Any] = {"version": seen["version"]}
            if seen["ply"] < PLAYED:
                body["move"] = self._chooser.choice(seen["legal"])["move"]
                await self._ask(mover, "POST", f"{path}/moves", **body)
            else:
                body["action"] = "resign"
                status, _ = await self._ask(mover, "POST", f"{path}/actions", **body)
                if status == 200:
                    self.book.ended.add(game)

    # What some do

    async def _meet(self, *names: str) -> None:
        """Two answer each other's challenges, and play rated games."""
        one, other = [await self._sign_up(name) for name in names]
        while not self._done.is_set():
            wish = {"game": "skew", "rated": True, "clock": CLOCK, "secret": new_secret()}
            _, made = await self._ask(one, "POST", "/api/lobby", **wish)
            if made is None:
                continue
            path = f"/api/lobby/{made['challenge']['id']}"
            url, secret = None, new_secret()
            while url is None and not self._done.is_set():
                status, told = await self._ask(other, "POST", f"{path}/join", secret=secret)
                url = told["challenge"]["url"] if told else None
                if status is not None and 400 <= status < 500:
                    break  # it is over, which may come of a clock
            if url is not None:
                game = url.removeprefix("/g/")
                self.book.games[game] = (one.name, other.name)
                await self._play(game, one, other)
            one, other = other, one

    async def _compete(self, *names: str) -> None:
        """Some hold one round robin after the other."""
        members = [await self._sign_up(name) for name in names]
        terms = {"game": "skew", "options": SMALL, "system": "round-robin", "clock": CLOCK}
        while not self._done.is_set():
            _, made = await self._ask(members[0], "POST", "/api/tournaments", **terms)
            if made is None:
                continue
            path, entered = f"/api/tournaments/{made['id']}", set[str]()
            self.book.entered[made["id"]] = entered
            for member in members:
                status = None
                while status not in (200, 409, 422) and not self._done.is_set():
                    status, _ = await self._ask(member, "POST", f"{path}/join")
                if status == 200:
                    entered.add(member.name)
            await self._play_out(made["id"], members)

    async def _play_out(self, id: str, members: list[Member]) -> None:
        path = f"/api/tournaments/{id}"
        while not self._done.is_set():
            _, seen = await self._ask(members[0], "GET", path)
            if seen is None:
                continue
            if seen["state"] == "gathering":
                status, _ = await self._ask(members[0], "POST", f"{path}/start")
                if status == 200:
                    self.book.begun.add(id)
            elif seen["state"] != "playing":
                return
            for bout in seen["bouts"]:
                if bout["url"] and bout["winners"] is None:
                    game = bout["url"].removeprefix("/g/")
                    await self._play(game, *members)

    async def _govern(self, *names: str) -> None:
        """A moderator mutes somebody again and again, each time for a reason of its own."""
        mona, other = [await self._sign_up(name) for name in names]
        await self.promote(mona.name, "moderator")
        while not self._done.is_set():
            reason, days = f"reason {next(self._numbers)}", self._chooser.randrange(3)
            path = f"/api/people/{other.name}/mute"
            status, _ = await self._ask(mona, "POST", path, days=days, reason=reason)
            self.book.decided.append((reason, status))
            await self._ask(other, "POST", path, days=0, reason="me")  # who may not

    async def promote(self, name: str, role: str) -> None:
        """By the command line, beside whatever happens to the server."""
        command = ["admin", "role", "--database", self.site.server.database, name, role]
        while (await asyncio.to_thread(run_aside, *command)).exit_code:
            await asyncio.sleep(AWAY)

    async def _come_and_go(self, name: str) -> None:
        """One after the other signs up, gives a mail address, and signs out and in again."""
        while not self._done.is_set():
            member = await self._sign_up(f"{name}{next(self._numbers)}")
            body = {"name": member.name, "password": PASSWORD}
            address = f"{self._run}-{next(self._numbers)}@example.org"
            given = {"address": address, "password": PASSWORD}
            status, _ = await self._ask(member, "PUT", "/api/account/mail", **given)
            if status == 200:
                self.book.mailed.add(address)
            token = member.client.cookies.get(COOKIE) or ""
            status, _ = await self._ask(member, "DELETE", "/api/sessions/current")
            if status == 204:
                self.book.left.append(token)
            told = None
            while told is None and not self._done.is_set():
                _, told = await self._ask(member, "POST", "/api/sessions", **body)

    # What there is in the end

    async def read(self, postbox: Postbox) -> ClubSeen:
        """All of it, from a server that has just started and is well."""
        seen = ClubSeen()
        admin = await self._sign_up(ADMIN)
        await self.promote(admin.name, "admin")
        people = {}
        for name in self.book.accounts:
            client = self._new_client()
            body = {"name": name, "password": PASSWORD}
            told = (await client.post("/api/sessions", json=body)).json()
            seen.people[name] = told.get("id")
            people[name] = client
            id = self.book.accounts[name]
            history = (await client.get(f"/api/ratings/person:{id}/skew")).json()
            seen.rated[name] = [(point["id"], point["number"]) for point in history["points"]]
            kept = (await client.get(f"/api/ratings/person:{id}")).json()["ratings"]
            seen.counted[name] = sum(one["games"] for one in kept)
        for id in self.book.entered:
            seen.events[id] = _see_event((await admin.client.get(f"/api/tournaments/{id}")).json())
        bouts = [bout.game for event in seen.events.values() for bout in event.bouts if bout.game]
        stranger = self._new_client()
        for game in {*self.book.games, *bouts}:
            answer = await stranger.get(f"/api/games/{game}")
            if answer.status_code == 404:
                continue
            table = seen.tables[game] = _see_table(answer.json())
            sitting = {name for name, id in self.book.accounts.items() if id in table.seats}
            others = self._chooser.sample(sorted(people), min(OTHERS, len(people)))
            for name in {"", *sitting, *others}:
                client = people[name] if name else stranger
                held = (await client.get(f"/api/games/{game}")).json()["yours"]
                table.yours[name] = tuple(held)
        notes = await self._read_notes(admin)
        seen.reasons = [note for note in notes if note.startswith("reason ")]
        for token in self.book.left:
            stranger.cookies.set(COOKIE, token)
            if (await stranger.get("/api/me")).json()["person"] is not None:
                seen.opened.append(token)
        seen.letters = await self._read_letters(postbox)
        return seen

    async def _read_notes(self, admin: Member) -> list[str]:
        about = f"person:{self.book.accounts[f'G {self._run}']}"
        found: list[str] = []
        query: dict[str, Any] = {"about": about, "limit": 100}
        while notes := (await admin.client.get("/api/audit", params=query)).json():
            found += [note["details"].get("reason", "") for note in notes]
            query["before"] = notes[-1]["n"]
        return found

    async def _read_letters(self, postbox: Postbox) -> set[str]:
        """The addresses to which mail has come, or waits to be sent."""
        database = Database(self.site.server.database)
        try:
            async with database.connect() as connection:
                waiting = set((await connection.scalars(select(outbox.c.address))).all())
        finally:
            await database.close()
        return waiting | {address for to, _ in list(postbox.mails.queue) for address in to}


def _see_table(told: dict[str, Any]) -> TableSeen:
    outcome = told["outcome"]
    return TableSeen(
        tuple(seat["person"] and seat["person"]["id"] for seat in told["seats"]),
        outcome is not None,
        told["rated"],
        outcome is not None and outcome["winner"] is None,
    )


def _see_event(told: dict[str, Any]) -> EventSeen:
    def find_id(entrant: str) -> str:
        return entrant.partition(":")[2]

    return EventSeen(
        told["state"],
        tuple(find_id(one["entrant"]) for one in told["standings"]),
        tuple(
            BoutSeen(
                tuple(find_id(one["entrant"]) for one in bout["players"]),
                bout["url"] and bout["url"].removeprefix("/g/"),
                None if bout["winners"] is None else tuple(bout["winners"]),
            )
            for bout in told["bouts"]
            if len(bout["players"]) > 1
        ),
        not any(one["left"] for one in told["standings"]),
    )
