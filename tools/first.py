"""First answers on a machine that is new to skerry: how long people wait for a page, a board, and
for an engine once they have moved. Run it with: python tools/first.py [LEVEL]

A server is started with an empty cache of kernels, and all games are played on it, one after the
other and without a pause; then each is played at a terminal, every time with an empty cache. Beside
seconds stand those of a core that were spent by the process that people wait for. On a machine that
does nothing else, where engines are compiled on another core, it takes about as long as that.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from urllib.request import urlopen

from stranger import ask, serve

import skerry

LEVEL = f"level:{sys.argv[1] if len(sys.argv) > 1 else 3}"
COMMANDS = Path(sys.executable).parent


def count_work(pid: int) -> float:
    """The seconds of a core that a process has spent so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(pid: int, deed: Callable[[], Any]) -> tuple[Any, str]:
    """What comes of something, how long it took, and what a process did in that time."""
    began, worked = time.perf_counter(), count_work(pid)
    found = deed()
    return found, f"{time.perf_counter() - began:.1f} ({count_work(pid) - worked:.1f})"


def seat(name: str) -> list[str]:
    """A person and engines."""
    return ["person", *[LEVEL] * (skerry.make(name).num_seats - 1)]


def play_on(address: str, pid: int, name: str) -> tuple[str, str]:
    """Make a game, make a turn in it, and wait until it is ours again."""

    def see() -> Any:
        return ask(address, f"api/games/{made['id']}", **headers)

    def move() -> None:
        while (seen := see())["to_move"] == 0:
            body = {"version": seen["version"], "move": seen["legal"][0]["move"]}
            ask(address, f"api/games/{made['id']}/moves", body, **headers)
        while see()["to_move"] != 0:
            time.sleep(0.02)

    body: dict[str, Any] = {"game": name, "seats": seat(name)}
    made, board = watch(pid, lambda: ask(address, "api/games", body))
    headers = {"X-Seat": ",".join(filter(None, made["secrets"]))}
    return board, watch(pid, move)[1]


def play_at_terminal(name: str, **settings: Any) -> tuple[str, str]:
    """Begin a game at a terminal, make a turn in it, and wait until it is ours again."""
    seats = [f"--seat{n}={kind}" for n, kind in enumerate(seat(name), 1) if kind != "person"]
    command = [str(COMMANDS / "skerry"), "play", name, *seats]
    process = subprocess.Popen(  # noqa: S603
        command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **settings
    )
    title = skerry.make(name).seats[0]
    ours, others = f"{title}> ", [f"{other} played" for other in skerry.make(name).seats[1:]]

    def read(*wanted: str) -> str:
        said = ""
        while not all(each in said for each in wanted):
            said += process.stdout.read(1) or sys.exit(f"it ended: {said}")  # type: ignore[union-attr]
        return said

    def write(line: str) -> None:
        process.stdin.write(f"{line}\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]

    def answer() -> None:
        said = ""
        while not all(each in said for each in others):
            write("hint")
            move = read("Type moves to list").split("\n")[-2].split()[0]
            read(ours)
            write(move)
            said = read(ours)

    try:
        board = watch(process.pid, lambda: read(ours))[1]
        return board, watch(process.pid, answer)[1]
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    """Print tables in Markdown."""
    print(f"load {os.getloadavg()[0]:.1f}, {LEVEL}\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings: dict[str, Any] = {
            "cwd": folder,
            "env": {**os.environ, "SKERRY_CACHE": str(folder / "cache")},
        }
        began = time.perf_counter()
        with serve(COMMANDS, **settings) as (address, pid):
            urlopen(address, timeout=600).read()  # noqa: S310
            took = f"{time.perf_counter() - began:.1f} s ({count_work(pid):.1f})"
            print(f"first page after {took}\n")
            print("| on a server | board, s | answer, s |\n|---|---|---|", flush=True)
            for game in skerry.GAMES:
                print(f"| {game} | {' | '.join(play_on(address, pid, game))} |", flush=True)
    print("\n| at a terminal | board, s | answer, s |\n|---|---|---|", flush=True)
    for game in skerry.GAMES:
        with tempfile.TemporaryDirectory() as cache:
            times = play_at_terminal(game, env={**os.environ, "SKERRY_CACHE": cache})
        print(f"| {game} | {' | '.join(times)} |", flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
