"""What an engine thinks of a position: values per seat, candidate moves and the best line."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.options import positive_number, whole_number
from skerry.core.state import Move, State
from skerry.search import tree
from skerry.search.limits import MOST_NODES, MOST_SIMULATIONS, MOST_THREADS
from skerry.search.pacing import Brake, Effort, crew
from skerry.search.tree import APPEAL, DEFAULT, NO_NODE, ROOT, Style, Tree

DEFAULT_SIMULATIONS = 10_000
DEFAULT_NODES = 4_000_000  # about 350 MB with three seats
DEFAULT_INTERVAL = 0.5  # seconds between two reports
LONGEST_LINE = 40


@dataclass(frozen=True)
class MoveAnalysis:
    """One candidate: how often it was tried, its value for every seat, and the line it leads to."""

    move: Move
    visits: int
    values: tuple[float, ...]
    proven: bool
    pv: tuple[Move, ...]
    prior: float = 0.0  # how likely a net would choose it at a look

    def loses(self, seat: int) -> bool:
        """Whether it is proven to lose for a seat."""
        return self.proven and self.values[seat] < 0


@dataclass(frozen=True)
class Analysis:
    """What came out of a search; ``moves`` are sorted best first."""

    values: tuple[float, ...]
    proven: bool
    best: Move
    simulations: int
    seconds: float
    moves: tuple[MoveAnalysis, ...]

    @property
    def pv(self) -> tuple[Move, ...]:
        """The line of best play."""
        return self.moves[0].pv


class Search:
    """Trees for a position, grown in one go or several, that can follow the game.

    Each thread grows a tree of its own (root parallelisation); ``nodes`` bounds their total size,
    and trees that are full forget what they visited least.
    """

    slow = False  # whether simulations take long, and batches make a difference
    appeal = APPEAL  # what selecting a child reads of it

    def __init__(
        self,
        state: State,
        seed: int = 0,
        threads: int = 1,
        nodes: int = DEFAULT_NODES,
        style: Style = DEFAULT,
    ) -> None:
        if state.is_over:
            raise OptionsError("the game is over: there is nothing to analyse")
        self.threads = whole_number("threads", threads, MOST_THREADS, 1)
        trees = self._count_trees()
        nodes = whole_number("nodes", nodes, MOST_NODES, trees * (state.game.num_actions + 1))
        self.state = state
        self.seed = whole_number("seed", seed)
        self.room = nodes // trees
        self.style = style
        try:
            self.trees = [self._plant(i) for i in range(trees)]
        except MemoryError:
            raise OptionsError(
                f"there is not enough memory for {nodes} nodes: ask for fewer"
            ) from None
        self._load()

    def _load(self) -> None:
        """Use kernels that are needed later: to compile them is nobody's time to think."""
        self.state.play(int(self.state.legal_actions()[0]))
        tree.thin_out(self.trees[0])

    def _count_trees(self) -> int:
        return self.threads

    def _plant(self, number: int) -> Tree:
        state = self.state
        seed = self.seed + number
        grown = tree.grow(state.game, state.raw, self.room, seed, self.style, self.appeal)
        tree.look_ahead(state.game, grown)
        return grown

    def _grow(self, grown: Tree, simulations: int, in_a_hurry: bool) -> int:
        return tree.run(self.state.game, grown, simulations, in_a_hurry)

    @property
    def visits(self) -> int:
        """How many simulations went through the position so far."""
        return sum(int(grown.nodes[ROOT]["visits"]) for grown in self.trees)

    def follow(self, move: Move, after: State | None = None) -> None:
        """Go on with the position after a move, and keep what is known of it.

        Whoever has played the move already hands in ``after``, the state it led to.
        """
        self.state = self.state.play(move) if after is None else after
        for number, grown in enumerate(self.trees):
            if not tree.follow(grown, self.state.raw, int(move)):
                tree.start_over(grown, self.state.raw, self.seed + number)
            tree.look_ahead(self.state.game, grown)

    def run(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        lines: int | None = None,
        stop: Callable[[], bool] | None = None,
        tell: Callable[[Analysis], None] | None = None,
        every: float = DEFAULT_INTERVAL,
    ) -> Analysis:
        """Grow the trees as ``analyse`` does; what is found includes what was known before."""
        every = positive_number("every", every)
        if lines:
            lines = whole_number("lines", lines)
        if seconds is not None:
            seconds = positive_number("seconds", seconds)
        elif simulations is None:
            simulations = DEFAULT_SIMULATIONS
        if simulations is not None:
            simulations = whole_number("simulations", simulations, MOST_SIMULATIONS, 1)
        efforts = [
            Effort(partial(self._grow, grown), len(grown.nodes), share, self.slow)
            for grown, share in zip(self.trees, _share(simulations, len(self.trees)), strict=True)
        ]
        for effort in efforts:
            effort.begin(by_the_clock=seconds is not None)
        started = perf_counter()

        def report() -> Analysis:
            done = sum(effort.done for effort in efforts)
            return _report(self.state, self.trees, done, perf_counter() - started, lines)

        deadline = None if seconds is None else started + seconds
        brake = Brake(stop, deadline)
        with crew(len(efforts)) as run:
            if tell is not None:
                # Everybody comes to rest here whenever it is time to tell.
                moment = started + every
                while deadline is None or moment < deadline:
                    run(efforts, brake, moment)
                    if brake.pulled or all(effort.finished for effort in efforts):
                        break
                    tell(report())
                    moment = perf_counter() + every
            run(efforts, brake, deadline)
        return report()


