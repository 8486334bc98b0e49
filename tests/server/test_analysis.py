"""Analyses over a live connection: told while the engine thinks, and over as soon as wanted."""

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

import skerry
from server.serving import TINY, Host, LocalServer, Server, compile_analyses
from server.test_studies import create, look, play_whole_game
from skerry import records
from skerry.server.study.analyst import choose_budget
from skerry.server.study.model import MOST_ENTRIES
from skerry.server.workers.lanes import LOW
from support.repeating import some_of

# Boards that analyses go on with for long, without kernels of their own.
LARGE: dict[str, dict[str, int]] = {"skew": {}, "x": {"size": 7}}
SMALL = '"game": "x", "options": {"size": 2}'  # whose solver is compiled
PATIENCE = 300  # analyses yield to all else, and there is much else while tests run


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    compile_analyses("skew")


class Asker:
    """One connection, with numbers for its questions."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def ask(self, n: int, kind: str = "analyse", **content: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, "n": n, **content}))

    async def hear(self) -> dict[str, Any]:
        return dict(json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE)))

    async def until(self, kind: str, n: int) -> dict[str, Any]:
        while True:
            told = await self.hear()
            if (told["type"], told["n"]) == (kind, n):
                return told
            assert told["type"] != "error", told


@asynccontextmanager
async def talk(server: Host, **choices: Any) -> AsyncIterator[Asker]:
    address = server.url.replace("http", "ws", 1) + "/api/analysis"
    async with connect(address, max_size=None, **choices) as socket:
        yield Asker(socket)


def measure(server: Host, name: str) -> float:
    """A metric of the analyses lane."""
    lines = server.client.get("/metrics").text.splitlines()
    wanted = f'skerry_{name}{{lane="analyses"}} '
    return next(float(line.split()[1]) for line in lines if line.startswith(wanted))


def wait_until_idle(server: Server) -> None:
    """Nothing is analysed, and the processes use no time any more."""
    while measure(server, "jobs"):
        time.sleep(0.02)
    while True:
        before = [used(child) for child in active_children()]
        time.sleep(0.1)
        if [used(child) for child in active_children()] == before:
            return


def used(process: BaseProcess) -> int:
    """The time a process has used, in ticks."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@pytest.mark.parametrize("name", some_of(sorted(TINY), ["skew", "x"]))
def test_what_is_told_is_what_the_solver_knows(server: Server, name: str) -> None:
    state = skerry.make(name, **TINY[name]).initial(1)
    wanted = skerry.solve(state)

    async def follow() -> dict[str, Any]:
        async with talk(server) as asker:
            await asker.ask(1, game=name, options=TINY[name], start=state.position)
            while True:
                told = await asker.until("analysis", 1)
                assert sum(told["chances"]) == pytest.approx(1, abs=0.01)
                assert {move["move"] for move in told["moves"]} <= set(
                    map(str, state.legal_moves())
                )
                assert told["svg"].startswith("<svg")
                if told["done"]:
                    return told

    told = asyncio.run(follow())
    assert told["solved"]["moves"] == [str(move) for move in wanted.optimal_moves]
    winner = wanted.returns.index(max(wanted.returns))
    end = f"{state.game.seats[winner]} wins" if max(wanted.returns) == 1 else "a draw"
    assert told["solved"]["end"] == end
    if told["proven"]:
        assert told["proven"] == end
    wait_until_idle(server)


def test_a_new_question_takes_the_place_of_the_old_one(server: Server) -> None:
    async def follow() -> None:
        async with talk(server) as asker:
            for n in range(1, 6):
                await asker.ask(n, game="x", options=LARGE["x"], moves=["a1"] * (n % 2))
            told = await asker.until("analysis", 5)
            assert told["visits"] > 0
            for _ in range(3):
                assert measure(server, "jobs") <= 1
                assert (await asker.hear())["n"] == 5
            await asker.ask(6, "stop")
            wait_until_idle(server)

    asyncio.run(follow())


