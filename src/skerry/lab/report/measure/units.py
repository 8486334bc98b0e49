"""Units of work: each plays, reviews or solves a little, and depends on its name alone.

The answer of a unit is plain data for JSON. It is the same wherever and whenever it is worked out,
but for level 10, which thinks by the clock.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import log10
from random import Random
from time import perf_counter
from typing import Any

from skerry.core.errors import OptionsError, SolveLimit, shorten
from skerry.core.game import Game
from skerry.core.options import write_options
from skerry.core.scene import COUNTS
from skerry.core.state import Move, State
from skerry.lab.contest.forfeit import SeatForfeit, blame, find_played, share_out
from skerry.lab.contest.match import Match, play_game
from skerry.lab.contest.swap import open_game
from skerry.lab.stats.results import Played
from skerry.search.engine import analyse
from skerry.search.overlay import chance
from skerry.search.players import SEEDS, LevelPlayer, NetPlayer, Player, invite
from skerry.search.solver.solver import solve
from skerry.search.warmup import warm_up, warm_up_solver

ALIKE, SKILL, LOOK, OPENING = "alike", "skill", "look", "opening"
SWAP, SOLVE = "swap", "solve"
VERSUS = " - "  # between the two players of a skill unit
AFTER = " after "  # between the player and the first move of an opening unit
RANDOM, LEVEL = "random", "level:"
DEAL = "deal"  # among the options of a board to be solved
LOOK_SIMULATIONS = 1_000
MOST_SOLVED = 200_000  # nodes of a search for a proof
TABLE = 1 << 20  # positions that such a search remembers
MOST_GAMES = 20  # in a unit
LONGEST_NAME = 100  # characters of a subject in the name of a file
UNIT_EFFORT = 500_000  # simulations that a unit is to cost, where games are short enough
# What a ply costs beside its simulations, in simulations: to look at it, and to begin a search.
BOOKING = 100
BEGINNING = 150
LOOK_EFFORT = BEGINNING + LOOK_SIMULATIONS
CLOCK = 100_000  # simulations that a ply of level 10 counts for, or of anybody unknown
NET_LOOK = 100  # and a simulation that a net guides
# Who always makes the move that its net and search find best plays the same game again and again,
# and many would count as one. So this many plies of every seat, at the start of a game, are drawn
# from what the net would try, to the power of 1 / WHIM.
DRAWN = 4
WHIM = 1.5

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
        tidy = re.sub(r"[^\w.,=-]", "_", subject)
        if len(tidy) > LONGEST_NAME or tidy != subject.replace(" ", "_"):
            # Something is lost, so that others could have the same name.
            tidy = f"{tidy[:LONGEST_NAME]}-{sha256(self.subject.encode()).hexdigest()[:8]}"
        return f"{self.stage}-{tidy}-{self.number}"


@dataclass(frozen=True)
class Experiment:
    """What is studied: a game, the players that play it, and the seed of all chance."""

    game: Game
    strengths: tuple[str, ...]  # from the weakest to the strongest
    seed: int = 0

    def __post_init__(self) -> None:
        for spec in self.strengths:
            if VERSUS in spec or AFTER in spec:
                raise OptionsError(
                    f"{shorten(spec)} cannot be told apart from what a report says of players: "
                    f"name it without {VERSUS!r} and {AFTER!r}"
                )

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
    """What a ply of a player costs, in simulations; players of others may cost anything."""
    if spec == RANDOM:
        return BOOKING
    if not spec.startswith(LEVEL):
        return BOOKING + BEGINNING + CLOCK
    simulations, _, net = game.levels[int(spec.removeprefix(LEVEL)) - 1]
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
        book.add(_play(experiment.game, unit.subject, dice))
    return book.close(with_moves=unit.subject != RANDOM)


def _play_opening(experiment: Experiment, unit: Unit) -> Answer:
    """Games that begin with a certain move."""
    dice, games = _dice(experiment, unit), []
    spec, _, first = unit.subject.partition(AFTER)
    for _ in range(games_in(experiment, unit)):
        played = _play(experiment.game, spec, dice, first)
        games.append({"plies": len(played.actions), "shares": played.shares, **played.story})
    return {"games": games}


def _play_swap(experiment: Experiment, unit: Unit) -> Answer:
    """Games with a swap rule; shares are by who opened, and who could swap."""
    dice, games = _dice(experiment, unit), []
    for _ in range(games_in(experiment, unit)):
        played, swapped = MeasuredGame(0, [experiment.game.initial(dice.randrange(SEEDS))]), False
        with invite([unit.subject] * experiment.game.num_seats) as players, played.forfeited():
            moves, _, swapped = open_game(played.states[0], players, dice)
            for move in moves:
                played.go_on(move)
            _play_on(played, players, dice, unit.subject)
        shares = played.shares[:: -1 if swapped else 1]
        game = {"plies": len(played.actions), "shares": shares, "swapped": swapped}
        games.append({**game, **played.story})
    return {"games": games}


def _play_skill(experiment: Experiment, unit: Unit) -> Answer:
    """One opening with all seatings of two players."""
    match = _match(experiment, unit)
    won, plies, forfeits = [], [], []
    for seating, players in enumerate(match.seatings):
        record = play_game(match, unit.number, seating)
        plies.append(len(record.line.plies))
        played = find_played(players, record)
        won.append(played.won_by(match.players[0]) if played else 0.0)
        if played is not None and played.forfeited_by is not None:
            forfeits.append([played.forfeited_by, played.reason])
    told = {"won": sum(won) / len(won), "plies": plies}
    return told if not forfeits else {**told, "forfeits": forfeits}


def _match(experiment: Experiment, unit: Unit) -> Match:
    better, worse = unit.subject.split(VERSUS)
    return Match(experiment.game, (better, worse), 1, experiment.seed)


def _look(experiment: Experiment, unit: Unit) -> Answer:
    """A game of the middle strength, and what an engine thinks of all its positions."""
    dice, book = _dice(experiment, unit), _Book(experiment.game)
    played = _play(experiment.game, unit.subject, dice)
    book.add(played)
    values = [
        state.outcome.returns
        if state.outcome
        else analyse(state, simulations=LOOK_SIMULATIONS, seed=dice.randrange(SEEDS)).values
        for state in played.states
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


@dataclass
class MeasuredGame:
    """How a game went: the deal, all states and actions, and who forfeited it in the end."""

    deal: int
    states: list[State]
    actions: list[int] = field(default_factory=list)
    forfeit: SeatForfeit | None = None

    def go_on(self, move: Move) -> None:
        self.actions.append(int(move))
        self.states.append(self.states[-1].play(move))

    @contextmanager
    def forfeited(self) -> Iterator[None]:
        """Whoever forfeits the game within ends it."""
        try:
            yield
        except SeatForfeit as forfeit:
            self.forfeit = forfeit

    @property
    def shares(self) -> list[float]:
        """What each seat has of the one point of a game."""
        end, seats = self.states[-1], self.states[-1].game.seats
        if self.forfeit is not None:
            return list(Played((), share_out(seats, self.forfeit.seat)).shares)
        return list(Played((), end.outcome.returns).shares) if end.outcome else []

    @property
    def story(self) -> Answer:
        return {} if self.forfeit is None else {"forfeit": self.forfeit.story}


def _play(game: Game, spec: str, dice: Random, first: str | None = None) -> MeasuredGame:
    """A game with the same player on all seats."""
    deal = dice.randrange(SEEDS)
    played = MeasuredGame(deal, [game.initial(deal)])
    if first is not None:
        played.go_on(played.states[0].parse(first))
    with invite([spec] * game.num_seats) as players, played.forfeited():
        _play_on(played, players, dice, spec)
    return played


def _play_on(played: MeasuredGame, players: Sequence[Player], dice: Random, spec: str) -> None:
    """Play a game to its end."""
    game = played.states[0].game
    # Only who plays by the clock is stronger for following a game; others are quicker without.
    follows = effort_of(game, spec) > CLOCK
    # Deals make all games different.
    drawn = 0 if game.has_chance else DRAWN * game.num_seats
    lively = [_enliven(each, game) for each in players]
    while (seat := played.states[-1].to_move) is not None:
        choosing = lively if len(played.actions) < drawn else players
        with blame(seat):
            move = choosing[seat].choose(played.states[-1], dice.randrange(SEEDS))
        played.go_on(move)
        watching = players if follows and not played.states[-1].is_over else ()
        for number, somebody in enumerate(watching):
            with blame(number):
                somebody.follow(played.states[-2], move, played.states[-1])


def _enliven(somebody: Player, game: Game) -> Player:
    """Who moves for a player at the start of a game; the player itself if it varies anyway."""
    found = somebody.player_of(game) if isinstance(somebody, LevelPlayer) else somebody
    if isinstance(found, NetPlayer) and found.temperature == 0:
        return replace(found, simulations=1, seconds=None, temperature=WHIM)
    return somebody


class _Book:
    """Keeps what is to be known about games."""

    def __init__(self, game: Game) -> None:
        seats, cells = range(game.num_seats), len(game.board)
        self.game = game
        self.games: list[Answer] = []
        self.choices: list[list[int]] = []  # by ply: games, legal actions, and their squares
        self.moves = [[0] * cells for _ in seats]
        self.counts = [[0] * cells for _ in seats]

    def add(self, played: MeasuredGame) -> None:
        states, actions = played.states, played.actions
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
                "shares": played.shares,
                "happenings": dict(sorted(happened.items())),
                "tree": round(tree, 4),
                "deal": played.deal,
                "actions": actions,
                **played.story,
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
