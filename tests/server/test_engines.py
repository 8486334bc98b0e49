"""Engines at the table: they answer, and survive a crash."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import active_children
from pathlib import Path
from queue import Queue

import pytest

import skerry
from server.serving import TINY, LocalServer, Server
from skerry.server.play import engines as engines_at_play
from skerry.server.play.engines import Engines, check_engine
from skerry.server.play.hub import Hub
from skerry.server.play.opponents import Opponents
from skerry.server.play.table import MAY_SWAP, PERSON, Seat, Table
from skerry.server.settings import Settings
from skerry.server.web.errors import Busy, TooMany
from skerry.server.web.metrics import Metrics
from skerry.server.workers.pool import Urgency
from support.repeating import some_of

MOVE = 7


@pytest.mark.parametrize("name", some_of(sorted(TINY), ["skew", "x"]))
def test_a_whole_game_against_engines(server: Server, name: str) -> None:
    game = server.make(name)
    while True:
        seen = game.until(lambda g: g["to_move"] in (0, None))
        if seen["to_move"] is None:
            break
        game.play()
    assert seen["outcome"]["reason"]
    assert seen["engine"] == "ready"
    assert not seen["thinking"]


def test_engines_among_themselves(server: Server) -> None:
    game = server.make("x", seats=["level:1", "random", "level:2"])
    assert game.secrets == [None] * 3
    assert game.until(lambda g: g["outcome"])["ply"] <= 4


def test_takeback_while_an_engine_thinks(server: Server) -> None:
    game = server.make("skew", seats=["person", "level:3"])
    game.play()
    answer = game.act("ask-takeback", 0)
    assert answer.status_code in (200, 409)  # the engine may have been quicker
    if answer.status_code == 200:
        assert answer.json()["ply"] == 0
        game.play()
    assert game.until(lambda g: g["to_move"] in (0, None))["ply"] == 2


def children_of(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            command = stat.with_name("cmdline").read_text()
        except OSError:
            continue
        if int(fields[1]) == pid and "spawn_main" in command:
            found.append(int(stat.parent.name))
    return found


@pytest.mark.soak
def test_a_dead_engine_process_is_replaced(tmp_path: Path) -> None:
    others = set(active_children())
    with LocalServer(tmp_path) as server:
        game = server.make("skew", seats=["person", "level:1"])
        game.until(lambda g: g["engine"] == "ready")
        (worker,) = set(active_children()) - others
        worker.kill()
        game.play()
        assert game.until(lambda g: g["to_move"] != 1)["ply"] >= 2


@dataclass
class Slow:
    """A pool that compiles for an engine as soon as there is a token for it."""

    begun: list[Urgency] = field(default_factory=list)
    tokens: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    @contextmanager
    def begin(
        self, lane: str, urgency: Urgency, job: object, *key: object
    ) -> Iterator[AsyncIterator[int]]:
        self.begun.append(urgency)
        yield self.compile(len(self.begun) == 1 or urgency == Urgency.GAME)

    async def compile(self, has_process: bool) -> AsyncIterator[int]:
        if has_process:
            yield 0
        await self.tokens.acquire()
        yield 40
        yield 95

    async def run(self, *order: object, visitor: str | None = None) -> int:
        return MOVE


def test_engines_are_ready_before_anybody_asks(tmp_path: Path) -> None:
    """The first engine begins beside the rules of all games; others come in the order of games."""
    asked: list[str] = []

    class Recorder(Slow):
        @contextmanager
        def begin(
            self, lane: str, urgency: Urgency, job: object, *key: object
        ) -> Iterator[AsyncIterator[int]]:
            asked.append(str(key[0]))
            self.tokens.release()
            with super().begin(lane, urgency, job, *key) as begun:
                yield begun

    class Rules:
        async def load_defaults(self) -> None:
            asked.append("rules")

        async def game(self, name: str, options: dict[str, int]) -> skerry.Game:
            return skerry.make(name, **options)

    async def start() -> None:
        engines = Engines(Recorder(), Metrics(), lambda: None)  # type: ignore[arg-type]
        await engines.get_ready(Rules(), 3)  # type: ignore[arg-type]
        await asyncio.gather(*engines._warming.values())
        assert engines.readiness(skerry.make("skew")) == 100
        assert engines.readiness(skerry.make("skaane")) == 0

    asyncio.run(start())
    assert sorted(asked[:2]) == ["rules", "skew"]
    assert asked[2:] == ["skirt", "x"]


def test_a_server_gets_ready_as_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: the first answer of an engine took 14 to 26 seconds after installing."""
    begun: Queue[int] = Queue()

    async def note(engines: Engines, rulebook: object, count: int) -> None:
        begun.put(count)
        await asyncio.Event().wait()  # nothing else is to be made ready here

    monkeypatch.setattr(Engines, "get_ready", note)
    with LocalServer(tmp_path, warm=2):
        assert begun.get(timeout=60) == 2


