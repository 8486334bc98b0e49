"""What an analysing process does: many positions at once, each a slice of time in its turn.

Whatever takes long and cannot be cut into slices runs in a thread beside them. All of it has a low
priority, so that the moves of live games come first.
"""

import json
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Event
from traceback import print_exc
from typing import Any

from skerry.core.errors import OptionsError, SkerryError, SolveLimit
from skerry.core.game import Game
from skerry.core.state import State
from skerry.games import make
from skerry.records import Record
from skerry.render.frames import draw_frames
from skerry.render.raster import film, png
from skerry.search.analysis import Analysis, MoveAnalysis, Search
from skerry.search.overlay import chance, view
from skerry.search.review import LONGEST_VARIATION, MoveReview, review
from skerry.search.solver.solver import Solution, Solver
from skerry.search.tree import WIN
from skerry.server.play.boards import board
from skerry.server.positions.course import Course, Courses
from skerry.server.workers.engines import settle_in
from skerry.server.workers.warm import Key, room_for

NICENESS = 10
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
REVIEWED = 8_000  # simulations for every position of a game that is looked over
MOST_REVIEWED = 600  # plies
MOST_FILMED = 300
PAUSE = 0.005  # seconds between looks at what a thread does

Task = dict[str, Any]
Job = Generator[str | bytes | None, None, None]  # tells of itself, or lets others go on


def work(connection: Connection) -> None:
    """Do what is asked for over a connection, until it ends."""
    settle_in()
    os.nice(NICENESS)
    with suppress(EOFError, OSError):  # the server has gone
        Desk(connection).work()


