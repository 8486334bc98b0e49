"""Grades: who knows the solution has the best, and positions are different and repeatable."""

from functools import cache
from itertools import product

import pytest

import skerry
from skerry.lab.grading import Grade, find_representative, grade, sample_positions
from skerry.search.players import RandomPlayer
from skerry.search.solver.solver import Solver
from support.repeating import some_of

SKIRT = skerry.make("skirt", side=3)
X = skerry.make("x", size=3)


class Knowing:
    """Plays what the solver calls good, or on purpose something else."""

    def __init__(self, game: skerry.Game, well: bool) -> None:
        self.name = "knowing"
        self.solver = Solver(game, 2**16)
        self.well = well

    def choose(self, state: skerry.State, seed: int | None = None) -> skerry.Move:
        good = self.solver.find_good_moves(state)
        moves = state.legal_moves()
        return next((move for move in moves if (move in good) == self.well), moves[0])


@pytest.mark.parametrize("game", some_of([SKIRT, X], [X]), ids=repr)
def test_the_solution_is_graded_best_and_its_opposite_worst(game: skerry.Game) -> None:
    best = grade(Knowing(game, well=True), game, 40)
    assert best.share == best.critical_share == 1.0
    assert best.positions == 40
    worst = grade(Knowing(game, well=False), game, 40)
    assert (worst.positions, worst.critical) == (best.positions, best.critical)
    assert 0 < worst.critical < worst.positions
    assert worst.critical_optimal == 0
    assert worst.optimal == worst.positions - worst.critical


@cache
def winner(state: skerry.State, ways: tuple[int, ...]) -> int:
    """Who wins X if every seat prefers, after itself, those after it (1) or before it (-1)."""
    if state.outcome:
        assert state.outcome.winner is not None
        return state.outcome.winner
    seat = state.to_move or 0
    winners = [winner(state.play(move), ways) for move in state.legal_moves()]
    return min(winners, key=lambda other: (other - seat) * ways[seat] % 3)


@pytest.mark.parametrize(
    ("count", "seed", "plies"), [(20, 3, 4), pytest.param(40, 0, 3, marks=pytest.mark.soak)]
)
def test_nobody_knows_whom_losers_help(count: int, seed: int, plies: int) -> None:
    """A sure win of X is better than a possible one, and that better than none."""
    solver = Solver(X, 2**16)
    kinds = set()
    for state in sample_positions(X, count, seed=seed, plies=plies):
        seat, moves = state.to_move, state.legal_moves()
        wins = [
            [winner(state.play(move), ways) == seat for ways in product((1, -1), repeat=3)]
            for move in moves
        ]
        prospects = [all(won) + any(won) for won in wins]
        good = tuple(m for m, p in zip(moves, prospects, strict=True) if p == max(prospects))
        assert solver.find_good_moves(state) == good
        kinds.add((max(prospects), len(good) < len(moves)))
    assert kinds >= {(2, True), (1, True), (1, False), (0, False)}


def test_without_anything_to_do_wrong_there_is_no_critical_share() -> None:
    assert Grade("random", 4, 4, 0, 0).critical_share is None


@pytest.mark.parametrize("game", [SKIRT, X], ids=repr)
def test_positions_are_different_under_symmetry_and_repeatable(game: skerry.Game) -> None:
    positions = list(sample_positions(game, 60, seed=3))
    assert positions == list(sample_positions(game, 60, seed=3))
    assert positions != list(sample_positions(game, 60, seed=4))
    assert len({find_representative(state) for state in positions}) == 60
    assert not any(state.is_over for state in positions)


def test_positions_keep_their_distance_from_the_start() -> None:
    for state in sample_positions(X, 20, seed=0, plies=4):
        assert sum(letter in "ryg" for letter in state.position.split()[0]) >= 4


def test_small_boards_run_out_of_positions() -> None:
    tiny = skerry.make("x", size=2)
    found = grade(skerry.player("random"), tiny, 1000)
    assert 3 < found.positions < 40
    with pytest.raises(skerry.OptionsError, match="no random game of X lasts 50 plies"):
        grade(skerry.player("random"), tiny, 10, plies=50)


def test_the_same_seed_gives_the_same_grade() -> None:
    player = skerry.player("mcts:simulations=20")
    found = grade(player, SKIRT, 15, seed=2)
    assert grade(player, SKIRT, 15, seed=2) == found
    assert grade(player, SKIRT, 15, seed=5) != found


def test_positions_that_take_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = Solver.find_good_moves
    easy = {"later": 5}

    def give_up(
        solver: Solver, state: skerry.State, seconds: float | None = None
    ) -> set[skerry.Move]:
        if len(state.legal_moves()) > easy["later"]:
            raise skerry.SolveLimit("too hard")
        return solve(solver, state)

    monkeypatch.setattr(Solver, "find_good_moves", give_up)
    told: list[int] = []
    found = grade(skerry.player("random"), X, 30, tell=lambda done, _: told.append(done))
    assert found.unsolved > 0
    assert found.positions + found.unsolved == 30
    assert told == list(range(1, 31))
    easy["later"] = 0
    with pytest.raises(skerry.SolveLimit, match="none of 30 positions was solved"):
        grade(skerry.player("random"), X, 30)


def test_a_position_left_out_changes_no_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    solve, choose = Solver.find_good_moves, RandomPlayer.choose
    luck: dict[skerry.State, int | None] = {}
    solved: list[skerry.State] = []

    def note(player: RandomPlayer, state: skerry.State, seed: int | None = None) -> skerry.Move:
        luck[state] = seed
        return choose(player, state, seed)

    def give_up_first(
        solver: Solver, state: skerry.State, seconds: float | None = None
    ) -> set[skerry.Move]:
        solved.append(state)
        if len(solved) == 1:
            raise skerry.SolveLimit("too hard")
        return solve(solver, state)

    monkeypatch.setattr(RandomPlayer, "choose", note)
    grade(skerry.player("random"), X, 8)
    before = luck.copy()
    luck.clear()
    monkeypatch.setattr(Solver, "find_good_moves", give_up_first)
    grade(skerry.player("random"), X, 8)
    assert luck == {state: seed for state, seed in before.items() if state != solved[0]}
    assert len(luck) == 7
