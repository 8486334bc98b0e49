"""How fast the rules run, and searches on them: on one core.

Machines are noisy and machines differ, so speed is told as a ratio to a peer measured in the same
run: the two take turns, round by round, and the ratio is the median over the rounds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from skerry.core.game import Game
from skerry.search.engine import analyse

Runner = Callable[[int], float]  # takes a seed, returns what it did per second

# perft goes as deep as it takes to count this many sequences.
ENOUGH_NODES = 1_000_000
DEEPEST = 12


@dataclass(frozen=True)
class Speed:
    """What a game did per second in random playouts, and how long its games are."""

    game: str
    options: dict[str, int]
    plies_per_second: float
    games_per_second: float
    mean_plies: float


@dataclass(frozen=True)
class PeerSpeed:
    """A game beside its peer, from rounds taken in turns; plies or simulations are counted."""

    game: str
    peer: str
    per_second: float
    peer_per_second: float
    ratio: float
    rounds: int


def time_playouts(game: Game, seconds: float) -> Speed:
    """Random games for about that long, in a few rounds of which the best counts."""
    batch = max(1, round(batch_for(game, seconds / 5)))
    rounds = []
    for seed in range(5):
        started = perf_counter()
        done = game.playouts(batch, seed=seed)
        rounds.append((done.plies / (perf_counter() - started), done))
    best, done = max(rounds, key=lambda entry: entry[0])
    length = done.plies / done.games
    return Speed(game.name, game.options, best, best / max(length, 1e-9), length)


def batch_for(game: Game, seconds: float) -> float:
    """How many playouts take about that long; compiles on the way."""
    game.playouts(1)
    games, elapsed = 64, 0.0
    while elapsed < 0.01:
        games *= 2
        started = perf_counter()
        game.playouts(games)
        elapsed = perf_counter() - started
    return games * seconds / elapsed


def time_perft(game: Game) -> tuple[int, int, float]:
    """The depth reached, the sequences counted there, and how many per second."""
    nodes, depth, elapsed = 0, 0, 0.0
    while nodes < ENOUGH_NODES and depth < DEEPEST:
        depth += 1
        started = perf_counter()
        nodes = game.perft(depth)
        elapsed = perf_counter() - started
    return depth, nodes, nodes / elapsed


def playouts_of(game: Game, seconds: float) -> Runner:
    """A function that plays random games for about that long and returns its plies per second."""
    batch = max(1, round(batch_for(game, seconds)))

    def run(seed: int) -> float:
        started = perf_counter()
        done = game.playouts(batch, seed=seed)
        return done.plies / (perf_counter() - started)

    return run


def searches_of(game: Game, seconds: float) -> Runner:
    """A function that searches the start of a game and returns its simulations per second."""
    analyse(game.initial(), simulations=1)  # compiles

    def run(seed: int) -> float:
        found = analyse(game.initial(seed), seconds=seconds, seed=seed, lines=0)
        return found.simulations / found.seconds

    return run


def compare(
    game: Game,
    peer: str,
    run: Runner,
    run_peer: Runner,
    rounds: int,
) -> PeerSpeed:
    """Take turns with a peer."""
    ours, theirs = [], []
    for seed in range(rounds):
        theirs.append(run_peer(seed))
        ours.append(run(seed))
    ratio = median(mine / other for mine, other in zip(ours, theirs, strict=True))
    return PeerSpeed(game.name, peer, median(ours), median(theirs), ratio, rounds)
