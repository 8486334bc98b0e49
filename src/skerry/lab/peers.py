"""The peer we measure ourselves against: random rollouts in OpenSpiel, in its own C++.

OpenSpiel runs rollouts natively only inside its tree search, so a search of two simulations with
1,000 rollouts each is timed: the first rolls out from the start, the second one ply later. How many
plies that is follows from the mean length of its random games, sampled once.
"""

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

from skerry.core.errors import SkerryError

ROLLOUTS = 1000
SIMULATIONS = 2
LENGTH_SAMPLE = 2000

# our game -> the game in OpenSpiel that is nearest to it, and the ratio we want to keep
PEERS = {
    "skew": ("hex(board_size=10)", 13.0),
    "skirt": ("havannah(board_size=6)", 3.0),
    "x": ("hex(board_size=10)", 14.0),
    "skaane": ("breakthrough(rows=8,columns=8)", 13.0),
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


def rollouts_of(name: str) -> Callable[[], float]:
    """A function that runs one search in a game of OpenSpiel and returns its plies per second."""
    pyspiel = load_openspiel()
    game = pyspiel.load_game(name)
    length = mean_length(game)
    plies = ROLLOUTS * (length + length - 1)

    def run() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, SIMULATIONS, 1000, False, 1, False)
        state = game.new_initial_state()
        started = perf_counter()
        bot.mcts_search(state)
        return plies / (perf_counter() - started)

    return run


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
