"""Nothing happens twice, and nothing that was promised is lost."""

import asyncio
import json
import random
import signal
import time
from pathlib import Path

import httpx
import pytest

from server.serving import Server, is_alive
from server.test_engines import children_of

RIVALS = 24
PLAYERS = 5
KILLS = 5


def test_of_many_rivals_one_wins(server: Server) -> None:
    game = server.make_for_persons("x")
    moves = [entry["move"] for entry in game.look()["legal"]]

    async def race() -> list[int]:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            answers = await asyncio.gather(
                *(
                    client.post(
                        f"{game.path}/moves",
                        headers=game.header(),
                        json={"version": 0, "move": moves[n % len(moves)]},
                    )
                    for n in range(RIVALS)
                )
            )
        return [answer.status_code for answer in answers]

    codes = asyncio.run(race())
    assert sorted(codes) == [200] + [409] * (RIVALS - 1)
    assert game.look()["ply"] == 1


def test_of_many_rematches_there_is_one(server: Server) -> None:
    game = server.make_for_persons()
    game.act("resign", 0)

    async def race() -> set[str]:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            answers = await asyncio.gather(
                *(
                    client.post(
                        f"{game.path}/actions",
                        headers=game.header(),
                        json={"version": 1, "action": "rematch"},
                    )
                    for _ in range(8)
                )
            )
        assert {answer.status_code for answer in answers} <= {200, 409}
        return {
            (a.json() if a.status_code == 200 else a.json()["game"])["rematch"] for a in answers
        }

    assert len(asyncio.run(race())) == 1


async def keep_playing(url: str, promised: dict[str, list[str]], stop: asyncio.Event) -> None:
    """Play one game after the other, noting what the server has confirmed, until it is gone."""
    chooser = random.Random(len(promised))
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        try:
            while not stop.is_set():
                body = {"game": "skew", "options": {"side": 3}, "seats": ["person", "person"]}
                made = (await client.post("/api/games", json=body)).json()
                path = f"/api/games/{made['id']}"
                seen = (await client.get(path)).json()
                promised[path] = []
                while seen["to_move"] is not None and not stop.is_set():
                    move = chooser.choice(seen["legal"])["move"]
                    answer = await client.post(
                        f"{path}/moves",
                        headers={"X-Seat": ",".join(made["secrets"])},
                        json={"version": seen["version"], "move": move},
                    )
                    assert answer.status_code == 200, answer.text
                    promised[path].append(move)
                    seen = answer.json()
        except httpx.TransportError:
            return


@pytest.mark.soak
def test_a_server_that_is_killed_again_and_again_has_lost_nothing(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "skerry.db"), tmp_path / "log")
    promised: dict[str, list[str]] = {}

    async def play_until_killed(moves: int) -> None:
        before = sum(map(len, promised.values()))
        players = [
            asyncio.create_task(keep_playing(server.url, promised, asyncio.Event()))
            for _ in range(PLAYERS)
        ]
        while sum(map(len, promised.values())) < before + moves:
            assert not any(task.done() for task in players)
            await asyncio.sleep(0.005)
        server.process.kill()
        await asyncio.gather(*players)

    for kill in range(KILLS):
        server.start()
        asyncio.run(play_until_killed(20 + 7 * kill))
        server.kill()
    with server:
        for path, moves in promised.items():
            found = [move["text"] for move in server.client.get(path).json()["moves"]]
            # One more may have been made whose answer nobody heard.
            assert found[: len(moves)] == moves
            assert len(found) <= len(moves) + 1
        path = next(path for path, moves in promised.items() if moves)
        assert server.client.get(path).json()["legal"]


def test_a_server_that_is_killed_has_lost_nothing(tmp_path: Path) -> None:
    with Server(str(tmp_path / "skerry.db"), tmp_path / "log") as server:
        slow = server.make_for_persons(clock={"kind": "days", "days": 1})
        slow.play()
        before = slow.play()
        slow.post("chat", 0, text="brb")
        # The clock of somebody runs when there is no server any more.
        late = server.make_for_persons(clock={"kind": "move", "seconds": 1})
        late.play()
        seen = late.play()
        server.kill()
        server.start()
        # Nobody's time ran meanwhile, and there is some to come back; then it goes on.
        shown = late.look()
        assert (shown["outcome"], shown["clock"]["remaining"][0]) == (None, 1000)
        move = late.post("moves", 0, version=seen["version"], move=seen["legal"][0]["move"])
        assert move.status_code == 200
        over = late.until(lambda game: game["outcome"])["outcome"]
        assert over["winner"] == 0
        assert "ran out of time" in over["reason"]
        after = slow.look()
        for key in ("position", "version", "moves", "seats", "legal", "svg"):
            assert after[key] == before[key]
        assert after["chat"][0]["text"] == "brb"
        assert after["clock"]["running"] == 0
        slow.play()
        # And it ends gently if it is asked to.
        assert server.stop() in (0, -signal.SIGTERM)
        log = server.log.read_text()
    assert "Traceback" not in log
    lines = [json.loads(line) for line in log.splitlines()]
    assert any(line["event"] == "request" and line["path"] == slow.path for line in lines)
    assert {"at", "level", "from", "event"} <= set(lines[0])


@pytest.mark.soak
def test_engines_go_on_and_leave_nobody_behind(tmp_path: Path) -> None:
    with Server(str(tmp_path / "skerry.db"), tmp_path / "log") as server:
        # A flag falls with nobody connected.
        gone = server.make_for_persons(clock={"kind": "move", "seconds": 1})
        for _ in range(2):
            gone.play()
        while "skerry_flags_total 1.0\n" not in server.client.get("/metrics").text:
            time.sleep(0.02)
        # An engine is about to answer, and a process to analyse something.
        played = server.make("skew", seats=["person", "level:1"])
        played.until(lambda g: g["engine"] == "ready")
        server.client.get("/study/new", params={"game": "skew", "options": "side=2"})
        workers = children_of(server.process.pid)
        assert len(workers) == 3
        played.play()
        server.kill()
        while any(map(is_alive, workers)):
            time.sleep(0.01)
        server.start()
        assert played.until(lambda g: g["to_move"] != 1)["ply"] >= 2
