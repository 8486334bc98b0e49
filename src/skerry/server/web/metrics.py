"""Counters and gauges in the text format of Prometheus."""

from collections import defaultdict
from collections.abc import Callable

Labels = tuple[tuple[str, str], ...]

HELP = {
    "skerry_requests_total": ("counter", "HTTP requests by method and status"),
    "skerry_request_seconds_total": ("counter", "time spent on HTTP requests"),
    "skerry_moves_total": ("counter", "moves accepted, by who made them"),
    "skerry_games_created_total": ("counter", "games begun"),
    "skerry_games_live": ("gauge", "games that go on"),
    "skerry_websockets": ("gauge", "live connections"),
    "skerry_engine_queue": ("gauge", "games in which an engine is due to move"),
    "skerry_engine_seconds_total": ("counter", "time that engines took to answer"),
    "skerry_engine_failures_total": ("counter", "engine processes that died"),
    "skerry_analyses": ("gauge", "positions being analysed"),
    "skerry_analysis_failures_total": ("counter", "analysing processes that died"),
    "skerry_flags_total": ("counter", "games lost on time"),
}


class Metrics:
    """What has happened since this process started."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, defaultdict[Labels, float]] = defaultdict(
            lambda: defaultdict(float)
        )
        self.gauges: dict[str, Callable[[], float]] = {}

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        self._counts[name][tuple(labels.items())] += amount

    def text(self, **read: float) -> str:
        """All of it; ``read`` are gauges that had to be asked for elsewhere."""
        gauges = {name: gauge() for name, gauge in self.gauges.items()} | read
        lines = []
        for name, (kind, meaning) in HELP.items():
            lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
            if kind == "gauge":
                lines.append(f"{name} {gauges.get(name, 0):g}")
                continue
            for labels, value in self._counts[name].items() or [((), 0.0)]:
                said = ",".join(f'{key}="{text}"' for key, text in labels)
                lines.append(f"{name}{{{said}}} {value:g}" if said else f"{name} {value:g}")
        return "\n".join(lines) + "\n"
