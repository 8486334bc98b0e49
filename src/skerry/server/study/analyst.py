"""What the engine thinks of positions and games, for the processes of the pool.

Positions are analysed in slices of time, so that one process serves many visitors; whatever cannot
be cut into slices runs in a thread meanwhile. Little is imported here, so that processes start
quickly.
"""

import time
from collections.abc import Generator
from contextlib import suppress
from functools import cache, lru_cache
from threading import Event
from typing import Any

from skerry.core.errors import OptionsError, SolveLimit
from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.games import make
from skerry.records import Record
from skerry.render.frames import draw_line
from skerry.render.raster import shoot
from skerry.search.analysis import Analysis, MoveAnalysis
from skerry.search.engine import best_net, judging_net, plant
from skerry.search.overlay import chance, view
from skerry.search.review import LONGEST_VARIATION, MoveReview, review
from skerry.search.solver.solver import Solution, Solver
from skerry.search.tree import WIN
from skerry.server.play.boards import board
from skerry.server.positions.trials import Trials
from skerry.server.web.lru import Recent
from skerry.server.workers.aside import run_aside
from skerry.server.workers.thinking import Settled
from skerry.server.workers.warm import room_for

MOST_GAMES = 64  # with their options
SLICE = 0.05  # seconds for a position before it is another one's turn
EVERY = 0.25  # seconds between two reports
THINKING = 10.0  # seconds for a position in all
NODES = 400_000
LINES = 4  # candidates whose lines are followed
SHOWN = 12  # candidates that are told of
SOLVING = 1.0  # seconds in which the exact solver has to be done
SOLVER_SLICE = 0.05
SOLVER_ENTRIES = 2**18
REVIEWED = 8_000  # simulations for every position of a game that is reviewed
REVIEWED_BY_NET = 128  # where a net guides them
MOST_REVIEWED = 600  # plies
MOST_FILMED = 300

Task = dict[str, Any]  # game, options, start, seed, moves
Report = dict[str, Any]
Reports = Generator[Report | None, None, None]


def prepare_game(name: str, options: Settled) -> Reports:
    """Get ready for a game that somebody may want to analyse."""
    yield from _load(name, dict(options))


def analyse_position(task: Task) -> Reports:
    """What the engine thinks of a position, again and again until it has thought enough."""
    game = yield from _load(task["game"], task["options"])
    line = _follow(game, task)
    state = line.state
    search = plant(state, nodes=NODES, net=best_net(game))
    solving = _solve(state)
    spent, told, solution, done = 0.0, 0.0, None, False
    while not done:
        found = search.run(seconds=SLICE, lines=LINES)
        spent += SLICE
        if told:  # nobody is to wait for the solver
            yield None
            solution, tried = next(solving)
            done = spent >= THINKING or (tried and (found.proven or solution is not None))
        if done or time.monotonic() - told >= EVERY:
            told = time.monotonic()
            overlay = view(state, found)
            yield {
                "type": "analysis",
                "visits": search.visits,
                "seconds": round(spent, 2),
                **_describe(state, found, solution),
                "spoken": ". ".join(overlay.words),
                "svg": board(line, task["theme"], overlay, turned=task["turned"]),
                "done": done,
            }
        else:
            yield None


def review_game(task: Task) -> Reports:
    """What the engine thinks of every move of a game; how far it has come is told meanwhile."""
    game = yield from _load(task["game"], task["options"])
    line = _follow(game, task)
    if line.plies > MOST_REVIEWED:
        raise OptionsError(f"games of up to {MOST_REVIEWED} plies can be reviewed")
    record = Record.from_play(line)
    progress = [0, 1]

    def look(stop: Event) -> Any:
        def tell(done: int, of: int) -> None:
            if stop.is_set():
                raise InterruptedError
            progress[:] = [done, of]

        return review(record, **choose_budget(game), tell=tell)

    running = run_aside(look)
    told = 0
    while True:
        try:
            next(running)
        except StopIteration as end:
            found = end.value
            break
        if progress[0] != told:
            told = progress[0]
            yield {"type": "progress", "done": told, "of": progress[1]}
        else:
            yield None
    plies = [
        _describe_ply(state, judged)
        for state, judged in zip(record.states(), found.moves, strict=False)
    ]
    yield {"type": "review", "review": {"moves": list(line.texts), "plies": plies}}


def choose_budget(game: Game) -> dict[str, Any]:
    """How much thought goes into every position of a game that is reviewed."""
    net = judging_net(game)
    return {"net": net, "simulations": REVIEWED if net is None else REVIEWED_BY_NET}


