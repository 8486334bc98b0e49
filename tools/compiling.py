"""What a new machine compiles, in seconds of a core: for every game what its first legal moves, a
move with its answer by a stand-in, all of its rules and the first move of level 3 take. Run it
with: python tools/compiling.py

Games come one after the other in processes of their own, with a cache that is empty at first: nets
are compiled for the first of them, and serve all.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import skerry
from skerry.search.players import player
from skerry.search.standin import stand_in
from skerry.search.warmup import in_per_cent, rehearse, warm_up_nets

LEVEL = "level:3"


def measure(deed: Callable[[], object]) -> str:
    """Seconds of a core, and how many kernels were compiled in them."""
    told: list[int] = []
    began = time.process_time()
    with in_per_cent(1, told.append):
        deed()
    return f"{time.process_time() - began:.1f} ({max(0, len(told) - 1)})"


def answer(game: skerry.Game) -> None:
    """Make a first turn, and have a stand-in answer it."""
    state = game.initial(0)
    while state.to_move == 0:
        state = state.play(state.legal_moves()[0])
    engine = stand_in(player(LEVEL), game)
    if engine is not None:
        engine.choose(state)


def measure_game(name: str) -> None:
    """Print the row of a game."""
    game = skerry.make(name)
    deeds: list[Callable[[], object]] = [
        lambda: game.initial(0).legal_moves(),
        lambda: answer(game),
        lambda: rehearse(game),
        lambda: warm_up_nets(game),
        lambda: player(LEVEL).choose(game.initial(0)),
    ]
    print(f"| {game.title} | {' | '.join(map(measure, deeds))} |", flush=True)


def main() -> None:
    """Print a table in Markdown."""
    if len(sys.argv) > 1:
        measure_game(sys.argv[1])
        return
    parts = "first legal moves | a move and its answer | all else of the rules | nets"
    print(f"| game | {parts} | search of level 3 |\n|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as cache:
        for name in skerry.GAMES:
            command = [sys.executable, __file__, name]
            subprocess.run(command, check=True, env={**os.environ, "SKERRY_CACHE": cache})  # noqa: S603


if __name__ == "__main__":
    main()
