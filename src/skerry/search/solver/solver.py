"""The exact solver: how a position ends under best play, and which moves keep it so.

With two seats the value is that of minimax. With more, every seat plays for itself (max-n): it
takes what gives it most, and where that is the same it prefers what is best for the next seat in
turn order, then for the one after that. So the outcome never depends on the order of moves or on
how the board is turned. What a seat can force against all others together is solved on its own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from time import perf_counter
from typing import Any

from skerry.core.errors import OptionsError, PositionError, SolveLimit
from skerry.core.game import Game, check_state
from skerry.core.options import LARGEST_INTEGER, positive_number, whole_number
from skerry.core.state import Move, State
from skerry.search.limits import DEFAULT_ENTRIES, LEAST_ENTRIES, MOST_ENTRIES
from skerry.search.solver import proof
from skerry.search.solver.preferences import FULL, Preferences, make_preferences
from skerry.search.solver.proof import DONE, ODD_END, PAUSED, STACK_FULL

FIRST_SLICE = 1_000
SLICE_SECONDS = 0.1  # how long the search runs before the clock is looked at again
NO_OUTCOME = -1
HOPELESS, POSSIBLE, SURE = range(3)
WINS = 0  # the outcome that one seat wants and all others do not


@dataclass(frozen=True)
class Progress:
    """How far a solver has come; ``moves_done`` of ``moves`` first moves are settled."""

    stage: str
    nodes: int
    seconds: float
    table_fill: float  # share of the table in use
    moves_done: int
    moves: int


@dataclass(frozen=True)
class Solution:
    """What best play comes to.

    ``optimal_moves`` are all moves after which best play still gives these returns; a finished
    game has none. ``forceable`` says for every seat whether it wins against all others together.
    """

    returns: tuple[float, ...]
    optimal_moves: tuple[Move, ...]
    forceable: tuple[bool, ...]
    nodes: int
    seconds: float


def solve(
    state: State,
    *,
    entries: int = DEFAULT_ENTRIES,
    nodes: int | None = None,
    seconds: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Solve a position exactly; SolveLimit if ``nodes`` or ``seconds`` do not suffice.

    ``entries`` bounds the table of known positions: a smaller one costs time, never correctness.
    ``progress`` is called a few times a second.
    """
    check_state(state)
    return Solver(state.game, entries).solve(state, nodes, seconds, progress)