@pytest.fixture
def is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """All engines have been compiled on this machine, and have to be loaded only."""
    monkeypatch.setattr(engines_at_play, "is_ready", lambda game: True)


@pytest.mark.usefixtures("is_compiled")
def test_a_move_waits_for_whoever_loads_and_progress_is_told() -> None:
    async def play() -> None:
        pool, shown, table = Slow(), list[int](), Shelf().make("a")
        engines = Engines(pool, Metrics(), lambda: shown.append(engines.readiness(table.game)))  # type: ignore[arg-type]
        engines.warm_up(table.game)
        await asyncio.sleep(0)
        moves = [asyncio.create_task(engines.choose(table, "level:1")) for _ in range(2)]
        assert await engines.choose(table, "random") == MOVE  # which needs no engine
        assert engines.readiness(table.game) == 0
        pool.tokens.release()
        assert await asyncio.gather(*moves) == [MOVE, MOVE]
        assert shown == [40, 95, 100]
        assert pool.begun == [Urgency.NOBODY]

    asyncio.run(play())


def test_somebody_stands_in_for_an_engine_that_is_being_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines_at_play, "is_ready", lambda game: False)

    async def play() -> None:
        pool, table = Slow(), Shelf().make("a")
        engines = Engines(pool, Metrics(), lambda: None)  # type: ignore[arg-type]
        legal = table.state.legal_actions()
        for swap in (None, MAY_SWAP):
            table = replace(table, swap=swap)
            assert await engines.choose(table, "level:4") in legal
        assert await engines.wants_swap(table, "level:4") in (True, False)
        assert pool.begun == [Urgency.GAME]  # which nobody has waited for
        assert engines.readiness(table.game) == 0
        pool.tokens.release()
        await asyncio.gather(*engines._warming.values())
        assert await engines.choose(table, "level:4") == MOVE

    asyncio.run(play())


