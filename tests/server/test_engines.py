"""Engines at the table: they answer, and survive a crash."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

import skerry
from server.serving import TINY, LocalServer, Server
from skerry.server.play.engines import Engines, check_engine
from skerry.server.web.metrics import Metrics


@pytest.mark.parametrize("name", sorted(TINY))
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


def test_a_dead_engine_process_is_replaced(tmp_path: Path) -> None:
    with LocalServer(tmp_path) as server:
        game = server.make("skew", seats=["person", "level:1"])
        game.until(lambda g: g["engine"] == "ready")
        (worker,) = children_of(os.getpid())
        os.kill(worker, signal.SIGKILL)
        game.play()
        assert game.until(lambda g: g["to_move"] != 1)["ply"] >= 2


def test_engines_are_ready_before_anybody_asks(tmp_path: Path) -> None:
    """The rules of all games come first, then engines in the order in which games are shown."""
    asked: list[str] = []

    class Recorder:
        async def run(self, _lane: object, _urgency: object, _job: object, *key: object) -> None:
            asked.append(str(key[0]))

    class Rules:
        async def load_defaults(self) -> None:
            asked.append("rules")

        async def game(self, name: str, options: dict[str, int]) -> skerry.Game:
            return skerry.make(name, **options)

    async def start() -> None:
        engines = Engines(Recorder(), Metrics(), lambda: None)  # type: ignore[arg-type]
        await engines.get_ready(Rules(), 3)  # type: ignore[arg-type]
        await asyncio.gather(*engines._warming.values())
        assert engines.is_warm(skerry.make("skew"))
        assert not engines.is_warm(skerry.make("skaane"))

    asyncio.run(start())
    assert asked == ["rules", "skew", "skirt", "x"]


def test_a_full_queue_is_said(tmp_path: Path) -> None:
    with LocalServer(tmp_path, engine_queue=1) as server:
        slow = server.make("skirt", seats=["level:8", "level:8"], options={"side": 6})
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
