"""The peer we measure ourselves against: rollouts and tree search in OpenSpiel, in its own C++.

OpenSpiel runs rollouts natively only inside its tree search, so a search of two simulations with
1,000 rollouts each is timed: the first rolls out from the start, the second one ply later. How many
plies that is follows from the mean length of its random games, sampled once.
"""

from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from skerry.core.errors import SkerryError
from skerry.lab.speed import Runner

ROLLOUTS = 1000
SIMULATIONS = 2
LENGTH_SAMPLE = 2000

SEARCH_SIMULATIONS = 3000
CURIOSITY = 1.0  # of OpenSpiel's search; the speed hardly depends on it
MEMORY = 1000  # megabytes


class Peer(NamedTuple):
    """A game in OpenSpiel, and the ratios we want to keep in playouts and in search."""

    name: str
    playouts: float
    searches: float


# our game -> the game in OpenSpiel that is nearest to it
PEERS = {
    "skew": Peer("hex(board_size=10)", 13.0, 8.0),
    "skirt": Peer("havannah(board_size=6)", 3.0, 3.0),
    "x": Peer("hex(board_size=10)", 14.0, 8.0),
    "skaane": Peer("breakthrough(rows=8,columns=8)", 13.0, 2.0),
}


class PeerMissing(SkerryError):
    """OpenSpiel is not installed."""


def load_openspiel() -> Any:
    """The module ``pyspiel``."""
    try:
        import pyspiel
    except ImportError:
        raise PeerMissing(
            "OpenSpiel is not installed, so there is nothing to compare with: "
            "pip install 'skerry[bench]'"
        ) from None
    return pyspiel


def rollouts_of(name: str) -> Runner:
    """A function that runs rollouts in a game of OpenSpiel and returns its plies per second."""
    game = load_openspiel().load_game(name)
    length = mean_length(game)
    plies = ROLLOUTS * (length + length - 1)
    return lambda seed: plies / time_search(game, SIMULATIONS, ROLLOUTS, seed)


def searches_of(name: str) -> Runner:
    """A function that searches in a game of OpenSpiel and returns its simulations per second."""
    game = load_openspiel().load_game(name)
    return lambda seed: SEARCH_SIMULATIONS / time_search(game, SEARCH_SIMULATIONS, 1, seed)


def time_search(game: Any, simulations: int, rollouts: int, seed: int) -> float:
    """The seconds that a search from the start takes, with so many rollouts for each simulation."""
    pyspiel = load_openspiel()
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    bot = pyspiel.MCTSBot(game, evaluator, CURIOSITY, simulations, MEMORY, False, seed, False)
    state = game.new_initial_state()
    started = perf_counter()
    bot.mcts_search(state)
    return perf_counter() - started


def mean_length(game: Any) -> float:
    """The mean number of plies of uniformly random games."""
    chooser = Random(1)
    plies = 0
    for _ in range(LENGTH_SAMPLE):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chooser.choice(state.legal_actions()))
            plies += 1
    return plies / LENGTH_SAMPLE