@pytest.mark.usefixtures("is_compiled")
def test_an_engine_that_is_played_against_overtakes_those_that_nobody_waits_for() -> None:
    async def play() -> None:
        pool, table = Slow(), Shelf().make("a")
        engines = Engines(pool, Metrics(), lambda: None)  # type: ignore[arg-type]
        engines.warm_up(skerry.make("skew", side=4))  # has the only process
        engines.warm_up(table.game)
        await asyncio.sleep(0)
        moves = [asyncio.create_task(engines.choose(table, "level:1")) for _ in range(2)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert pool.begun == [Urgency.NOBODY, Urgency.NOBODY, Urgency.GAME]
        pool.tokens.release()
        pool.tokens.release()
        assert await asyncio.gather(*moves) == [MOVE, MOVE]
        assert pool.begun == [Urgency.NOBODY, Urgency.NOBODY, Urgency.GAME]
        await engines.close()

    asyncio.run(play())


@dataclass
class Shelf:
    """Tables that are kept nowhere else."""

    tables: dict[str, Table] = field(default_factory=dict)

    def make(self, id: str, kinds: tuple[str, str] = ("level:1", "level:1")) -> Table:
        start = skerry.make("skew", side=3).initial()
        seats = tuple(Seat(kind, kind, claimed=True) for kind in kinds)
        self.tables[id] = Table(id, start, seats, 0, 0, 0, began=0)
        return self.tables[id]

    async def find(self, id: str) -> Table:
        return self.tables[id]

    async def replace(self, before: Table, after: Table) -> Table:
        assert self.tables[before.id] is before
        self.tables[before.id] = after
        return after


@dataclass
class Thinkers:
    """Engines that think until they are told to move: one token, one move."""

    thinking: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    tokens: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def choose(self, table: Table, _spec: str, visitor: str | None) -> int:
        name = f"{visitor}/{table.id}"
        self.thinking.append(name)
        await self.tokens.acquire()
        self.thinking.remove(name)
        self.moved.append(name)
        return int(table.state.legal_moves()[0])


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def open_opponents(shelf: Shelf, thinkers: Thinkers, **chosen: int) -> Opponents:
    hub = Hub(Metrics(), 120, lambda: 0)
    for id in shelf.tables:
        hub.look(id)
    settings = Settings(pace=0, **chosen)
    parts = (shelf, hub, thinkers, settings, Metrics(), lambda: 0)
    return Opponents(*parts)  # type: ignore[arg-type]


def test_what_a_look_lets_think_counts_for_whoever_looks() -> None:
    """Many games of one visitor share what one visitor may have, and nobody else waits."""

    async def test() -> None:
        shelf, thinkers = Shelf(), Thinkers()
        mine = [shelf.make(f"a{n}") for n in range(5)]
        other = shelf.make("b")
        opponents = open_opponents(shelf, thinkers, thinking=2)
        for table in mine:
            opponents.watch(table, "ann")
        await settle()
        assert thinkers.thinking == ["ann/a0", "ann/a1"]
        opponents.consider(other, "bob")
        await settle()
        assert thinkers.thinking == ["ann/a0", "ann/a1", "bob/b"]
        with pytest.raises(TooMany, match="enough games"):
            opponents.check("ann")
        opponents.check("cid")
        for _ in range(15):
            thinkers.tokens.release()
            await settle()
            assert sum(name.startswith("ann") for name in thinkers.thinking) <= 2
        assert set(thinkers.moved) >= {f"ann/a{n}" for n in range(5)}  # none is forgotten
        await opponents.close()

    asyncio.run(test())


def test_whoever_looks_at_a_game_of_others_does_not_take_it_over() -> None:
    async def test() -> None:
        shelf, thinkers = Shelf(), Thinkers()
        played, shown = shelf.make("played", ("level:1", PERSON)), shelf.make("shown")
        opponents = open_opponents(shelf, thinkers, thinking=2)
        opponents.consider(played, "ann")
        opponents.watch(shown, "bob")
        for table in (played, shown):
            opponents.watch(table, "cid")
        await settle()
        assert thinkers.thinking == ["ann/played", "bob/shown"]
        thinkers.tokens.release()
        await settle()
        opponents.watch(shelf.tables["played"], "cid")
        assert opponents._visitors.get("played") == "ann"
        await opponents.close()

    asyncio.run(test())


def test_visitors_take_turns_at_a_full_queue() -> None:
    async def test() -> None:
        shelf, thinkers = Shelf(), Thinkers()
        for n in range(4):
            shelf.make(f"a{n}", ("level:1", PERSON))
        for n in range(2):
            shelf.make(f"b{n}", ("level:1", PERSON))
        opponents = open_opponents(shelf, thinkers, engine_queue=2, thinking=0)
        for table in list(shelf.tables.values()):
            opponents.consider(table, {"a": "ann", "b": "bob"}[table.id[0]])
        await settle()
        with pytest.raises(Busy):  # for new games alone
            opponents.check("cid")
        for _ in range(6):
            thinkers.tokens.release()
            await settle()
        moved = [name.partition("/")[0] for name in thinkers.moved]
        assert moved == ["ann", "ann", "bob", "ann", "bob", "ann"]
        assert all(len(table.plies) == 1 for table in shelf.tables.values())
        await opponents.close()

    asyncio.run(test())


def test_a_full_queue_refuses_no_move(tmp_path: Path) -> None:
    with LocalServer(tmp_path, engine_queue=1, thinking=1) as server:
        own = server.make("skew")
        slow = server.make("skirt", seats=["level:8", "level:8"], options={"side": 6})
        assert slow.look()["thinking"]
        assert own.play()["ply"] == 1
        assert own.until(lambda game: game["ply"] == 2)["to_move"] == 0


def test_a_full_queue_is_said(tmp_path: Path) -> None:
    with LocalServer(tmp_path, engine_queue=1) as server:
        slow = server.make("skirt", seats=["level:10", "level:10"], options={"side": 6})
        body = {"game": "skew", "options": TINY["skew"]}
        response = server.client.post("/api/games", json=body)
        assert response.status_code == 503
        assert "busy" in response.json()["error"]
        assert server.make_for_persons().look()["to_move"] == 0
        assert slow.look()["thinking"]


def test_who_may_sit_here() -> None:
    assert check_engine(" Level:3 ", 8) == "level:3"
    assert check_engine("random", 1) == "random"
    for spec in ("level:4", "mcts:simulations=10", "human", "", "level:0"):
        with pytest.raises(skerry.OptionsError):
            check_engine(spec, 3)
