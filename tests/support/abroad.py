"""What another version of Python is asked to do: play every game to its end, search, have a command
play a match, and serve a page. Prints what was played; a match and a database stay in the folder.

    python -W error tests/support/abroad.py
"""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from random import Random

import skerry

COMMAND = (sys.executable, "-W", "error", "-m", "skerry.cli")
SMALL = ("-o", "size=2")


class Abroad:
    """A player of a module that is no part of skerry."""

    def choose(self, state: skerry.State) -> skerry.Move:
        return state.legal_moves()[-1]


def play_out(name: str) -> list[str]:
    """A game on a small board, the same everywhere: its positions, and how it ended."""
    game = skerry.make(name, **skerry.make(name).sizes[1])
    state, luck, line = game.initial(1), Random(1), []
    while not state.is_over:
        state = state.play(str(luck.choice(state.legal_moves())))
        line.append(state.position)
    assert state.outcome is not None
    return [*line, state.outcome.reason]


def play_all() -> dict[str, list[str]]:
    """All games, and the move that a search finds."""
    found = {name: play_out(name) for name in skerry.GAMES}
    search = skerry.analyse(skerry.make("x", size=2).initial(), simulations=50, seed=1)
    return {**found, "search": [str(search.best)]}


def play_match() -> None:
    players = ("random", f"{Path(__file__).stem}:Abroad")
    size = ("--games", "6", "--jobs", "1", "--out", "games")
    done = subprocess.run(
        [*COMMAND, "match", "x", *players, *SMALL, *size],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "6 games" in done.stdout, done.stderr


def serve() -> None:
    command = [*COMMAND, "serve", "--port", "0", "--database", "abroad.db", "--engines", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            with urllib.request.urlopen(f"{address.rstrip('/')}/rules/x") as page:  # noqa: S310
                assert b"Mark Steere" in page.read()
        finally:
            server.terminate()


if __name__ == "__main__":
    print(json.dumps(play_all()))
    play_match()
    serve()