def test_whoever_goes_away_leaves_nothing_behind(server: Server) -> None:
    async def follow() -> None:
        async with talk(server) as asker:
            await asker.ask(1, game="skew")
            await asker.until("analysis", 1)
            assert measure(server, "jobs") == 1

    asyncio.run(follow())
    wait_until_idle(server)


def test_many_at_once_are_all_served(server: Server) -> None:
    async def follow(n: int) -> None:
        async with talk(server) as asker:
            name = ("skew", "x")[n % 2]
            await asker.ask(n, game=name, options=LARGE[name])
            first = await asker.until("analysis", n)
            while (await asker.until("analysis", n))["visits"] <= first["visits"]:
                pass

    async def all_of_them() -> None:
        await asyncio.gather(*(follow(n) for n in range(6)))

    asyncio.run(all_of_them())


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("nonsense", "JSON"),
        ('{"type": "dance", "n": 1}', "analyse, review or stop"),
        ('{"type": "analyse", "n": 1}', "game"),
        ('{"type": "analyse", "n": 1, "game": "chess"}', "chess"),
        (f'{{"type": "analyse", "n": 1, {SMALL}, "theme": "pink"}}', "no theme"),
        (f'{{"type": "analyse", "n": 1, {SMALL}, "moves": ["a1", "a1"]}}', "a1"),
        (f'{{"type": "analyse", "n": 1, {SMALL}, "start": "?"}}', "fields"),
        ('{"type": "review", "n": 1, "study": "nowhere"}', "no such study"),
        ('{"type": "review", "n": 1, "study": "../.."}', "pattern"),
    ],
)
def test_what_is_wrong_is_said(server: Server, message: str, says: str) -> None:
    async def follow() -> dict[str, Any]:
        async with talk(server) as asker:
            await asker.socket.send(message)
            told = await asker.hear()
            # And the connection is as good as before.
            await asker.ask(2, game="skew")
            await asker.until("analysis", 2)
            return told

    told = asyncio.run(follow())
    assert told["type"] == "error"
    assert says in told["error"]


def test_pages_of_others_may_not_ask(server: Server) -> None:
    async def follow() -> None:
        with pytest.raises(InvalidStatus):
            async with talk(server, origin="https://elsewhere.example"):
                pass

    asyncio.run(follow())


def test_a_game_that_is_over(server: Server) -> None:
    state = skerry.make("x", size=2).initial()
    moves = []
    while not state.is_over:
        moves.append(str(state.legal_moves()[0]))
        state = state.play(moves[-1])

    async def follow() -> dict[str, Any]:
        async with talk(server) as asker:
            await asker.ask(1, game="x", options={"size": 2}, moves=moves)
            return await asker.hear()

    assert "the game is over" in asyncio.run(follow())["error"]


@pytest.mark.soak
def test_a_dead_process_is_replaced(tmp_path: Path) -> None:
    others = set(active_children())
    with LocalServer(tmp_path) as server:

        async def follow() -> None:
            async with talk(server) as asker:
                await asker.ask(1, game="skew")
                for _ in range(2):
                    before = await asker.until("analysis", 1)
                (process,) = set(active_children()) - others
                assert os.getpriority(os.PRIO_PROCESS, process.pid or 0) >= LOW
                process.kill()
                while (await asker.until("analysis", 1))["seconds"] >= before["seconds"]:
                    pass  # until another process has begun again
                assert measure(server, "worker_failures_total") == 1
                # What kills two processes is not tried again.
                (process,) = set(active_children()) - others
                process.kill()
                while (told := await asker.hear())["type"] != "error":
                    pass
                assert "cannot be analysed" in told["error"]
                await asker.ask(2, game="skew")
                await asker.until("analysis", 2)

        asyncio.run(follow())


