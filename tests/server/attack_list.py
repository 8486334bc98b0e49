"""Attacks of one visitor, each within the default limits."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from itertools import count, product

from websockets.exceptions import ConnectionClosed

import skerry
from server.attacking import SECRET, Attacker
from skerry.records import Record, write_text

# Just below the default limits, a second.
READS, PREVIEWS, MOVES, CREATES = 45, 18, 9, 0.9
THEMES = [
    "+".join(parts)
    for parts in product(("light", "dark"), ("paper", "wood", "contrast"), ("shaded", "flat"))
]
GZIP = {"Accept-Encoding": "gzip"}
LARGE = {
    "game": "skaane",
    "options": {"width": 12, "height": 16, "gods": 8, "kings": 8, "serfs": 8, "suns": 0},
}


async def nothing(self: Attacker) -> None:
    """To compare with."""
    await asyncio.sleep(self.left)


async def lines(self: Attacker) -> None:
    """Long lines of play, a little different each time."""
    moves = self.prey.moves
    await self.flood(
        PREVIEWS, lambda n: ("POST", "/api/positions", self.trial | {"moves": moves[: -1 - n % 50]})
    )


async def drafts(self: Attacker) -> None:
    """A study of a long game, again and again."""
    await self.flood(READS, lambda n: ("GET", f"/study/new?from={self.prey.id}", None, GZIP))


async def boards(self: Attacker) -> None:
    """Boards of a long game, late in it, in all colours."""
    most, path = len(self.prey.moves), f"/api/games/{self.prey.id}/board.svg"
    await self.flood(
        PREVIEWS,
        lambda n: ("GET", f"{path}?theme={THEMES[n % len(THEMES)]}&live=true&ply={most - n % 99}"),
    )


async def rules(self: Attacker) -> None:
    """The rules of a game."""
    await self.flood(READS, lambda n: ("GET", "/rules/skaane", None, GZIP))


async def pages(self: Attacker) -> None:
    """Pages that take long to write."""
    found = ["/api", "/puzzles", "/puzzles/skew", "/rules/x", "/games/skirt", "/", "/puzzles/x/7"]
    await self.flood(READS, lambda n: ("GET", found[n % len(found)], None, GZIP))


async def documents(self: Attacker) -> None:
    """A long game, in all colours, and as a page."""
    game, page = f"/api/games/{self.prey.id}?theme=", f"/g/{self.prey.id}"
    await self.flood(
        READS,
        lambda n: ("GET", page if n % 2 else game + THEMES[n % len(THEMES)], None, GZIP),
    )


async def records(self: Attacker) -> None:
    """A long game as a record."""
    await self.flood(READS, lambda n: ("GET", f"/api/games/{self.prey.id}/record", None, GZIP))


async def saving(self: Attacker) -> None:
    """A long study, saved again and again."""
    made = await self.make("/api/studies", **{"from": self.prey.id})
    path, headers = f"/api/studies/{made['id']}", {"X-Seat": made["secret"]}
    moves = [{"move": move} for move in self.prey.moves]
    await self.flood(
        MOVES, lambda n: ("PUT", path, {"version": n, "line": {"moves": moves}}, headers)
    )


async def imports(self: Attacker) -> None:
    """Long records to be checked, all that a minute allows at once."""
    game = skerry.make("skaane", **self.prey.options)
    record = Record.from_moves(game, game.position(self.prey.start), self.prey.moves)
    text = write_text(record)
    await asyncio.gather(*(self.ask("POST", "/api/studies", {"record": text}) for _ in range(50)))
    await self.flood(CREATES, lambda n: ("POST", "/api/studies", {"record": text}))


async def films(self: Attacker) -> None:
    """Films, of which nobody waits for the end."""
    body = self.trial | {"position": self.trial["start"]}
    made = await self.make("/api/studies", **{k: v for k, v in body.items() if k != "start"})
    path, moves = f"/api/studies/{made['id']}", [{"move": m} for m in self.prey.moves[:290]]
    headers = {"X-Seat": made["secret"]}
    await self.ask("PUT", path, {"version": 0, "line": {"moves": moves}}, headers)
    for n in count():
        self.begin("GET", f"{path}/film.webp?width={640 - n % 200}", None, {}, 5)
        await asyncio.sleep(0.1 if n < 8 else 1 / CREATES)


async def pictures(self: Attacker) -> None:
    """Large pictures of large boards, and cards."""
    path = "/api/positions/board.png?width=2000&game=skaane&options=" + ",".join(
        f"{name}={value}" for name, value in LARGE["options"].items()
    )
    await self.flood(
        PREVIEWS,
        lambda n: ("GET", f"/study/new/card.png?from={self.prey.id}" if n % 2 else path),
    )


async def sizes(self: Attacker) -> None:
    """Boards of a size that nobody has asked for before."""
    found = list(product(range(4, 13), range(4, 17), range(1, 4)))
    random.Random(2).shuffle(found)

    def ask(n: int) -> tuple[object, ...]:
        width, height, suns = found[n % len(found)]
        options = {"width": width, "height": height, "gods": 2 * width - suns, "kings": 0}
        options |= {"serfs": 0, "suns": suns}
        return "POST", "/api/positions/setup", {"game": "skaane", "options": options}

    await self.flood(PREVIEWS, ask)


async def engines(self: Attacker) -> None:
    """Engines that play each other for as long as somebody looks."""
    body = {"game": "skirt", "options": {"side": 9}, "seats": ["level:8", "level:8"]}
    made = [await self.ask("POST", "/api/games", body) for _ in range(40)]
    ids = [json.loads(reply.body)["id"] for reply in made if reply.status == 201]
    await self.flood(READS, lambda n: ("GET", f"/api/games/{ids[n % len(ids)]}"))


async def viewers(self: Attacker) -> None:
    """As many viewers as one may have, each with colours of its own, of a game that goes on."""
    made = await self.make("/api/games", game="skaane", seats=["person", "person"])
    path = f"/api/games/{made['id']}"
    async with AsyncExitStack() as stack:
        for n in range(60):
            hello = {"theme": THEMES[n % len(THEMES)], "flipped": n % 24 < 12}
            live = await stack.enter_async_context(self.live(f"{path}/live", **hello))
            self.follow(live)
        while True:
            seen = json.loads((await self.ask("GET", path)).body)
            if seen.get("to_move") is None:
                break
            headers = {"X-Seat": made["secrets"][seen["to_move"]]}
            move = random.choice(seen["legal"])["move"]
            await self.ask(
                "POST", f"{path}/moves", {"version": seen["version"], "move": move}, headers
            )
            await asyncio.sleep(1 / MOVES)


async def hellos(self: Attacker) -> None:
    """Viewers who say hello again and again, and are sent a long game each time."""
    path = f"/api/games/{self.prey.id}/live"
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(8):
            live = await stack.enter_async_context(self.live(path, theme="light"))
            self.follow(live)
            found.append(live)
        for n in count():
            hello = {"type": "hello", "theme": THEMES[n % len(THEMES)]}
            with suppress(ConnectionClosed):
                await found[n % len(found)].send(json.dumps(hello))
            await asyncio.sleep(1 / READS)


async def analyses(self: Attacker) -> None:
    """Positions late in a long game, each on a connection of its own."""
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(40):
            live = await stack.enter_async_context(self.live("/api/analysis"))
            self.follow(live)
            found.append(live)
        for n in count():
            body = self.trial | {"moves": self.prey.moves[: -1 - n % 50]}
            asked = json.dumps({"type": "analyse", "n": n, **body}, separators=(",", ":"))
            with suppress(ConnectionClosed):
                await found[n % len(found)].send(asked)
            await asyncio.sleep(1 / PREVIEWS)


async def downloads(self: Attacker) -> None:
    """The archive, searched and taken away."""
    for _ in range(9):
        self.begin("GET", "/api/archive/download")
    await self.flood(READS, lambda n: ("GET", f"/api/archive?player=a{n}&limit=100"))


async def shelves(self: Attacker) -> None:
    """One's own games, fifty at a time."""
    games = [{"id": self.prey.id, "secrets": [SECRET]} for _ in range(50)]
    await self.flood(READS, lambda n: ("POST", "/api/games/mine", {"games": games}))


async def puzzles(self: Attacker) -> None:
    """Answers to puzzles, which engines judge."""
    shown = json.loads((await self.ask("GET", "/api/puzzles/skaane/48")).body)
    legal = [entry["move"] for entry in shown["board"]["legal"]]
    path = "/api/puzzles/skaane/48/answer"
    await self.flood(MOVES, lambda n: ("POST", path, {"moves": [legal[n % len(legal)]]}))


Attack = Callable[[Attacker], Awaitable[None]]
ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        nothing, lines, drafts, boards, rules, pages, documents, records, saving, imports, films,
        pictures, sizes, engines, viewers, hellos, analyses, downloads, shelves, puzzles,
    )
}  # fmt: skip
