"""Grades: who knows the solution has the best, and positions are different and repeatable."""

import pytest

import skerry
from skerry.lab.grading import Grade, find_representative, grade, sample_positions
from skerry.search.solver import Solver

SKIRT = skerry.make("skirt", side=3)
X = skerry.make("x", size=3)


class Knowing:
    """Plays what the solver calls optimal, or on purpose something else."""

    def __init__(self, well: bool) -> None:
        self.name = "knowing"
        self.well = well

    def choose(self, state: skerry.State, seed: int | None = None) -> skerry.Move:
        optimal = skerry.solve(state, entries=2**16).optimal_moves
        moves = state.legal_moves()
        return next((move for move in moves if (move in optimal) == self.well), moves[0])


@pytest.mark.parametrize("game", [SKIRT, X], ids=repr)
def test_the_solution_is_graded_best_and_its_opposite_worst(game: skerry.Game) -> None:
    best = grade(Knowing(well=True), game, 40)
    assert best.share == best.critical_share == 1.0
    assert best.positions == 40
    worst = grade(Knowing(well=False), game, 40)
    assert (worst.positions, worst.critical) == (best.positions, best.critical)
    assert 0 < worst.critical < worst.positions
    assert worst.critical_optimal == 0
    assert worst.optimal == worst.positions - worst.critical


def test_what_the_others_receive_does_not_matter() -> None:
    """A losing seat of X does nothing wrong by choosing who wins instead of it."""
    solver = Solver(X, 2**16)
    kingmakers = []
    for state in sample_positions(X, 60, seed=0):
        solution = solver.solve(state)
        if solution.returns[state.to_move or 0] > 0:
            assert solver.find_good_moves(state) == solution.optimal_moves
        else:
            assert solver.find_good_moves(state) == state.legal_moves()
            kingmakers.append(len(solution.optimal_moves) < len(state.legal_moves()))
    assert any(kingmakers)


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
    assert grade(player, SKIRT, 30, seed=2) == grade(player, SKIRT, 30, seed=2)
    assert grade(player, SKIRT, 30, seed=2) != grade(player, SKIRT, 30, seed=5)
