"""What a game of another distribution can do, tried in a process that has it installed.

python citizen.py CALLS, where CALLS is JSON: names of functions below, each with its arguments.
All are called in one process, since each process loads the rules anew.
"""

import json
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

END = "\f\n"
SMALL = {"side": 3, "line": 3}


def command(line: str) -> None:
    """A command, as people type it."""
    from skerry.cli import main  # noqa: PLC0415  # each function imports what it needs

    sys.argv = ["skerry", *shlex.split(line)]
    try:
        main()
    except SystemExit as end:
        print("ends with", end.code or 0)


def sample(code: str) -> None:
    exec(compile(code, "sample", "exec"), {})  # noqa: S102  # our own


def test(folder: str) -> None:
    """The tests of the package."""
    import pytest  # noqa: PLC0415

    assert pytest.main([folder, "-q", "-p", "no:cacheprovider", f"--rootdir={folder}"]) == 0


def serve() -> None:
    """A game against a level, and a puzzle."""
    from server.serving import Game, LocalServer  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder, LocalServer(Path(folder)) as server:
        body = {"game": "noughts", "options": SMALL, "seats": ["person", "level:1"]}
        made = server.client.post("/api/games", json=body).json()
        game = Game(server, made["id"], made["secrets"])
        while game.until(lambda seen: seen["to_move"] in (0, None))["to_move"] is not None:
            game.play()
        print(game.look()["outcome"]["reason"])
        for move in ("b2", "a1"):
            answer = {"moves": [move]}
            print(server.client.post("/api/puzzles/noughts/1/answer", json=answer).json()["words"])


def batch() -> None:
    """Games of a batch, and what the machines of a cluster compare."""
    import skerry  # noqa: PLC0415
    from skerry.lab.work.cluster import _expect  # noqa: PLC0415
    from skerry.rl import BatchEnv  # noqa: PLC0415

    env = BatchEnv(skerry.make("noughts", **SMALL), 4, threads=1)
    env.reset(1)
    for _ in range(3):
        env.step(env.sample())
    print([env.state(k).to_move for k in range(4)])
    print(*_expect())


if __name__ == "__main__":
    for name, *arguments in json.loads(sys.argv[1]):
        call: Any = globals()[name]
        call(*arguments)
        print(end=END, flush=True)
