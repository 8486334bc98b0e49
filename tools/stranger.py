"""A stranger's path, timed: from nothing to a bot on a server of one's own, in a clean environment
with an empty cache of kernels. Run it with: python tools/stranger.py

Packages come from pip's cache where it has them. Training needs torch, which is installed for it.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parent))
import footprint

BOT = footprint.ROOT / "docs" / "play" / "bot.py"
NOTEBOOK = footprint.ROOT / "examples" / "analyse.ipynb"
TRAINING = ["train", "x", "-o", "size=4", "--minutes", "1", "--device", "cpu", "--out", "run"]


def ask(address: str, path: str, body: dict[str, Any] | None = None, **headers: str) -> Any:
    """Ask a server for something as a browser does."""
    head = {"Content-Type": "application/json", **headers}
    content = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address + path, content, head), timeout=600) as answer:  # noqa: S310
        return json.load(answer)


def play_first(address: str) -> None:
    """Make a game against level 1, move, and wait for the answer."""
    made = ask(address, "api/games", {"game": "skew", "seats": ["person", "level:1"]})
    headers = {"X-Seat": ",".join(filter(None, made["secrets"]))}
    game = ask(address, f"api/games/{made['id']}", **headers)
    move = {"version": game["version"], "move": "d4-ne"}
    ask(address, f"api/games/{made['id']}/moves", move, **headers)
    while len(ask(address, f"api/games/{made['id']}", **headers)["moves"]) < 2:
        time.sleep(0.1)


@contextmanager
def serve(commands: Path, **settings: Any) -> Iterator[tuple[str, int]]:
    """The address of a server, and the number of its process."""
    process = subprocess.Popen(  # noqa: S603
        [str(commands / "skerry"), "serve", "--port", "0", "--database", "club.db"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        **settings,
    )
    try:
        yield (process.stdout or sys.exit("no output")).readline().split()[-1], process.pid
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    """Go the path and print a table in Markdown."""
    print("| step | s |\n|---|---|", flush=True)

    def step(what: str, deed: Callable[[], object]) -> None:
        began = time.perf_counter()
        deed()
        print(f"| {what} | {time.perf_counter() - began:.0f} |", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _, wheel = footprint.build(folder)
        settings = {"cwd": folder, "env": {**os.environ, "SKERRY_CACHE": str(folder / "cache")}}
        commands = footprint.make_environment(folder / "environment")

        def run(*command: object) -> None:
            line = [str(commands / str(command[0])), *map(str, command[1:])]
            subprocess.run(line, check=True, capture_output=True, **settings)  # noqa: S603

        def open_page() -> None:
            with serve(commands, **settings) as (address, _):
                urlopen(address, timeout=600).read()  # noqa: S310

        def play() -> None:
            with serve(commands, **settings) as (address, _):
                play_first(address)

        def play_bot() -> None:
            with serve(commands, **settings) as (address, _):
                run("python", BOT, address.rstrip("/"), "Robbie")

        step("`pip install 'skerry[web]'`", lambda: footprint.install(commands, wheel, "web"))
        step("`skerry serve`, until the first page is there", open_page)
        step("a first game: created, moved, answered by level 1", play)
        step("`skerry warm`: all else that is compiled", lambda: run("skerry", "warm"))
        step("a game on a server that is started anew", play)
        cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        step("`examples/analyse.ipynb`, all cells", lambda: run("python", "-c", "\n".join(code)))
        step("a bot of 40 lines plays a whole game on the server", play_bot)
        step("`pip install 'skerry[train]'`", lambda: footprint.install(commands, wheel, "train"))
        step(f"`skerry {' '.join(TRAINING)}`", lambda: run("skerry", *TRAINING))


if __name__ == "__main__":
    main()
