"""Who the others are: whether a player thinks as the net does, or is a stranger to it.

A net that knows strangers foretells what each kind does. So the moves that a seat has made so far
tell which kind it is: that which made them likelier.
"""

from math import log

import numpy as np
from numpy.typing import NDArray

from skerry.core.game import Game
from skerry.core.state import Move, State
from skerry.nets import forward
from skerry.nets.file import Net
from skerry.nets.shape import count_flags
from skerry.nets.sight import look_at
from skerry.search.guided.search import Evaluator, evaluator_for

NOBODY, EVERYBODY, GUESS = "none", "all", "guess"
VIEWS = (NOBODY, EVERYBODY, GUESS)
LEAST = 1e-3  # a move is never taken to be less likely than this
MARGIN = log(8)  # a seat is a stranger's if its moves are so much likelier from one


def knows_strangers(game: Game, net: Net) -> bool:
    """Whether a net was told of strangers when it learnt; nets for two seats never are."""
    return count_flags(game.num_seats) > 0 and net.shape.facts == look_at(game).facts


def foretell(evaluator: Evaluator, desk: forward.Desk, state: State) -> NDArray[np.float64]:
    """[2, legal actions]: how likely each is from one of the net's kind, and from a stranger."""
    game = state.game
    logits = np.zeros((2, game.num_actions), np.float32)
    forward.evaluate(
        evaluator.weights,
        evaluator.ground,
        desk,
        np.stack([state.codes] * 2),
        np.full(2, state.turn, np.int64),
        np.full(2, state.counter, np.int64),
        np.array([0, 1 << state.turn], np.int64),
        logits,
        np.zeros((2, game.num_seats + 1), np.float32),
    )
    chances: NDArray[np.float64] = logits[:, state.legal_actions()].astype(np.float64)
    chances = np.exp(chances - chances.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    return chances


class Company:
    """What the moves of a game say about who sits where."""

    def __init__(self) -> None:
        self.net: Net | None = None
        self.state: State | None = None  # where the game has come to, as far as it was seen
        self.odds: list[float] = []  # of every seat for a stranger, as logarithms

    def see(self, net: Net, state: State, move: Move, after: State | None = None) -> None:
        """See a move being made. If it is not the next one of the same game, all before is
        forgotten; a net that knows no strangers has nothing to say."""
        if net is not self.net or state != self.state:
            self.net, self.odds = net, [0.0] * state.game.num_seats
            self.knows = knows_strangers(state.game, net)
            if self.knows:
                self.evaluator = evaluator_for(state.game, net)
                self.desk = self.evaluator.set_up()
        self.state = after or state.play(move)
        legal = state.legal_actions()
        if self.knows and len(legal) > 1:
            chances = foretell(self.evaluator, self.desk, state)
            alike, strange = chances[:, np.searchsorted(legal, int(move))]
            self.odds[state.turn] += log(max(strange, LEAST)) - log(max(alike, LEAST))

    def find_strangers(self, view: str, state: State) -> int:
        """A bit for every other seat that is to be taken for a stranger's; none between two, and if
        it is to be guessed, none where the game that led here was not seen."""
        seats = count_flags(state.game.num_seats)
        if not seats or view == NOBODY or (view == GUESS and state != self.state):
            return 0
        others = [seat for seat in range(seats) if seat != state.turn]
        return sum(1 << seat for seat in others if view == EVERYBODY or self.odds[seat] > MARGIN)
