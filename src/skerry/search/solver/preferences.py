"""Who likes what: the outcomes that a search tells apart, and what it asks about them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.kernels import kernel
from skerry.search.solver.keys import LABEL_BITS

FULL = -1  # the question which outcome it is


class Preferences(NamedTuple):
    """Who likes what: the outcome of every end, and every seat's order of preference."""

    label: int  # tells these preferences from others in the table
    outcomes: int
    of_winner: NDArray[np.int32]  # [seats + 1] the outcome if a seat wins, at last if nobody does
    order: NDArray[np.int32]  # [seats, outcomes] outcomes, best first
    best: NDArray[np.int32]  # [seats, outcomes + 1] the set of the so many best outcomes
    worst_rank: NDArray[np.int32]  # [seats, sets of outcomes] the rank of the worst in a set


def make_preferences(label: int, of_winner: list[int], order: list[list[int]]) -> Preferences:
    """Preferences from the seats' orders of them."""
    if label >> LABEL_BITS:
        raise OptionsError(f"games of {len(order)} seats cannot be solved: keys are too narrow")
    outcomes = len(order[0])
    best = np.zeros((len(order), outcomes + 1), np.int32)
    worst_rank = np.zeros((len(order), 1 << outcomes), np.int32)
    for seat, liked in enumerate(order):
        for rank, outcome in enumerate(liked):
            best[seat, rank + 1] = best[seat, rank] | 1 << outcome
            for subset in range(1 << outcomes):
                if subset >> outcome & 1:
                    worst_rank[seat, subset] = rank
    return Preferences(
        label,
        outcomes,
        np.array(of_winner, np.int32),
        np.array(order, np.int32),
        best,
        worst_rank,
    )


@kernel
def is_decided(outcomes: int, question: int) -> bool:
    """Whether a set of possible outcomes answers a question."""
    if question == FULL:
        return outcomes & (outcomes - 1) == 0
    asked = 1 << question
    return outcomes == asked or outcomes & asked == 0


@kernel
def pass_on(preferences: Preferences, seat: int, floor: int, question: int) -> int:
    """What to ask about a move, for a seat with something in hand that has a question to answer.

    Whether it is the best or the worst outcome depends on whether some move's is. Beyond that,
    with the second best in hand only the best is of interest.
    """
    best, worst = preferences.order[seat, 0], preferences.order[seat, preferences.outcomes - 1]
    if question in (best, worst):
        return question
    return best if floor == 1 else FULL