class Desk:
    """The jobs of a process, by their numbers.

    ``(number, kind, task)`` begins a job and ``(number, None, {})`` ends it. What a job tells is
    sent as ``(number, "news", content)``; its end as ``(number, "done", None)``, or ``(number,
    "refused", why)``.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._jobs: dict[int, Job] = {}
        self._courses = Courses()
        self._games: OrderedDict[Key, Game] = OrderedDict()
        self._solver: Solver | None = None
        self._loading = ThreadPoolExecutor(1)
        self._aside = ThreadPoolExecutor(1)  # one long job after the other
        self._kinds: dict[str, Callable[[Task], Job]] = {
            "prepare": self._prepare,
            "analyse": self._analyse,
            "review": self._review,
            "png": self._draw,
            "film": self._film,
        }

    def work(self) -> None:
        while True:
            self._hear(None if not self._jobs else 0)
            for number in list(self._jobs):
                self._hear(0)
                if number in self._jobs:
                    self._go_on(number)

    def _hear(self, patience: float | None) -> None:
        while self._connection.poll(patience):
            number, kind, task = self._connection.recv()
            if kind is not None:
                self._jobs[number] = self._kinds[kind](task)
                self._go_on(number)  # whoever is new has to wait for nobody else
            elif number in self._jobs:
                self._jobs.pop(number).close()
            patience = 0

    def _go_on(self, number: int) -> None:
        """Let a job have its slice."""
        ending: tuple[str, str | None]
        try:
            told = next(self._jobs[number])
        except StopIteration:
            ending = ("done", None)
        except SkerryError as error:
            ending = ("refused", str(error))
        except Exception:  # nobody else's job is to suffer from it
            print_exc()
            ending = ("refused", "something went wrong with this; try another position")
        else:
            if told is not None:
                self._connection.send((number, "news", told))
            return
        del self._jobs[number]
        self._connection.send((number, *ending))

    # Getting ready

    def _prepare(self, task: Task) -> Job:
        yield from self._load(task)

    def _load(self, task: Task) -> Generator[None, None, Game]:
        """The game of a task; what it takes to think about it may have to be compiled first."""
        name, options = task["game"], task["options"]
        key = name, tuple(sorted(options.items()))
        if key not in self._games:
            game = yield from _run(self._loading, lambda stop: _rehearse(make(name, **options)))
            self._games[key] = game
            while len(self._games) > MOST_GAMES:
                self._games.popitem(last=False)
        return self._games[key]

    def _find(self, game: Game, task: Task) -> Course:
        start = task["start"]
        state = game.initial(task["seed"] or 0) if start is None else game.position(start)
        return self._courses.find(state, task["moves"])

    # Analysis

    def _analyse(self, task: Task) -> Job:
        game = yield from self._load(task)
        course = self._find(game, task)
        state = course.state
        search = Search(state, nodes=NODES)
        solving = self._solve(state)
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
                yield _to_text(
                    "analysis",
                    n=task["n"],
                    visits=search.visits,
                    seconds=round(spent, 2),
                    **_describe(state, found, solution),
                    spoken=". ".join(overlay.words),
                    svg=board(course, task["theme"], overlay),
                    done=done,
                )
            else:
                yield None

    def _solve(self, state: State) -> Generator[tuple[Solution | None, bool], None, None]:
        """Try to solve a position: the solution if there is one by now, and whether that is all."""
        if self._solver is None or self._solver.game != state.game:
            self._solver = Solver(state.game, SOLVER_ENTRIES)
        solver, solution, spent = self._solver, None, 0.0
        while solution is None and spent < SOLVING:
            # What was found in one slice is still in the table in the next.
            spent += SOLVER_SLICE
            try:
                solution = solver.solve(state, seconds=SOLVER_SLICE)
            except SolveLimit:
                yield None, False
        while True:
            yield solution, True

    # Looking over a game

    def _review(self, task: Task) -> Job:
        game = yield from self._load(task)
        course = self._find(game, task)
        if len(course.texts) > MOST_REVIEWED:
            raise OptionsError(f"games of up to {MOST_REVIEWED} plies are looked over")
        record = Record.from_moves(game, course.start, course.texts)
        progress = [0, 1]

        def look(stop: Event) -> Any:
            def tell(done: int, of: int) -> None:
                if stop.is_set():
                    raise InterruptedError
                progress[:] = [done, of]

            return review(record, simulations=REVIEWED, tell=tell)

        running = _run(self._aside, look)
        told = 0
        while True:
            try:
                next(running)
            except StopIteration as end:
                found = end.value
                break
            if progress[0] != told:
                told = progress[0]
                yield _to_text("progress", n=task["n"], done=told, of=progress[1])
            else:
                yield None
        states = record.states()
        plies = [
            _describe_ply(state, judged) for state, judged in zip(states, found.moves, strict=False)
        ]
        yield _to_text("review", n=task["n"], review={"moves": list(course.texts), "plies": plies})

    # Pictures

    def _draw(self, task: Task) -> Job:
        yield (yield from _run(self._aside, lambda stop: png(task["svg"], task["width"])))

    def _film(self, task: Task) -> Job:
        game = yield from self._load(task)
        course = self._find(game, task)
        if len(course.texts) > MOST_FILMED:
            raise OptionsError(f"games of up to {MOST_FILMED} plies are filmed")

        def shoot(stop: Event) -> bytes:
            moves = Record.from_moves(game, course.start, course.texts).moves()
            frames = draw_frames(course.start, moves, task["theme"])
            return film(frames, task["ending"], task["width"])

        yield (yield from _run(self._aside, shoot))


def _run(pool: ThreadPoolExecutor, function: Callable[[Event], Any]) -> Generator[None, None, Any]:
    """What a function returns that runs in a thread; it hears of it if nobody waits any more."""
    stop = Event()
    future = pool.submit(function, stop)
    try:
        while not wait([future], PAUSE).done:
            yield None
        return future.result()
    finally:
        stop.set()
        future.cancel()


def _rehearse(game: Game) -> Game:
    """Load all that thinking about a game uses."""
    room_for(game)
    state = game.position(game.playable_start().position)
    if state.is_over:
        return game
    found = Search(state, nodes=NODES).run(simulations=100)
    state.svg(overlay=view(state, found))
    with suppress(SolveLimit):  # it is about the kernels
        Solver(game, SOLVER_ENTRIES).solve(state, nodes=1)
    return game


def _to_text(kind: str, **content: Any) -> str:
    return json.dumps({"type": kind, **content}, ensure_ascii=False, separators=(",", ":"))


def _describe(state: State, found: Analysis, solution: Solution | None) -> dict[str, Any]:
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


def _describe_move(move: MoveAnalysis, visits: int) -> dict[str, Any]:
    return {
        "move": str(move.move),
        "visits": move.visits,
        "share": round(move.visits / visits, 4),
        "values": move.values,
        "chances": _chances(move.values),
        "proven": move.proven,
        "pv": [str(step) for step in move.pv],
    }


def _describe_ply(state: State, judged: MoveReview) -> dict[str, Any]:
    said = f"{judged.turn} {judged.move} loses {judged.loss:.2f}; better: {judged.best}"
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
    return f"{game.seats[values.index(best)]} wins" if best >= WIN else "a draw"
