"""The exact solver against brute force in plain Python, and what it promises."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.search.solver import Solver

Returns = tuple[float, ...]

TINY_SKAANE = {"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "suns": 1}
SMALLEST = [
    skerry.make("skew", side=2, pegs=1),
    skerry.make("skew", side=3, pegs=1),
    skerry.make("skirt", side=2),
    skerry.make("x", size=2),
    skerry.make("skaane", **TINY_SKAANE, quiet_limit=3),
]
# Larger boards, solved from positions so late that brute force comes to an end.
LATE = [
    skerry.make("skew", side=2, pegs=3),
    skerry.make("skew", side=3, pegs=4),
    skerry.make("skew", side=6, pegs=2),
    skerry.make("skirt", side=3),
    skerry.make("skirt", side=4),
    skerry.make("x", size=3),
    skerry.make("x", size=4),
    skerry.make("skaane", **TINY_SKAANE, quiet_limit=30),
    skerry.make("skaane", width=3, height=5, gods=2, kings=1, serfs=2, suns=1, quiet_limit=3),
]
FEW_ENOUGH = 1_000  # positions that brute force may visit


class TooMany(Exception):
    """Brute force would take too long."""


class BruteForce:
    """Minimax and max-n without any pruning, over the public face of states."""

    def __init__(self, most: int = 10**9) -> None:
        self.most = most
        self.known: dict[skerry.State, Returns] = {}
        self.winning: dict[tuple[skerry.State, int], bool] = {}

    def returns(self, state: skerry.State) -> Returns:
        if state not in self.known:
            if len(self.known) >= self.most:
                raise TooMany
            self.known[state] = (
                state.outcome.returns
                if state.outcome
                else max(self.choices(state), key=self.taste(state))
            )
        return self.known[state]

    def choices(self, state: skerry.State) -> list[Returns]:
        return [self.returns(state.play(move)) for move in state.legal_moves()]

    @staticmethod
    def taste(state: skerry.State):  # type: ignore[no-untyped-def]
        """Own returns first, then those of the seats that follow, in turn order."""
        seat, seats = state.to_move or 0, state.game.num_seats
        return lambda returns: [returns[(seat + step) % seats] for step in range(seats)]

    def optimal(self, state: skerry.State) -> set[str]:
        best = self.returns(state)
        moves = state.legal_moves()
        return {str(move) for move in moves if self.returns(state.play(move)) == best}

    def forces(self, state: skerry.State, seat: int) -> bool:
        if (state, seat) not in self.winning:
            if state.outcome:
                found = state.outcome.winner == seat
            else:
                after = [self.forces(state.play(move), seat) for move in state.legal_moves()]
                found = any(after) if state.to_move == seat else all(after)
            self.winning[state, seat] = found
        return self.winning[state, seat]


def agree(solution: skerry.Solution, state: skerry.State, brute: BruteForce) -> None:
    assert solution.returns == brute.returns(state)
    assert {str(move) for move in solution.optimal_moves} == brute.optimal(state)
    assert set(solution.optimal_moves) <= set(state.legal_moves())
    seats = range(state.game.num_seats)
    assert solution.forceable == tuple(brute.forces(state, seat) for seat in seats)


@cache
def shared_solver(game: skerry.Game) -> Solver:
    """One table for many positions of a game, as in grading."""
    return Solver(game, 1 << 16)


@pytest.mark.parametrize("game", SMALLEST, ids=repr)
def test_every_position_of_a_tiny_board(game: skerry.Game) -> None:
    """From the start down to the last move, all that brute force has come across."""
    brute, solver = BruteForce(), Solver(game, 1 << 12)
    for seed in range(3 if game.has_chance else 1):
        brute.returns(game.initial(seed))
    positions = [state for state in brute.known if not state.is_over]
    assert positions
    for state in Random(5).sample(positions, min(len(positions), 400)):
        agree(solver.solve(state), state, brute)


@given(st.sampled_from(LATE), st.integers(0, 2**32), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_late_positions_of_larger_boards(game: skerry.Game, deal: int, chooser: Random) -> None:
    """Random games, gone back from their end for as long as brute force can follow."""
    line = [game.initial(deal)]
    while not line[-1].is_over:
        line.append(line[-1].play(chooser.choice(line[-1].legal_actions().tolist())))
    brute = BruteForce(FEW_ENOUGH)
    for state in reversed(line[:-1][-8:]):
        try:
            brute.returns(state)
        except TooMany:
            break
        agree(shared_solver(game).solve(state), state, brute)


@pytest.mark.parametrize(
    "text", ["r2/1y1/2g r", "3/1r1/3 y", "rg1/1y1/3 r", "1r1/ygr/1y1 g", "3/r1y/2g r"]
)
def test_positions_of_x_3x3(text: str) -> None:
    state = skerry.make("x", size=3).position(text)
    agree(skerry.solve(state), state, BruteForce())