def make_film(
    task: Task, theme: str, ending: str, width: int
) -> Generator[tuple[int, int], None, bytes]:
    """A game as a film; how many of how many pictures are drawn is told meanwhile."""
    line = _follow(make(task["game"], **task["options"]), task)
    if line.plies > MOST_FILMED:
        raise OptionsError(f"games of up to {MOST_FILMED} plies can be filmed")
    pictures = draw_line(line, theme)
    shooting = shoot(pictures, ending, width)
    while True:
        try:
            yield next(shooting), len(pictures)
        except StopIteration as end:
            return bytes(end.value)


# Getting ready


def _load(name: str, options: dict[str, int]) -> Generator[None, None, Game]:
    """A game; what it takes to think about it may have to be compiled first."""
    key = name, tuple(sorted(options.items()))
    game = _games().get(key)
    if game is None:
        game = yield from run_aside(lambda stop: _rehearse(make(name, **options)))
        _games()[key] = game
    return game


@cache
def _games() -> Recent[Any, Game]:
    return Recent(MOST_GAMES)


def _rehearse(game: Game) -> Game:
    """Load all that thinking about a game uses."""
    room_for(game)
    state = game.position(game.playable_start().position)
    if state.is_over:
        return game
    found = plant(state, nodes=NODES, net=best_net(game)).run(simulations=100)
    state.svg(overlay=view(state, found))
    with suppress(SolveLimit):  # it is about the kernels
        Solver(game, SOLVER_ENTRIES).solve(state, nodes=1)
    return game


def _follow(game: Game, task: Task) -> Playthrough:
    """The line of play that a task names."""
    start = task["start"]
    state = game.initial(task["seed"] or 0) if start is None else game.position(start)
    return _trials().find(state, task["moves"])


@cache
def _trials() -> Trials:
    return Trials()


# Solving


@lru_cache(maxsize=1)
def _solver(game: Game) -> Solver:
    return Solver(game, SOLVER_ENTRIES)


def _solve(state: State) -> Generator[tuple[Solution | None, bool], None, None]:
    """Try to solve a position: the solution if there is one by now, and whether that is all."""
    solver, solution, spent = _solver(state.game), None, 0.0
    while solution is None and spent < SOLVING:
        # What was found in one slice is still in the table in the next.
        spent += SOLVER_SLICE
        try:
            solution = solver.solve(state, seconds=SOLVER_SLICE)
        except SolveLimit:
            yield None, False
    while True:
        yield solution, True


# Telling


def _describe(state: State, found: Analysis, solution: Solution | None) -> Report:
    most = max(sum(move.visits for move in found.moves), 1)
    return {
        "values": found.values,
        "chances": _chances(found.values),
        "proven": _name_end(found.values, state.game) if found.proven else None,
        "moves": [_describe_move(move, most) for move in found.moves[:SHOWN]],
        "solved": solution
        and {
            "end": _name_end(solution.returns, state.game),
            "chances": _chances(solution.returns),
            "moves": [str(move) for move in solution.optimal_moves],
        },
    }


def _describe_move(move: MoveAnalysis, visits: int) -> Report:
    return {
        "move": str(move.move),
        "visits": move.visits,
        "share": round(move.visits / visits, 4),
        "values": move.values,
        "chances": _chances(move.values),
        "proven": move.proven,
        "pv": [str(step) for step in move.pv],
    }


def _describe_ply(state: State, judged: MoveReview) -> Report:
    said = N_(f"{judged.turn} {judged.move} loses {judged.loss:.2f}; better: {judged.best}")
    game, better = state.game, []
    for move in judged.line[:LONGEST_VARIATION] if judged.mark else ():
        better.append({"move": str(move), "seat": state.to_move})
        state = state.play(move)
    return {
        "turn": judged.turn,
        "seat": judged.seat,
        "move": str(judged.move),
        "chances": _chances(judged.values),
        "proven": _name_end(judged.values, game) if judged.proven else None,
        "best": str(judged.best),
        "best_chances": _chances(judged.best_values),
        "line": better,
        "loss": round(judged.loss, 3),
        "mark": judged.mark,
        "words": said if judged.mark else "",
    }


def _chances(values: tuple[float, ...]) -> list[float]:
    """What every seat may expect, as parts of one win."""
    return [round(chance(value, len(values)), 4) for value in values]


def _name_end(values: tuple[float, ...], game: Game) -> str:
    best = max(values)
    return N_(f"{game.seats[values.index(best)]} wins") if best >= WIN else "a draw"