@pytest.mark.soak
def test_a_full_queue_is_said_and_a_visitor_has_one_at_a_time(tmp_path: Path) -> None:
    with LocalServer(tmp_path, analysis_queue=1) as server:

        async def crowd() -> None:
            async with talk(server) as first, talk(server) as second:
                await first.ask(1, game="skew")
                await first.until("analysis", 1)
                await second.ask(1, game="skew")
                assert (await second.hear())["status"] == 503
                await first.ask(2, "stop")
                await second.ask(2, game="skew")
                await second.until("analysis", 2)

        asyncio.run(crowd())
    with LocalServer(tmp_path, analysing=1) as server:

        async def replace() -> None:
            async with talk(server) as first, talk(server) as second:
                await first.ask(1, game="skew")
                await first.until("analysis", 1)
                await second.ask(1, game="skew")
                await second.until("analysis", 1)
                while (told := await first.hear())["type"] != "error":
                    pass
                assert "another page of yours" in told["error"]

        asyncio.run(replace())


def test_a_review_says_what_the_library_says_and_is_kept(server: Server) -> None:
    moves, record = play_whole_game()
    made = create(server, record=records.to_json(record))

    async def follow() -> dict[str, Any]:
        async with talk(server) as asker:
            await asker.ask(1, "review", study=made["id"])
            progress = await asker.until("progress", 1)
            assert 0 < progress["done"] <= progress["of"]
            found = await asker.until("review", 1)
            await asker.until("kept", 1)
            return dict(found["review"])

    found = asyncio.run(follow())
    wanted = skerry.review(record, **choose_budget(record.game))
    assert found["moves"] == moves
    assert [ply["mark"] for ply in found["plies"]] == [move.mark for move in wanted.moves]
    assert [ply["loss"] for ply in found["plies"]] == pytest.approx(
        [move.loss for move in wanted.moves], abs=0.001
    )
    worst = max(found["plies"], key=lambda ply: ply["loss"])
    assert worst["mark"]
    assert worst["words"].endswith(f"better: {worst['best']}")
    assert worst["line"][0] == {"move": worst["best"], "seat": worst["seat"]}
    assert look(server, made)["review"] == found
    copy = create(server, study=made["id"])
    assert look(server, copy)["review"] == found
    assert len(moves) < MOST_ENTRIES


def test_a_review_does_not_blame_most_moves_of_an_opening() -> None:
    """Forty moves of level 4 in X, of which a search that no net guides would blame 28."""
    moves = (
        "i4 c4 d8 b6 d7 h1 i7 a4 a3 g8 f4 h4 i6 c8 j5 e2 d2 i8 h7 j7 "
        "i3 j6 c10 b8 d4 f10 d3 h9 i9 g9 e3 d10 h8 h2 j8 i10 c3 a10 b9 h10"
    )
    record = records.Record.from_moves(skerry.make("x"), moves=moves.split())
    budget = choose_budget(record.game)
    quick = budget | {"simulations": budget["simulations"] // 4}
    assert len(skerry.review(record, **quick).mistakes) <= 8


@pytest.mark.soak
def test_a_review_without_a_database_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "skerry.db"
    with LocalServer(tmp_path) as server:
        made = create(server, record=records.to_json(play_whole_game()[1]))

        async def ask() -> None:
            async with talk(server) as asker:
                with closing(sqlite3.connect(database)) as connection:
                    connection.execute("ALTER TABLE studies RENAME TO elsewhere")
                    await asker.ask(1, "review", study=made["id"])
                    refused = await asker.hear()
                    assert (refused["type"], refused["n"]) == ("error", 1)
                    assert refused["status"] == 503
                    assert "try again" in refused["error"]
                    connection.execute("ALTER TABLE elsewhere RENAME TO studies")
                await asker.ask(2, "review", study=made["id"])
                await asker.until("kept", 2)

        asyncio.run(ask())


def test_a_review_that_nobody_waits_for_ends(server: Server) -> None:
    moves: list[str] = []
    state = skerry.make("x").initial()
    while not state.is_over:
        moves.append(str(state.legal_moves()[-1]))
        state = state.play(moves[-1])
    made = create(
        server, record=records.to_json(records.Record.from_moves(state.game, moves=moves))
    )

    async def follow() -> None:
        async with talk(server) as asker:
            await asker.ask(1, "review", study=made["id"])
            await asker.until("progress", 1)

    asyncio.run(follow())
    wait_until_idle(server)
    assert look(server, made)["review"] is None