class Solver:
    """A solver that keeps its table from one position of a game to the next."""

    def __init__(self, game: Game, entries: int = DEFAULT_ENTRIES) -> None:
        entries = whole_number("entries", entries, MOST_ENTRIES, LEAST_ENTRIES)
        self.game = game
        self._workspace = proof.make_workspace(game, entries)
        self._stack, self._states = proof.make_stack(game, proof.FIRST_DEPTH)
        self._own_interests = _own_interests_of(game.num_seats)
        self._own_interest = self._own_interests[0]

    def solve(
        self,
        state: State,
        nodes: int | None = None,
        seconds: float | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Solution:
        """Solve a position of the game; the limits are for this position alone."""
        meter = self._start(state, nodes, seconds, progress)
        if state.outcome is not None:
            returns = state.outcome.returns
            return Solution(returns, (), tuple(value >= proof.WIN for value in returns), 0, 0.0)
        outcome = self._find_outcome(state, meter)
        optimal = self._find_optimal(state, outcome, meter)
        forceable = self._find_forceable(state, outcome, meter)
        return Solution(self._returns_of(outcome), optimal, forceable, meter.nodes, meter.elapsed)

    def find_good_moves(self, state: State, seconds: float | None = None) -> tuple[Move, ...]:
        """The moves that leave the seat the best prospects it can have.

        With two seats these are the optimal ones, or all if the game is lost. With more, seats
        that lose in any case may decide who wins, and nobody knows whom they would rather help:
        those after or those before them. A move that wins whatever they do is better than one that
        may win, and that better than one that cannot.
        """
        meter = self._start(state, seconds=seconds)
        if self.game.num_seats == 2:
            outcome = self._find_outcome(state, meter)
            if self._returns_of(outcome)[state.raw["turn"]] < 0:
                return state.legal_moves()
            return self._find_optimal(state, outcome, meter)
        prospects = {move: self._rate(state, move, meter) for move in state.legal_moves()}
        best = max(prospects.values())
        return tuple(move for move, rated in prospects.items() if rated == best)

    def _rate(self, state: State, move: Move, meter: "_Meter") -> int:
        """Whether a move cannot win for the seat that makes it, may win, or wins for certain."""
        seat, after = int(state.raw["turn"]), state.play(move)
        if after.outcome is not None:
            return SURE if after.outcome.winner == seat else HOPELESS
        wins = [
            self._ask(after, seat, preferences, meter, ply=1) == 1 << seat
            for preferences in self._own_interests
        ]
        return SURE if all(wins) else POSSIBLE if any(wins) else HOPELESS

    def _start(
        self,
        state: State,
        nodes: int | None = None,
        seconds: float | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> "_Meter":
        if state.game != self.game:
            raise PositionError(f"the state belongs to {state.game!r}, not to {self.game!r}")
        if nodes is not None:
            nodes = whole_number("nodes", nodes, least=1)
        if seconds is not None:
            seconds = positive_number("seconds", seconds)
        # What positions of a ply took is known of games that begin here.
        self._workspace.experience.work.fill(0)
        self._workspace.counters[proof.DEEPEST] = 0
        # The first search may have to compile, which is nobody's time to think.
        if not state.is_over and self._begin(state, FULL, self._own_interest, 0) == PAUSED:
            proof.search(
                self.game.tables, self._states, self._own_interest, self._stack, self._workspace, 0
            )
        return _Meter(self._workspace, len(state.legal_moves()), nodes, seconds, progress)

    def _find_outcome(self, state: State, meter: "_Meter") -> int:
        """Which outcome best play leads to: the best, the worst, or one between them."""
        order = self._own_interest.order[state.raw["turn"]].tolist()
        possible = 0
        for question in (order[0], order[-1], FULL):
            possible = self._ask(state, question, self._own_interest, meter)
            if possible.bit_count() == 1:
                break
        return possible.bit_length() - 1

    def _find_optimal(self, state: State, outcome: int, meter: "_Meter") -> tuple[Move, ...]:
        keeping = []
        for done, move in enumerate(state.legal_moves()):
            meter.enter("moves", done)
            if self._keeps(state, move, outcome, meter):
                keeping.append(move)
        return tuple(keeping)

    def _keeps(self, state: State, move: Move, outcome: int, meter: "_Meter") -> bool:
        """Whether a move leads to the best outcome that there is."""
        preferences = self._own_interest
        order = preferences.order[state.raw["turn"]].tolist()
        if outcome == order[-1]:
            return True
        # No move is better, so next to the worst it is enough not to be the worst.
        question = order[-1] if outcome == order[-2] else outcome
        after = state.play(move)
        if after.outcome is not None:
            winner = self.game.num_seats if after.outcome.winner is None else after.outcome.winner
            possible = 1 << int(preferences.of_winner[winner])
        else:
            possible = self._ask(after, question, preferences, meter, ply=1)
        return (possible == 1 << question) == (question == outcome)

    def _find_forceable(self, state: State, outcome: int, meter: "_Meter") -> tuple[bool, ...]:
        seats = range(self.game.num_seats)
        if self.game.num_seats == 2:
            return tuple(outcome == seat for seat in seats)
        forceable: list[bool] = []
        for seat in seats:
            meter.enter(f"can {self.game.seats[seat]} force a win")
            preferences = _all_against(seat, self.game.num_seats)
            # Two seats cannot both be sure to win.
            found = not any(forceable) and self._ask(state, WINS, preferences, meter) == 1 << WINS
            forceable.append(found)
        return tuple(forceable)

    def _returns_of(self, outcome: int) -> tuple[float, ...]:
        """A winner has 1, which the others lose in equal parts; a draw is nothing for anybody."""
        seats = self.game.num_seats
        if outcome == seats:
            return (0.0,) * seats
        loss = -1.0 / (seats - 1)
        return tuple(1.0 if seat == outcome else loss for seat in range(seats))

    def _ask(
        self,
        state: State,
        question: int,
        preferences: Preferences,
        meter: "_Meter",
        ply: int = 0,
    ) -> int:
        """The outcomes that a state can have, as a set that answers the question.

        The position to be solved is of ply 0, and those after its moves of ply 1.
        """
        status = self._begin(state, question, preferences, ply)
        while status != DONE:
            if status == ODD_END:
                raise OptionsError(
                    f"{self.game.title} cannot be solved: with {self.game.num_seats} seats, every "
                    "game must have a winner"
                )
            if status == STACK_FULL:
                self._deepen()
            status = meter.spend(
                lambda most: proof.search(
                    self.game.tables, self._states, preferences, self._stack, self._workspace, most
                ),
                self._stack.frames[0],
            )
        return int(self._workspace.counters[proof.ANSWER])

    def _begin(self, state: State, question: int, preferences: Preferences, ply: int) -> int:
        self._states[0] = state.raw
        return proof.begin(
            self.game.tables,
            self._states,
            question,
            preferences,
            self._stack,
            self._workspace,
            ply,
        )

    def _deepen(self) -> None:
        """Twice the room for lines of play."""
        depth = len(self._stack.frames)
        stack, states = proof.make_stack(self.game, 2 * depth)
        for old, new in zip(self._stack, stack, strict=True):
            new[:depth] = old
        states[: depth + 1] = self._states
        self._stack, self._states = stack, states


class _Meter:
    """What solving one position has cost, and what it may."""

    def __init__(
        self,
        workspace: proof.Workspace,
        moves: int,
        most_nodes: int | None,
        most_seconds: float | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._stage = "value"
        self._moves_done: int | None = None
        self._workspace = workspace
        self._moves = moves
        self._most_nodes = LARGEST_INTEGER if most_nodes is None else most_nodes
        self._most_seconds = most_seconds
        self._progress = progress
        self._nodes_before = int(workspace.counters[proof.NODES])
        self._started = perf_counter()
        self._slice = FIRST_SLICE

    @property
    def nodes(self) -> int:
        return int(self._workspace.counters[proof.NODES]) - self._nodes_before

    @property
    def elapsed(self) -> float:
        return perf_counter() - self._started

    def enter(self, stage: str, moves_done: int | None = None) -> None:
        """Begin a stage; without a number of moves done, the search itself goes through them."""
        self._stage = stage
        self._moves_done = moves_done

    def spend(self, search: Callable[[int], int], first: Any) -> int:
        """Search for a slice of time, told in nodes by the pace of the slice before.

        ``first`` is the frame of the position that is being asked about.
        """
        self._first = first
        if self.nodes >= self._most_nodes:
            raise SolveLimit(f"not solved within {self._most_nodes:,} nodes: {self._describe()}")
        if self._most_seconds is not None and self.elapsed >= self._most_seconds:
            raise SolveLimit(f"not solved within {self._most_seconds:g} s: {self._describe()}")
        begun = perf_counter()
        most = self._nodes_before + min(self.nodes + self._slice, self._most_nodes)
        status = search(most)
        if status == PAUSED:
            pace = SLICE_SECONDS / max(perf_counter() - begun, 1e-6)
            self._slice = max(FIRST_SLICE, int(self._slice * min(pace, 4.0)))
            if self._progress is not None:
                self._progress(self._measure())
        return status

    def _measure(self) -> Progress:
        done = self._moves_done
        if done is None:
            waiting = int(self._first["count"]) - max(int(self._first["next"]) - 1, 0)
            done = self._moves - waiting
        fill = int(self._workspace.counters[proof.ROWS]) / len(self._workspace.table)
        return Progress(self._stage, self.nodes, self.elapsed, fill, done, self._moves)

    def _describe(self) -> str:
        now = self._measure()
        return (
            f"{now.nodes:,} nodes in {now.seconds:.1f} s, table {now.table_fill:.0%} full, stage: "
            f"{now.stage}, {now.moves_done} of {now.moves} moves; allow more, or a larger table"
        )


def _own_interests_of(seats: int) -> list[Preferences]:
    """Everybody plays for itself: an own win first, then, with two seats, a draw.

    More seats than two may differ in whom they help to win when they cannot win themselves: those
    after them in turn order, as all do in the first of these, or those before them.
    """
    nobody = seats
    if seats == 2:
        return [make_preferences(0, [0, 1, nobody], [[0, nobody, 1], [1, nobody, 0]])]
    labels = [0, *range(1 + seats, seats + 2**seats)]  # those between are of all against one
    return [
        make_preferences(
            label,
            [*range(seats), NO_OUTCOME],
            [
                [(seat + way * step) % seats for step in range(seats)]
                for seat, way in enumerate(ways)
            ],
        )
        for label, ways in zip(labels, product((1, -1), repeat=seats), strict=True)
    ]


def _all_against(attacker: int, seats: int) -> Preferences:
    """One seat plays to win, all others to prevent it."""
    fails = 1 - WINS
    of_winner = [WINS if seat == attacker else fails for seat in range(seats)]
    order = [[WINS, fails] if seat == attacker else [fails, WINS] for seat in range(seats)]
    return make_preferences(1 + attacker, [*of_winner, fails], order)
