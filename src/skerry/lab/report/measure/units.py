"""Units of work: each plays, reviews or solves a little, and depends on its name alone.

The answer of a unit is plain data for JSON. It is the same wherever and whenever it is worked out,
but for level 10, which thinks by the clock.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log10
from random import Random
from time import perf_counter
from typing import Any

from skerry.core.errors import SolveLimit
from skerry.core.game import Game
from skerry.core.options import write_options
from skerry.core.scene import COUNTS
from skerry.core.state import State
from skerry.lab.contest.match import Match, play_game
from skerry.lab.contest.swap import open_game
from skerry.lab.stats.results import Played
from skerry.search.engine import analyse
from skerry.search.overlay import chance
from skerry.search.players import SEEDS, player
from skerry.search.solver.solver import solve
from skerry.search.warmup import warm_up, warm_up_solver

ALIKE, SKILL, LOOK, OPENING = "alike", "skill", "look", "opening"
SWAP, SOLVE = "swap", "solve"
VERSUS = " - "  # between the two players of a skill unit
AFTER = " after "  # between the player and the first move of an opening unit
RANDOM = "random"
DEAL = "deal"  # among the options of a board to be solved
LOOK_SIMULATIONS = 1_000
MOST_SOLVED = 200_000  # nodes of a search for a proof
TABLE = 1 << 20  # positions that such a search remembers
MOST_GAMES = 20  # in a unit
UNIT_EFFORT = 500_000  # simulations that a unit is to cost, where games are short enough
# What a ply costs beside its simulations, in simulations: to look at it, and to begin a search.
BOOKING = 100
BEGINNING = 150
LOOK_EFFORT = BEGINNING + LOOK_SIMULATIONS
CLOCK = 100_000  # simulations that a ply of level 10 counts for
NET_LOOK = 100  # and a simulation that a net guides

Answer = dict[str, Any]


@dataclass(frozen=True, order=True)
class Unit:
    """A piece of work: its stage, its subject such as a player, and its number among those."""

    stage: str
    subject: str
    number: int

    @property
    def name(self) -> str:
        """A name for files."""
        subject = self.subject.replace(VERSUS, "-").replace(AFTER, "-").replace(":", "")
        return f"{self.stage}-{subject.replace(' ', '_')}-{self.number}"


@dataclass(frozen=True)
class Experiment:
    """What is studied: a game, the players that play it, and the seed of all chance."""

    game: Game
    strengths: tuple[str, ...]  # from the weakest to the strongest
    seed: int = 0

    @property
    def middle(self) -> str:
        return self.strengths[len(self.strengths) // 2]

    @property
    def opener(self) -> str:
        """Who plays on from the openings: somebody quick."""
        return self.strengths[max(0, len(self.strengths) // 2 - 1)]


def warm_up_units(experiment: Experiment) -> None:
    """Have all kernels compiled that units need."""
    warm_up(experiment.game)
    warm_up_solver(type(experiment.game)(**experiment.game.sizes[0]))


def work(experiment: Experiment, unit: Unit) -> Answer:
    """Work out a unit; ``seconds`` tells how long it took."""
    started = perf_counter()
    answer = STAGES[unit.stage](experiment, unit)
    return answer | {"seconds": round(perf_counter() - started, 3)}


def effort_of(game: Game, spec: str) -> int:
    """What a ply of a player costs, in simulations."""
    if spec == RANDOM:
        return BOOKING
    level = int(spec.removeprefix("level:"))
    simulations, _, net = game.levels[level - 1]
    if simulations is None:
        return BOOKING + BEGINNING + CLOCK
    return BOOKING + BEGINNING + simulations * (1 if net is None else NET_LOOK)


def games_in(experiment: Experiment, unit: Unit) -> int:
    """How many games a unit plays, which is known before."""
    if unit.stage == SOLVE:
        return 0
    if unit.stage == LOOK:
        return 1
    if unit.stage == SKILL:
        return len(_match(experiment, unit).seatings)
    spec = unit.subject.partition(AFTER)[0]
    game_effort = effort_of(experiment.game, spec) * len(experiment.game.board)
    return max(1, min(MOST_GAMES, UNIT_EFFORT // game_effort))


def _dice(experiment: Experiment, unit: Unit) -> Random:
    return Random(f"{experiment.seed} {unit.stage} {unit.subject} {unit.number}")


def _play_alike(experiment: Experiment, unit: Unit) -> Answer:
    """Games of a player with itself, from the start."""
    dice, book = _dice(experiment, unit), _Book(experiment.game)
    for _ in range(games_in(experiment, unit)):
        book.add(*_play(experiment.game, unit.subject, dice))
    return book.close(with_moves=unit.subject != RANDOM)


def _play_opening(experiment: Experiment, unit: Unit) -> Answer:
    """Games that begin with a certain move."""
    dice, games = _dice(experiment, unit), []
    spec, _, first = unit.subject.partition(AFTER)
    for _ in range(games_in(experiment, unit)):
        _, states, _ = _play(experiment.game, spec, dice, first)
        games.append({"plies": len(states) - 1, "shares": _shares(states[-1])})
    return {"games": games}


def _play_swap(experiment: Experiment, unit: Unit) -> Answer:
    """Games with a swap rule; shares are by who opened, and who could swap."""
    dice, games = _dice(experiment, unit), []
    for _ in range(games_in(experiment, unit)):
        start = experiment.game.initial(dice.randrange(SEEDS))
        players = [player(unit.subject) for _ in experiment.game.seats]
        moves, state, swapped = open_game(start, players, dice)
        states, _ = _play_on(unit.subject, state, dice)
        shares = _shares(states[-1])[:: -1 if swapped else 1]
        plies = len(moves) + len(states) - 1
        games.append({"plies": plies, "shares": shares, "swapped": swapped})
    return {"games": games}


def _play_skill(experiment: Experiment, unit: Unit) -> Answer:
    """One opening with all seatings of two players."""
    match = _match(experiment, unit)
    played, plies = [], []
    for seating, players in enumerate(match.seatings):
        record = play_game(match, unit.number, seating)
        plies.append(len(record.line.plies))
        outcome = record.play.state.outcome
        played.append(Played(players, outcome.returns).won_by(match.players[0]) if outcome else 0.0)
    return {"won": sum(played) / len(played), "plies": plies}


def _match(experiment: Experiment, unit: Unit) -> Match:
    better, worse = unit.subject.split(VERSUS)
    return Match(experiment.game, (better, worse), 1, experiment.seed)


def _look(experiment: Experiment, unit: Unit) -> Answer:
    """A game of the middle strength, and what an engine thinks of all its positions."""
    dice, book = _dice(experiment, unit), _Book(experiment.game)
    deal, states, actions = _play(experiment.game, unit.subject, dice)
    book.add(deal, states, actions)
    values = [
        state.outcome.returns
        if state.outcome
        else analyse(state, simulations=LOOK_SIMULATIONS, seed=dice.randrange(SEEDS)).values
        for state in states
    ]
    chances = [
        [round(chance(value, experiment.game.num_seats), 4) for value in each] for each in values
    ]
    return {"games": book.close(with_moves=True)["games"], "chances": chances}


def write_board(options: Mapping[str, int], deal: int | None) -> str:
    """The subject of a unit that solves a board."""
    return write_options(options if deal is None else {**options, DEAL: deal})


def read_board(subject: str) -> tuple[dict[str, int], int | None]:
    """The options and the deal of such a subject."""
    parts = (part.partition("=") for part in subject.split())
    options = {name: int(value) for name, _, value in parts}
    return options, options.pop(DEAL, None)


def _solve(experiment: Experiment, unit: Unit) -> Answer:
    """What best play comes to on a board, if that can be found out soon."""
    options, deal = read_board(unit.subject)
    state = type(experiment.game)(**options).initial(deal or 0)
    moves = len(state.legal_moves())
    try:
        found = solve(state, entries=TABLE, nodes=MOST_SOLVED)
    except SolveLimit:
        return {"returns": None, "optimal": 0, "moves": moves, "nodes": MOST_SOLVED}
    returns, optimal = list(found.returns), len(found.optimal_moves)
    return {"returns": returns, "optimal": optimal, "moves": moves, "nodes": found.nodes}


STAGES: dict[str, Callable[[Experiment, Unit], Answer]] = {
    SOLVE: _solve,
    ALIKE: _play_alike,
    SKILL: _play_skill,
    LOOK: _look,
    OPENING: _play_opening,
    SWAP: _play_swap,
}


def _play(
    game: Game, spec: str, dice: Random, first: str | None = None
) -> tuple[int, list[State], list[int]]:
    """A game with the same player on all seats: the deal, all states and the actions."""
    deal = dice.randrange(SEEDS)
    start = game.initial(deal)
    if first is None:
        return deal, *_play_on(spec, start, dice)
    states, actions = _play_on(spec, start.play(first), dice)
    return deal, [start, *states], [int(start.parse(first)), *actions]


def _play_on(spec: str, start: State, dice: Random) -> tuple[list[State], list[int]]:
    """All states and actions from a state to the end of the game."""
    states, actions = [start], []
    players = [player(spec) for _ in start.game.seats]
    # Only who plays by the clock is stronger for following a game; others are quicker without.
    following = players if effort_of(start.game, spec) > CLOCK else []
    while (seat := states[-1].to_move) is not None:
        move = players[seat].choose(states[-1], dice.randrange(SEEDS))
        actions.append(int(move))
        states.append(states[-1].play(move))
        for somebody in following:
            somebody.follow(states[-2], move, states[-1])
    return states, actions


def _shares(end: State) -> list[float]:
    """What each seat has of the one point of a game."""
    return list(Played((), end.outcome.returns).shares) if end.outcome else []


class _Book:
    """Keeps what is to be known about games."""

    def __init__(self, game: Game) -> None:
        seats, cells = range(game.num_seats), len(game.board)
        self.game = game
        self.games: list[Answer] = []
        self.choices: list[list[int]] = []  # by ply: games, legal actions, and their squares
        self.moves = [[0] * cells for _ in seats]
        self.counts = [[0] * cells for _ in seats]

    def add(self, deal: int, states: list[State], actions: list[int]) -> None:
        happened: Counter[str] = Counter()
        tree = 0.0
        for ply, action in enumerate(actions):
            before, after = states[ply : ply + 2]
            happened.update(self.game.view.happenings(before, action, after))
            legal = len(before.legal_actions())
            tree += log10(legal)
            if ply == len(self.choices):
                self.choices.append([0, 0, 0])
            for i, power in enumerate((1, legal, legal * legal)):
                self.choices[ply][i] += power
            self._use(before, action)
        marks = states[-1].overlay("standing").marks
        for cell, seat in {(mark.cell, mark.seat) for mark in marks if mark.kind == COUNTS}:
            if seat is not None:
                self.counts[seat][cell] += 1
        self.games.append(
            {
                "plies": len(actions),
                "shares": _shares(states[-1]),
                "happenings": dict(sorted(happened.items())),
                "tree": round(tree, 4),
                "deal": deal,
                "actions": actions,
            }
        )

    def _use(self, before: State, action: int) -> None:
        """Count the cell that an action leads to."""
        path = self.game.view.path(before, action)
        cells = [self.game.board.index[name] for name in path if name in self.game.board.index]
        if cells:
            self.moves[int(before.raw["turn"])][cells[-1]] += 1

    def close(self, with_moves: bool) -> Answer:
        if not with_moves:
            for game in self.games:
                del game["deal"], game["actions"]
        return {
            "games": self.games,
            "choices": self.choices,
            "moves": self.moves,
            "counts": self.counts,
        }
