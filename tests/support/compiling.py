"""Compiles, before the first test and on all cores, what most tests call.

Otherwise all processes of a run would start by compiling the same kernels at the same time. What
is missing here is compiled by the test that needs it, so a list that is too short costs time and
nothing else.
"""

import hashlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import skerry
from skerry.core.kernels.storage import CACHE
from skerry.rl import BatchEnv
from skerry.search.warmup import rehearse, warm_up, warm_up_solver
from skerry.study.forcing import Prover
from support import sizes


def compile_rules(game: skerry.Game) -> None:
    """Whatever a game that is played and looked at needs."""
    rehearse(game).overlay("targets")


def compile_counts(game: skerry.Game) -> None:
    game.playouts(1)
    game.perft(2)


def compile_search(game: skerry.Game) -> None:
    """The search that does without a net."""
    start = game.playable_start()
    if not start.is_over:
        skerry.analyse(start, simulations=1)


def compile_prover(game: skerry.Game) -> None:
    Prover(game).forces(game.playable_start(), 0, 0)


def compile_batches(game: skerry.Game) -> None:
    env = BatchEnv(game, 2, threads=1)
    env.step(env.sample(), seen=env.observe())
    env.playout()


EVERYTHING = (
    compile_rules,
    compile_counts,
    compile_search,
    warm_up_solver,
    compile_prover,
    compile_batches,
    warm_up,
)
OF_USUAL_BOARDS = (compile_rules, compile_counts, compile_search, warm_up)
Steps = tuple[Callable[[skerry.Game], None], ...]


def list_tasks() -> list[tuple[skerry.Game, Steps]]:
    """All that is compiled by itself: first small and default boards, of which most is asked."""
    smallest = [skerry.make(name, **rows[0][0]) for name, rows in sizes.SIZES.items()]
    little = {game.tables.dtype for game in smallest}
    usual = {skerry.make(name).tables.dtype for name in skerry.GAMES}

    def list_steps(game: skerry.Game) -> Steps:
        if game.tables.dtype in little:
            return EVERYTHING
        return OF_USUAL_BOARDS if game.tables.dtype in usual else (compile_rules,)

    tasks = [(game, list_steps(game)) for game in sizes.usual_capacities()]
    tasks.sort(key=lambda task: -len(task[1]))
    # One game begins with what all share, the sums of nets, and the others come to them last:
    # nothing is compiled by two processes at the same time.
    first, steps = tasks[0]
    tasks[0] = (first, (steps[-1], *steps[:-1]))
    return tasks


def take_steps(game: skerry.Game, steps: Steps) -> None:
    for step in steps:
        step(game)


def compile_all(jobs: int) -> None:
    """Compile whatever the list says in so many processes, unless that was done before."""
    stamp = CACHE / f"tests-{name_state()}"
    if stamp.exists():
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as processes:
        for done in [processes.submit(take_steps, *task) for task in list_tasks()]:
            done.result()
    with suppress(OSError):  # a cache that cannot be written is made anew by every process
        stamp.touch()


def name_state() -> str:
    """Names the list; the folder is named by what is compiled."""
    texts = [Path(file).read_bytes() for file in (__file__, sizes.__file__)]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:16]
