"""Metrics for Prometheus: counters, gauges, and a histogram of latencies.

With several workers each counts for itself in a folder that all share, and whichever worker is
asked adds them all up. ``prometheus_client`` calls this multiprocess mode, and reads the name of
the folder when it is imported; so ``share_metrics`` makes it before the workers start.
"""

import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from skerry.server.web.parts import Part

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
# The goal for moves is a 99th percentile of 250 ms, so the buckets are narrow around it.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 1.0, 2.5, 5.0, 10.0)

router = APIRouter(tags=["operation"])
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """What has happened since the server started, and how it is now."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()

        def counter(name: str, about: str, *labels: str) -> Counter:
            return Counter(f"skerry_{name}", about, labels, registry=registry)

        def gauge(name: str, about: str, *labels: str) -> Gauge:
            return Gauge(
                f"skerry_{name}", about, labels, registry=registry, multiprocess_mode="livesum"
            )

        self.requests = counter("requests", "HTTP requests", "method", "status")
        self.latency = Histogram(
            "skerry_request_seconds",
            "Time from an HTTP request to the first byte of its response",
            ("method", "route"),
            registry=registry,
            buckets=BUCKETS,
        )
        self.moves = counter("moves", "Moves accepted, by who made them", "by")
        for who in ("person", "engine"):
            self.moves.labels(by=who)  # shown before there are any
        self.games_created = counter("games_created", "Games begun", "game")
        self.flags = counter("flags", "Games lost on time")
        self.pushes = counter(
            "pushes", "Messages to push services, by what became of them", "result"
        )
        self.websockets = gauge("websockets", "Viewers connected to games")
        self.lobby = gauge("lobby_websockets", "Viewers connected to the lobby")
        self.engine_queue = gauge("engine_queue", "Games in which an engine is due to move")
        self.engine_seconds = counter("engine_seconds", "Time engines took to answer", "engine")
        self.jobs = gauge("jobs", "Jobs of the process pool, running or waiting", "lane")
        self.worker_failures = counter("worker_failures", "Pool processes that died", "lane")
        self._asked: list[tuple[Gauge, Callable[[], Awaitable[float]]]] = []

    def ask(self, name: str, about: str, read: Callable[[], Awaitable[float]]) -> None:
        """Add a gauge that is read when somebody asks, and is the same for all workers."""
        gauge = Gauge(
            f"skerry_{name}", about, registry=self._registry, multiprocess_mode="livemostrecent"
        )
        self._asked.append((gauge, read))

    async def write(self) -> bytes:
        """All of it, in the text format of Prometheus."""
        for gauge, read in self._asked:
            gauge.set(await read())
        folder = os.environ.get(FOLDER)
        if folder is None:
            return generate_latest(self._registry)
        _forget_dead(Path(folder))
        everybody = CollectorRegistry()
        MultiProcessCollector(everybody, path=folder)  # type: ignore[no-untyped-call]
        return generate_latest(everybody)


@router.get("/metrics", response_class=PlainTextResponse)
async def show_metrics(metrics: Part[Metrics]) -> Response:
    """What has happened, in the text format of Prometheus."""
    return Response(await metrics.write(), media_type=CONTENT_TYPE_LATEST)


@contextmanager
def share_metrics(workers: int) -> Iterator[None]:
    """A folder in which workers started meanwhile count together; empty, and gone afterwards.

    Whoever sets ``PROMETHEUS_MULTIPROC_DIR`` chooses the folder, which then stays. A single worker
    needs none.
    """
    chosen = os.environ.get(FOLDER)
    if chosen is None and workers == 1:
        yield
        return
    with ExitStack() as stack:
        if chosen is None:
            chosen = stack.enter_context(TemporaryDirectory(prefix="skerry-metrics-"))
            stack.callback(os.environ.pop, FOLDER, None)
        folder = Path(chosen)
        folder.mkdir(parents=True, exist_ok=True)
        for left_over in folder.glob("*.db"):
            left_over.unlink()
        os.environ[FOLDER] = chosen
        yield


def _forget_dead(folder: Path) -> None:
    """Drop what workers that have died said of the present; what they counted stays."""
    for file in folder.glob("gauge_live*_[0-9]*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            mark_process_dead(process, str(folder))  # type: ignore[no-untyped-call]
        except PermissionError:
            pass  # it lives, and is somebody else's
