"""The engine at work: a queue of queries, threads that answer them, one line at a time."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from skerry import __version__
from skerry.core.errors import SkerryError, shorten
from skerry.core.state import State
from skerry.games import GAMES, kind
from skerry.protocol.descriptions import describe_analysis, describe_end, describe_game
from skerry.protocol.linereader import iterate_lines
from skerry.protocol.queries import (
    ACTIONS,
    LONGEST_LINE,
    Query,
    QueryError,
    check_fields,
    find_id,
    parse_line,
    read_query,
)
from skerry.records.tree import say_why
from skerry.search.analysis import Analysis
from skerry.search.engine import analyse, choose_net

PROTOCOL = 1
BUSY_HINT = "wait for answers, stop a query, or start the engine with a larger --queue"


@dataclass(eq=False)
class PendingQuery:
    """A query that has not been answered completely."""

    query: Query
    stopped: threading.Event = field(default_factory=threading.Event)
    states: dict[int, State] = field(default_factory=dict)  # by turn, once the moves are played
    unanswered: int = 0  # turns without their final answer

    def __post_init__(self) -> None:
        self.unanswered = len(self.query.turns)


@dataclass(frozen=True)
class Assignment:
    """Something for a worker to do: a turn to analyse, or None to play the moves first."""

    pending: PendingQuery
    turn: int | None


class Dispatcher:
    """Takes lines and answers them.

    One thread reads lines (``listen``); it answers whatever needs no thinking, so an error is told
    at once, even while kernels are being compiled. Workers take the oldest assignment first.
    Everything they share is changed under ``change``, which is never held while somebody thinks or
    writes.
    """

    def __init__(
        self,
        write: Callable[[bytes], object],
        workers: int,
        queue: int,
        nodes: int,
        net: str | None = None,
    ) -> None:
        self.write = write  # writes a whole line
        self.queue = queue
        self.nodes = nodes
        self.net = net  # a file, none, or the best there is
        self.writing = threading.Lock()
        self.change = threading.Condition()
        self.unfinished: dict[str, PendingQuery] = {}  # by id
        self.assignments: deque[Assignment] = deque()
        self.owed = 0  # answers that are still to be written
        self.closed = False  # no more lines will come
        self.failure: BaseException | None = None  # why answers cannot be written, or lines read
        self.workers = [
            threading.Thread(target=self._work, name=f"skerry-engine-{i}", daemon=True)
            for i in range(workers)
        ]
        for worker in self.workers:
            worker.start()

    # The reading side.

    def listen(self, read: Callable[[], bytes], stop_at_end: bool = False) -> None:
        """Obey all lines of a stream."""
        try:
            for line in iterate_lines(read, LONGEST_LINE):
                self.obey(line)
                if self.closed:
                    return
        except OSError as error:
            self._fail(error)
        if stop_at_end:
            self.stop_all()
        self.close()

    def obey(self, line: bytes | None) -> None:
        """Answer a line, or put its query in the queue; None is a line that was too long."""
        if line is not None and not line.strip():
            return
        name = None
        try:
            content = parse_line(line)
            name = find_id(content)
            if "action" in content:
                self._act(content)
            else:
                self._accept(read_query(content, self.nodes))
        except QueryError as error:
            self.say(_describe_error(name, error))
        except Exception as error:  # a fault of ours must not end the session
            self.say(_describe_error(name, _explain(error)))

    def _accept(self, query: Query) -> None:
        with self.change:
            if query.id in self.unfinished:
                raise QueryError(f"the query {shorten(query.id)} is still being answered", "id")
            if len(self.unfinished) >= self.queue:
                raise QueryError(
                    f"busy: {self.queue} queries are already waiting or running", hint=BUSY_HINT
                )
            pending = self.unfinished[query.id] = PendingQuery(query)
            self.assignments.append(Assignment(pending, None))
            self.owed += pending.unanswered
            self.change.notify_all()  # one alone might be whoever waits for the end

    def _act(self, content: dict[str, Any]) -> None:
        action = content["action"]
        if action not in ACTIONS:
            raise QueryError(f"there is no action {shorten(action)}", "action")
        known = ("id", "action", "of") if action == "stop" else ("id", "action")
        said: dict[str, Any] = {"id": check_fields(content, known), "action": action}
        if action == "list_games":
            said["games"] = [describe_game(kind(name)) for name in GAMES]
        elif action == "version":
            said |= {"version": __version__, "protocol": PROTOCOL}
        elif action == "stop":
            if not isinstance(content.get("of"), str):
                raise QueryError("which query is to stop?", "of")
            said |= {"of": content["of"], "stopped": self._stop([content["of"]])}
        elif action == "stop_all":
            said["stopped"] = self.stop_all()
        elif action == "quit":
            said["stopped"] = self.stop_all()
            self.say(said)
            self.close()
            return
        self.say(said)

    # Ending.

    def stop_all(self) -> int:
        """Stop all queries; they still get their final answers. Returns how many there were."""
        return self._stop(None)

    def _stop(self, names: Iterable[str] | None) -> int:
        """Stop queries by id, None for all: what runs ends soon, what waits is not begun."""
        with self.change:
            if names is None:
                names = list(self.unfinished)
            stopping = {self.unfinished[name] for name in names if name in self.unfinished}
            waiting = [
                assignment for assignment in self.assignments if assignment.pending in stopping
            ]
            self.assignments = deque(
                assignment for assignment in self.assignments if assignment.pending not in stopping
            )
            for pending in stopping:
                pending.stopped.set()
        for assignment in waiting:
            self._leave_undone(assignment)
        return len(stopping)

    def close(self) -> None:
        """No more lines will come: workers leave when all that was asked is answered."""
        with self.change:
            self.closed = True
            self.change.notify_all()

    def wait(self) -> None:
        """Wait until all is answered and no more can come; raises what made that impossible."""
        with self.change:
            self.change.wait_for(lambda: self.failure or (self.closed and self.owed == 0))
        if self.failure is not None:
            raise self.failure

    def abandon(self, why: BaseException, patience: float) -> bool:
        """Answer nothing more; returns whether everybody came to rest within so many seconds."""
        deadline = perf_counter() + patience
        self._fail(why)
        self.close()
        self.stop_all()
        for worker in self.workers:
            worker.join(max(0.0, deadline - perf_counter()))
        at_work = any(worker.is_alive() for worker in self.workers)
        # Somebody may hang in writing, the reader included.
        return not at_work and self.writing.acquire(timeout=patience)

    # The working side.

    def _work(self) -> None:
        while True:
            with self.change:
                self.change.wait_for(lambda: self.assignments or (self.closed and self.owed == 0))
                if not self.assignments:
                    return
                assignment = self.assignments.popleft()
            try:
                self._do(assignment)
            except Exception as error:  # whatever it was, the other queries are not to blame
                self._give_up(assignment, error)

    def _do(self, assignment: Assignment) -> None:
        pending, query = assignment.pending, assignment.pending.query
        if pending.stopped.is_set():
            self._leave_undone(assignment)
        elif assignment.turn is None:
            pending.states = _play(query)
            with self.change:
                # In front of all younger queries. If a stop came while the moves were played, the
                # turns are found to be stopped as soon as somebody takes them.
                self.assignments.extendleft(
                    Assignment(pending, turn) for turn in reversed(query.turns)
                )
                self.change.notify_all()
        else:
            self._analyse(pending, assignment.turn)

    def _analyse(self, pending: PendingQuery, turn: int) -> None:
        query, state = pending.query, pending.states.pop(turn)
        place = {"id": query.id, "turn": turn}
        if state.is_over:
            self._finish(pending, {**place, "final": True, "stopped": False, **describe_end(state)})
            return

        def tell(found: Analysis) -> None:
            what = describe_analysis(state, found, query.top)
            self.say({**place, "final": False, "stopped": False, **what})

        interval = query.report_every
        found = analyse(
            state,
            **query.budget,
            net=choose_net(self.net, state.game),
            lines=query.top,
            stop=pending.stopped.is_set,
            tell=None if interval is None else tell,
            every=interval or 1.0,
        )
        what = describe_analysis(state, found, query.top)
        stopped = pending.stopped.is_set()
        self._finish(pending, {**place, "final": True, "stopped": stopped, **what})

    def _leave_undone(self, assignment: Assignment) -> None:
        """Answer for what was stopped before it began."""
        turns = assignment.pending.query.turns if assignment.turn is None else (assignment.turn,)
        for turn in turns:
            said = {"id": assignment.pending.query.id, "turn": turn, "final": True, "stopped": True}
            self._finish(assignment.pending, {**said, "simulations": 0})

    def _give_up(self, assignment: Assignment, error: Exception) -> None:
        """Answer for what went wrong: a turn, or a query whose moves cannot be played."""
        failure = error if isinstance(error, QueryError) else _explain(error)
        said = _describe_error(assignment.pending.query.id, failure)
        if assignment.turn is None:
            self._finish(assignment.pending, said, assignment.pending.unanswered)
        else:
            self._finish(assignment.pending, {**said, "turn": assignment.turn, "final": True})

    def _finish(self, pending: PendingQuery, said: dict[str, Any], answers: int = 1) -> None:
        """Write a final answer; with the last one, the id is free before anybody can read it."""
        line = _encode(said)
        with self.change:
            pending.unanswered -= answers
            if pending.unanswered == 0:
                del self.unfinished[pending.query.id]
        self._put(line)
        with self.change:
            self.owed -= answers
            self.change.notify_all()

    # Writing.

    def say(self, content: dict[str, Any]) -> None:
        """Write one answer on one line."""
        self._put(_encode(content))

    def _put(self, line: bytes) -> None:
        if self.failure is not None:
            return
        try:
            with self.writing:  # nobody else's line comes in between
                self.write(line)
        except (OSError, ValueError) as error:  # nobody reads any more, or the file was closed
            self._fail(error)
            self.stop_all()

    def _fail(self, error: BaseException) -> None:
        with self.change:
            self.failure = self.failure or error
            self.change.notify_all()


def _play(query: Query) -> dict[int, State]:
    """The positions to be analysed, by turn; a QueryError names the move that cannot be played."""
    wanted, states = set(query.turns), {}
    try:
        if query.position is None:
            state = query.game.initial(query.deal)
        else:
            state = query.game.position(query.position)
    except SkerryError as error:
        raise QueryError(say_why(error), "start") from None
    for turn in range(len(query.moves) + 1):
        if turn in wanted:
            states[turn] = state
        if turn < len(query.moves):
            move = query.moves[turn]
            try:
                state = state.play(move)
            except SkerryError as error:
                message = f"move {turn + 1} {shorten(move)}: {say_why(error)}"
                raise QueryError(message, "moves") from None
    return states


def _encode(content: dict[str, Any]) -> bytes:
    # Escapes keep the line plain ASCII, and whole: nothing in a text can end it.
    return json.dumps(content, allow_nan=False).encode() + b"\n"


def _describe_error(name: str | None, error: QueryError) -> dict[str, Any]:
    return {"id": name, "error": str(error), "field": error.field, "hint": error.hint}


def _explain(error: Exception) -> QueryError:
    if isinstance(error, SkerryError):
        return QueryError(say_why(error))
    hint = "this is a fault of skerry: please report it with the query"
    return QueryError(f"internal error: {type(error).__name__}: {say_why(error)}", hint=hint)
