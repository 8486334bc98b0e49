"""Positions in which choices are weighed: do legal moves differ in what they are worth?"""

from collections.abc import Sequence
from itertools import islice
from random import Random

import numpy as np

from skerry.core.state import State
from skerry.lab.corpus import Corpus
from skerry.lab.stats.results import Played

LOSS = 0.05  # of a win: what a move has to cost


def sample_positions(corpus: Corpus, count: int, seed: int) -> list[State]:
    """Positions of games, one of each, in which there is a choice; the first games come first."""
    dice = Random(f"{seed} positions")
    found: list[State] = []
    for k in range(len(corpus)):
        length = int(corpus.lengths[k])
        if len(found) == count:
            break
        if length:
            ply = dice.randrange(length)
            state = next(islice(corpus.replay(k), ply, None))
            if len(state.legal_actions()) > 1:
                found.append(state)
    return found


def list_followers(state: State) -> list[State]:
    """Where every legal move leads."""
    return [state.play(move) for move in state.legal_moves()]


def share_of(state: State, seat: int) -> float | None:
    """What a seat has of a game that is over."""
    return Played((), state.outcome.returns).shares[seat] if state.outcome else None


def weigh(values: Sequence[float]) -> float:
    """Which share of the moves cost something, where these are worth so much, from 0 to 1."""
    found = np.asarray(values)
    return float((found < found.max() - LOSS).mean())
