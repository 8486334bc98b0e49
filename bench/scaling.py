"""Games a second on one core, on all cores, and on a Ray cluster of as many nodes, in one run.

    pip install 'skerry[cluster]'
    python bench/scaling.py --write        # also puts the tables into docs/lab/scaling.md

Everybody plays the same games and takes turns, round by round; efficiency is the median over the
rounds of the speed, divided by the workers and by the speed of one worker in the same round. The
nodes are on this machine, with one core each, so the network is not in it.
"""

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import ray
from ray.cluster_utils import Cluster as Nodes

import skerry
from skerry.lab.contest.gamefolder import GameFolder
from skerry.lab.contest.match import Match, play_game
from skerry.lab.work.cluster import Cluster
from skerry.lab.work.executor import Cores, Crew, Site, count_cores
from skerry.search.warmup import warm_up

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))
from performance import TITLES, fill, table  # noqa: E402

STRENGTHS = (("level:2", "level:3"), ("level:5", "level:6"))
STORE = 80 * 2**20  # bytes of shared memory, of which games need next to nothing
TASKS = 2_000
LARGE = 1_000  # cores of the cluster that is estimated
MINUTES = 10
PRICE = 0.04  # dollars for a core and an hour, about what clouds ask

Fixtures = list[tuple[object, ...]]


@dataclass(frozen=True)
class Row:
    """One match: games a second on one core, and what many workers make of it."""

    title: str
    players: str
    rate: float
    here: float  # efficiency of as many processes as there are workers
    there: float  # of a cluster


@dataclass(frozen=True)
class Hub:
    """What the process that hands out the work can do in a second."""

    alone: float  # tasks without any work in them, by one process
    here: float  # by as many as there are workers
    there: float  # on the cluster
    kept: float  # games read again and saved


def time_all(crew: Crew[Any, object], tasks: Fixtures) -> float:
    """Tasks a second."""
    waiting = list(enumerate(tasks))[::-1]
    started = perf_counter()
    while waiting or crew.busy:
        while waiting and crew.has_room:
            key, arguments = waiting.pop()
            crew.start(key, *arguments)
        crew.wait()
    return len(tasks) / (perf_counter() - started)


def take_turns(
    sites: list[Site], work: Callable[..., object], rounds: list[Fixtures]
) -> list[list[float]]:
    """Tasks a second at every site in every round; a first round, which warms up, is left out."""
    with ExitStack() as stack:
        crews = [stack.enter_context(site.hire(work, print)) for site in sites]
        speeds = [[time_all(crew, tasks) for crew in crews] for tasks in rounds]
    return speeds[1:]


def measure_match(match: Match, sites: list[Site], chosen: argparse.Namespace) -> Row:
    seatings = len(match.seatings)

    def fixtures(number: int, games: int) -> Fixtures:
        """The games of a round, which no other round has."""
        first = number * games
        return [(match, *divmod(game, seatings)) for game in range(first, first + games)]

    warm_up(match.game)
    with Cores(1).hire(play_game, print) as crew:
        time_all(crew, fixtures(0, 2))
        rate = time_all(crew, fixtures(0, 4))
    games = max(2 * chosen.workers, round(rate * chosen.seconds))
    rounds = [fixtures(number, games) for number in range(chosen.rounds + 1)]
    speeds = take_turns(sites, play_game, rounds)
    return Row(
        TITLES[match.game.name],
        " - ".join(match.players),
        median(alone for alone, _, _ in speeds),
        median(here / alone for alone, here, _ in speeds) / chosen.workers,
        median(there / alone for alone, _, there in speeds) / chosen.workers,
    )


def measure_hub(sites: list[Site], chosen: argparse.Namespace) -> Hub:
    tasks: Fixtures = [(-1,)] * chosen.tasks
    speeds = take_turns(sites, abs, [tasks] * (chosen.rounds + 1))
    match = Match(skerry.make(chosen.games[0]), STRENGTHS[0], 2)
    records = [play_game(match, 0, seating) for seating in range(2)] * 20
    with TemporaryDirectory() as folder:
        store = GameFolder(Path(folder), match)
        started = perf_counter()
        for number, record in enumerate(records):
            store.save(0, number % 2, record)
        kept = len(records) / (perf_counter() - started)
    return Hub(*(median(column) for column in zip(*speeds, strict=True)), kept)


def tables(rows: list[Row], hub: Hub, workers: int) -> dict[str, str]:
    """The tables of docs/lab/scaling.md by the names of their places."""
    most = min(hub.there, hub.kept)
    many = f"{workers} processes"
    nodes = f"{workers} Ray nodes"
    estimates = []
    for row in rows:
        speed = row.rate * row.there
        games = LARGE * speed * 60 * MINUTES
        share = f"± {98 / games**0.5:.2f}"  # half of a 95 % interval around one half
        estimates.append([row.title, row.players, f"{most / speed:,.0f}", f"{games:,.0f}", share])
    return {
        "games": table(
            f"game | players | games/s on 1 core | {many} | efficiency | {nodes} | efficiency",
            (
                [
                    row.title,
                    row.players,
                    f"{row.rate:.2f}",
                    f"{row.rate * row.here * workers:.2f}",
                    f"**{row.here:.0%}**".replace("%", " %"),
                    f"{row.rate * row.there * workers:.2f}",
                    f"**{row.there:.0%}**".replace("%", " %"),
                ]
                for row in rows
            ),
        ),
        "hub": table(
            f"tasks/s with 1 process | {many} | {nodes} | files kept/s | seconds of a unit",
            [
                [
                    *(f"{value:,.0f}" for value in (hub.alone, hub.here, hub.there, hub.kept)),
                    f"{LARGE / most:.0f}",
                ]
            ],
        ),
        "estimate": table(
            "game | players | cores that a match can feed | "
            f"games of a report on {LARGE:,} cores in {MINUTES} minutes | share, in points",
            estimates,
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=skerry.GAMES)
    parser.add_argument("--workers", type=int, default=count_cores())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of one core in each round")
    parser.add_argument("--tasks", type=int, default=TASKS, help="without work, in each round")
    parser.add_argument(
        "--write", action="store_true", help="put the tables into docs/lab/scaling.md"
    )
    chosen = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f}, {chosen.rounds} rounds, Ray {ray.__version__}")
    node = {"num_cpus": 1, "object_store_memory": STORE}
    nodes = Nodes(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        for _ in range(chosen.workers - 1):
            nodes.add_node(**node)
        sites: list[Site] = [Cores(1), Cores(chosen.workers), Cluster(nodes.address)]
        rows = [
            measure_match(Match(skerry.make(name), players, 1), sites, chosen)
            for name in chosen.games
            for players in STRENGTHS
        ]
        written = tables(rows, measure_hub(sites, chosen), chosen.workers)
    finally:
        ray.shutdown()
        nodes.shutdown()
    for content in written.values():
        print(content)
    hours = LARGE * MINUTES / 60
    print(f"{LARGE} cores for {MINUTES} minutes: {hours:.0f} core-hours, {hours * PRICE:.0f} $")
    if chosen.write:
        fill(ROOT / "docs" / "lab" / "scaling.md", written)


if __name__ == "__main__":
    main()