def _share(simulations: int | None, threads: int) -> list[int | None]:
    """How many simulations each thread runs."""
    if simulations is None:
        return [None] * threads
    return [simulations // threads + (i < simulations % threads) for i in range(threads)]


def _report(
    state: State, trees: list[Tree], done: int, seconds: float, lines: int | None
) -> Analysis:
    """Put together what the trees found; a proof in one of them counts for all."""
    seat, seats = int(state.raw["turn"]), state.game.num_seats
    tally = _tally(trees, state.legal_actions(), seats)
    moves = [
        MoveAnalysis(move, visits, tuple(values), proven, (move,), prior)
        for move, visits, values, proven, prior in zip(state.legal_moves(), *tally, strict=True)
    ]
    moves.sort(key=lambda move: _merit(move, seat), reverse=True)
    moves[:lines] = [replace(move, pv=_line_of(state, trees, move.move)) for move in moves[:lines]]
    values, proven = _values([grown.nodes[ROOT] for grown in trees], seats)
    return Analysis(values, proven, moves[0].move, done, seconds, tuple(moves))


def _tally(
    trees: list[Tree], actions: NDArray[np.int32], seats: int
) -> tuple[list[int], list[list[float]], list[bool], list[float]]:
    """Of every action its visits, its value for every seat, whether that is proven, and what a net
    thinks of it at a look.

    All at once: players ask at every ply, and the weaker they are, the less else there is to do.
    """
    visits, proven = np.zeros(len(actions), np.int64), np.zeros(len(actions), np.bool_)
    total, outlook = np.zeros((len(actions), seats)), np.zeros((len(actions), seats))
    priors = np.zeros(len(actions))
    for grown in trees:
        first, children = tree.children_of(grown, ROOT)
        places = np.searchsorted(actions, children["action"])
        visits[places] += children["visits"]
        total[places] += children["total"]
        news = (children["proven"] == 1) & ~proven[places]
        outlook[places[news]] = children["outlook"][news]
        proven[places[news]] = True
        if grown.is_guided:
            priors[places] = grown.pool.appeal["prior"][first : first + len(children)]
    values = np.where(proven[:, None], outlook, total / np.maximum(visits, 1)[:, None])
    return visits.tolist(), values.tolist(), proven.tolist(), priors.tolist()


def _line_of(state: State, trees: list[Tree], move: Move) -> tuple[Move, ...]:
    """What a candidate leads to, in the tree that tried it most."""
    spots = _spots(trees, move.action)
    if not spots:
        return (move,)
    grown, node = max(spots, key=lambda spot: spot[0].nodes[spot[1]]["visits"])
    return (move, *_line(state.play(move), grown, node))


def _spots(trees: list[Tree], action: int) -> list[tuple[Tree, int]]:
    """Where an action leads from the root of each tree that has got so far."""
    spots = [(grown, tree.find_child(grown, ROOT, action)) for grown in trees]
    return [(grown, node) for grown, node in spots if node != NO_NODE]


def _values(nodes: list[Any], seats: int) -> tuple[tuple[float, ...], bool]:
    """The value for every seat over the same node of several trees, and whether it is proven."""
    for node in nodes:
        if node["proven"]:
            return tuple(float(value) for value in node["outlook"]), True
    total = sum((node["total"] for node in nodes), np.zeros(seats))
    visits = sum(int(node["visits"]) for node in nodes)
    return tuple((total / max(visits, 1)).tolist()), False


def _merit(move: MoveAnalysis, seat: int) -> tuple[int, float, float]:
    """A proven win is best and a proven loss worst; between them, what was tried most, and of what
    was not tried at all what a net would try first."""
    if move.proven and move.values[seat] >= tree.WIN:
        return (2, 0.0, 0.0)
    if move.loses(seat):
        return (0, move.values[seat], float(move.visits))
    return (1, float(move.visits), move.values[seat] if move.visits else move.prior)


def _line(state: State, grown: Tree, node: int) -> list[Move]:
    """The most tried line below a node; wins are preferred and losses avoided as in ``_merit``."""
    line: list[Move] = []
    while not state.is_over and grown.nodes[node]["children"] > 0 and len(line) < LONGEST_LINE:
        first, children = tree.children_of(grown, node)
        hopes = children["outlook"][:, int(grown.nodes[node]["seat"])]
        known = children["proven"] == 1
        merit = children["visits"].astype(float)
        merit[known & (hopes >= tree.WIN)] = np.inf
        lost = known & (hopes < 0)
        merit[lost] = -1 / (1 + merit[lost])
        node = first + int(np.argmax(merit))
        if grown.nodes[node]["visits"] == 0:
            break
        line.append(state.move(int(grown.nodes[node]["action"])))
        state = state.play(line[-1])
    return line
