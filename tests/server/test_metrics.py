"""Metrics: latencies by route, and one answer for all workers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.serving import Server
from skerry.server.web import metrics
from skerry.server.web.metrics import BUCKETS, FOLDER

MOVES = "/api/games/{id}/moves"


def read(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """All samples, by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_latencies_are_told_by_route(server: Server) -> None:
    game = server.make_for_persons()
    before = read(server.client.get("/metrics").text)
    game.play()
    game.play()
    server.client.get("/nowhere/at/all")
    after = read(server.client.get("/metrics").text)
    route = (("method", "POST"), ("route", MOVES))
    counted = "skerry_request_seconds_count", route
    assert after[counted] == before.get(counted, 0) + 2
    buckets = [
        after["skerry_request_seconds_bucket", (("le", str(bound)), *route)] for bound in BUCKETS
    ]
    assert buckets == sorted(buckets)
    assert 0.25 in BUCKETS  # which answers whether 99 % of moves take less
    routes = {value for _, labels in after for name, value in labels if name == "route"}
    assert {MOVES, "/api/games/{id}", "/metrics", "none"} <= routes
    assert not any(game.id in route or "nowhere" in route for route in routes)
    played = "skerry_moves_total", (("by", "person"),)
    assert after[played] >= before.get(played, 0) + 2


def test_the_present_is_told(server: Server) -> None:
    server.make_for_persons()
    found = read(server.client.get("/metrics").text)
    assert found["skerry_games_live", ()] >= 1
    assert found["skerry_websockets", ()] >= 0
    assert found["skerry_engine_queue", ()] >= 0
    for lane in ("engines", "analyses", "boards", "saving", "pictures", "films", "reviews"):
        assert found["skerry_jobs", (("lane", lane),)] >= 0


WORKER = """
import asyncio, sys
from skerry.server.web.metrics import Metrics
metrics = Metrics()
async def count():
    return 7
metrics.ask("games_live", "", count)
metrics.flags.inc()
metrics.websockets.inc(3)
metrics.latency.labels(method="GET", route="/").observe(0.2)
print(asyncio.run(metrics.write()).decode())
print("END", flush=True)
sys.stdin.read()
"""


def test_workers_count_together_and_the_dead_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What workers have counted stays; what they said of the present goes with them."""

    def start() -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def hear(worker: "subprocess.Popen[str]") -> dict[str, float]:
        assert worker.stdout is not None
        told = "".join(iter(worker.stdout.readline, "END\n"))
        return {name: value for (name, _), value in read(told).items()}

    monkeypatch.setenv(FOLDER, str(tmp_path / "counts"))
    (tmp_path / "counts").mkdir()
    (tmp_path / "counts" / "counter_1.db").write_bytes(b"from before")
    with metrics.share_metrics(2):
        assert list((tmp_path / "counts").iterdir()) == []
        first = start()
        assert hear(first)["skerry_flags_total"] == 1
        second = start()
        both = hear(second)
        assert both["skerry_flags_total"] == 2
        assert both["skerry_websockets"] == 6
        assert both["skerry_games_live"] == 7
        assert both["skerry_request_seconds_count"] == 2
        first.kill()
        first.communicate()
        third = start()
        left = hear(third)
        assert left["skerry_flags_total"] == 3
        assert left["skerry_websockets"] == 6
        for worker in (second, third):
            worker.communicate()


def test_the_folder_of_the_workers_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    with metrics.share_metrics(1):
        assert FOLDER not in os.environ
    with metrics.share_metrics(2):
        folder = Path(os.environ[FOLDER])
        assert folder.is_dir()
    assert not folder.exists()
    assert FOLDER not in os.environ
