"""What a search has learned on its way: which move to try first, and where work is small.

None of this can make an answer wrong. A proof is short if the moves that decide are tried first, so
it pays to spend a share of the work on finding them: before a large subtree is entered, random
games are played from each of its positions, the more the larger such subtrees have been so far.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core import bits, rules
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.core.random import advance, seeded

PLIES = 512  # later ones count as the last of these
ANSWERS = 1 << 16
FEWEST_GAMES, FIRST_GAMES, MOST_GAMES = 4, 32, 256
PRICE = 8  # nodes that a ply of a random game has to save
KNOWN = 64  # positions that tell how large others of their ply are
TRIVIAL = 2  # a position of fewer nodes is solved again sooner than looked up
# A score is what random games say, on a scale of thirds of a bit like the number of replies; below
# that, counts of decisions.
COUNT_BITS = 40
CONFIDENCE = 16.0
SUITED = 64  # a decision against the very move before counts as so many against any


class Experience(NamedTuple):
    """Counts of what has decided positions, and of what that took."""

    history: NDArray[np.int64]  # [seats, num_actions] how often a move has decided a position
    answers: NDArray[np.int32]  # [ANSWERS] the same as an answer to the move before, by hash
    killers: NDArray[np.int32]  # [PLIES] the move that last decided by ending the game
    work: NDArray[np.int64]  # [PLIES, 2] positions that were searched, and their nodes


def make_experience(game: Game) -> Experience:
    """None yet."""
    return Experience(
        np.zeros((game.num_seats, game.num_actions), np.int64),
        np.zeros(ANSWERS, np.int32),
        np.zeros(PLIES, np.int32),
        np.zeros((PLIES, 2), np.int64),
    )


@kernel
def put_killer_first(experience: Experience, ply: int, actions: Any, count: int) -> None:
    """Begin with the move that last decided by ending a game of this length."""
    killer = experience.killers[min(ply, PLIES - 1)]
    for i in range(count):
        if actions[i] == killer:
            actions[i] = actions[0]
            actions[0] = killer


@kernel
def note_killer(experience: Experience, ply: int, action: int) -> None:
    """A move ended the game, and that decided the position."""
    experience.killers[min(ply, PLIES - 1)] = action


@kernel
def note_work(experience: Experience, ply: int, nodes: int) -> None:
    """A position took so many nodes."""
    work = experience.work[min(ply, PLIES - 1)]
    work[0] += 1
    work[1] += nodes


@kernel
def is_trivial(experience: Experience, ply: int) -> bool:
    """Whether positions of this ply take hardly any search."""
    work = experience.work[min(ply, PLIES - 1)]
    searched, nodes = bits.signed(work[0]), bits.signed(work[1])
    return searched >= KNOWN and nodes < TRIVIAL * searched


@kernel
def count_games(experience: Experience, ply: int, plies_left: int) -> int:
    """How many random games a position of this ply is worth; they cost as much as they are long."""
    work = experience.work[min(ply, PLIES - 1)]
    if work[0] == 0:
        return FIRST_GAMES
    games = min(MOST_GAMES, work[1] // work[0] // (PRICE * max(plies_left, 1)))
    return bits.signed(games) if games >= FEWEST_GAMES else 0


@kernel
def _place_of(experience: Experience, seat: int, before: int, action: int) -> int:
    actions = bits.signed(experience.history.shape[1])
    return ((seat * actions + before) * actions + action) & (ANSWERS - 1)


@kernel
def credit(experience: Experience, seat: int, before: int, action: int) -> None:
    """A seat's move has decided a position, after the move ``before``."""
    experience.history[seat, action] += 1
    experience.answers[_place_of(experience, seat, before, action)] += 1


@kernel
def count_credit(experience: Experience, seat: int, before: int, action: int) -> int:
    """How often a move has decided positions, those after the same move above all."""
    suited = experience.answers[_place_of(experience, seat, before, action)]
    return bits.signed(experience.history[seat, action] + SUITED * suited)


@kernel
def sound_out(
    t: Any, states: Any, level: int, action: int, games: int, seed: int, scratch: Any, returns: Any
) -> int:
    """What random games say about a move of ``states[level]``; writes to the level below."""
    seat, child = states[level].turn, states[level + 1]
    total = 0.0
    rng = seeded(seed)
    for _ in range(games):
        states[level + 1] = states[level]
        rules.play(t, child, action)
        rng = rules.finish(t, child, advance(rng), scratch)
        rules.returns(t, child, returns)
        total += returns[seat]
    return bits.signed(CONFIDENCE * total / games * (1 << COUNT_BITS))


@kernel
def size_of(number: int) -> int:
    """The logarithm of a number to base 2, rounded down."""
    size = 0
    while number > 1:
        number >>= 1
        size += 1
    return size
