"""The exact solver against brute force in plain Python, and what it promises."""

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import skerry
from skerry.core.kernels import kernel
from skerry.search.solver import keys, memory, order, preferences, proof
from skerry.search.solver.keys import Symmetries
from skerry.search.solver.solver import Progress, Solver
from support.bruteforce import BruteForce, TooMany, agree
from support.strategies import states

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
    skerry.make("skirt", side=3),
    skerry.make("skirt", side=4),
    skerry.make("x", size=3),
    skerry.make("x", size=4),
    skerry.make("skaane", **TINY_SKAANE, quiet_limit=30),
    skerry.make("skaane", width=3, height=5, gods=2, kings=1, serfs=2, suns=1, quiet_limit=3),
]
OF_TWO_WORDS = skerry.make("skew", side=6, pegs=2)
FEW_ENOUGH = 1_000  # positions that brute force may visit


@cache
def shared_solver(game: skerry.Game) -> Solver:
    """One table for many positions of a game, as in grading."""
    return Solver(game, 1 << 16)


@pytest.mark.parametrize("game", SMALLEST, ids=repr)
def test_positions_of_a_tiny_board(game: skerry.Game) -> None:
    """From the start down to the last move, some of all that brute force has come across."""
    check_positions(game, deals=1, most=100)


@pytest.mark.soak
@pytest.mark.parametrize("game", SMALLEST, ids=repr)
def test_many_positions_of_a_tiny_board(game: skerry.Game) -> None:
    check_positions(game, deals=3, most=2000)


def check_positions(game: skerry.Game, deals: int, most: int) -> None:
    brute, solver = BruteForce(), Solver(game, 1 << 12)
    for seed in range(deals if game.has_chance else 1):
        brute.returns(game.initial(seed))
    positions = [state for state in brute.known if not state.is_over]
    assert positions
    for state in Random(5).sample(positions, min(len(positions), most)):
        agree(solver.solve(state), state, brute)


def go_back(game: skerry.Game, deal: int, chooser: Random) -> None:
    """A random game, gone back from its end for as long as brute force can follow."""
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


@given(st.sampled_from(LATE), st.integers(0, 2**32), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_late_positions_of_larger_boards(game: skerry.Game, deal: int, chooser: Random) -> None:
    go_back(game, deal, chooser)


@pytest.mark.soak
@given(
    st.sampled_from([*LATE, OF_TWO_WORDS]),
    st.integers(0, 2**32),
    st.randoms(use_true_random=False),
)
@settings(max_examples=200)
def test_many_late_positions(game: skerry.Game, deal: int, chooser: Random) -> None:
    go_back(game, deal, chooser)


@pytest.mark.parametrize(
    "text",
    [
        *("r2/1y1/2g r", "rg1/1y1/3 r", "1r1/ygr/1y1 g", "3/r1y/2g r"),
        pytest.param("3/1r1/3 y", marks=pytest.mark.soak),  # whose tree has most of all positions
    ],
)
def test_positions_of_x_3x3(text: str) -> None:
    state = skerry.make("x", size=3).position(text)
    agree(skerry.solve(state), state, BruteForce())


def some_positions(game: skerry.Game, count: int, plies: int) -> list[skerry.State]:
    """Positions after so many random moves."""
    chooser = Random(f"{game!r} {plies}")
    found = []
    while len(found) < count:
        state = game.initial(chooser.randrange(100))
        for _ in range(plies):
            if not state.is_over:
                state = state.play(chooser.choice(state.legal_moves()))
        if not state.is_over:
            found.append(state)
    return found


MIDDLES = [
    state
    for game, plies in (
        (skerry.make("skew", side=3, pegs=4), 3),
        (skerry.make("skirt", side=3), 4),
        (skerry.make("x", size=3), 1),
        (skerry.make("x", size=4), 8),
        (skerry.make("skaane", **TINY_SKAANE, quiet_limit=8), 1),
    )
    for state in some_positions(game, 3, plies)
]
# One of each game, and the others.
SOME = [
    state if number % 3 == 0 else pytest.param(state, marks=pytest.mark.soak)
    for number, state in enumerate(MIDDLES)
]


@pytest.mark.parametrize("state", SOME, ids=repr)
def test_symmetric_positions_have_the_same_solution(state: skerry.State) -> None:
    game, solution = state.game, skerry.solve(state)
    for number in range(1, len(game.symmetries)):
        image = skerry.solve(game.transform(state, number))
        assert image.returns == solution.returns
        assert image.forceable == solution.forceable
        moved = {game.transform_action(int(move), number) for move in solution.optimal_moves}
        assert {int(move) for move in image.optimal_moves} == moved


@pytest.mark.parametrize("state", SOME, ids=repr)
def test_a_tiny_table_changes_nothing_but_the_work(state: skerry.State) -> None:
    large, tiny = skerry.solve(state), skerry.solve(state, entries=16)
    assert tiny.returns == large.returns
    assert tiny.optimal_moves == large.optimal_moves
    assert tiny.forceable == large.forceable


def test_a_tiny_table_does_forget() -> None:
    """Without this the test above would say nothing."""
    state = skerry.make("x", size=3).initial()
    assert skerry.solve(state, entries=16).nodes > skerry.solve(state).nodes


def test_positions_before_the_last_move_are_solved_without_the_table() -> None:
    """Most of all positions of Skew are such: the table has room for the others."""
    solver = Solver(skerry.make("skew", side=3, pegs=3))
    found = solver.solve(solver.game.initial())
    counters, experience = solver._workspace.counters, solver._workspace.experience
    assert order.is_trivial(experience, 5)
    assert not order.is_trivial(experience, 3)
    assert counters[proof.ROWS] < found.nodes / 2
    # Random games are for where there is much to search.
    assert order.count_games(experience, 2, 4) > order.count_games(experience, 4, 2) == 0


def test_experience_of_one_position_is_not_that_of_another() -> None:
    solver = Solver(skerry.make("skew", side=2, pegs=3))
    line = [solver.game.initial()]
    while not line[-1].is_over:
        line.append(line[-1].play(line[-1].legal_moves()[0]))
    solver.solve(line[0])
    solver.solve(line[-2])
    assert solver._workspace.experience.work[:, 0].tolist()[1:] == [0] * (order.PLIES - 1)


def test_moves_that_decided_are_tried_first() -> None:
    experience = order.make_experience(skerry.make("x", size=3))
    order.credit(experience, 0, 4, 7)
    assert order.count_credit(experience, 0, 4, 7) > order.count_credit(experience, 0, 5, 7)
    assert order.count_credit(experience, 0, 5, 7) > order.count_credit(experience, 1, 5, 7) == 0
    actions = np.array([1, 3, 5, 8], np.int32)
    order.note_killer(experience, 6, 5)
    order.put_killer_first(experience, 6, actions, 4)
    assert actions[0] == 5
    assert sorted(actions) == [1, 3, 5, 8]


def test_the_same_question_has_the_same_answer_and_costs_the_same() -> None:
    for state in MIDDLES[::3]:
        first, again = skerry.solve(state), skerry.solve(state)
        assert (first.returns, first.optimal_moves, first.forceable, first.nodes) == (
            again.returns,
            again.optimal_moves,
            again.forceable,
            again.nodes,
        )


def test_a_kept_table_answers_again_without_searching() -> None:
    state = skerry.make("skirt", side=3).initial()
    solver = Solver(state.game)
    first = solver.solve(state)
    again = solver.solve(state)
    assert first.nodes > again.nodes
    assert again.returns == first.returns == (-1.0, 1.0)
    assert again.optimal_moves == first.optimal_moves == state.legal_moves()


@given(states(longest=400))
@settings(max_examples=40)
def test_finished_games_keep_their_returns(state: skerry.State) -> None:
    assume(state.outcome is not None)
    assert state.outcome is not None
    solution = skerry.solve(state)
    assert solution.returns == state.outcome.returns
    assert solution.optimal_moves == ()
    assert solution.nodes == 0
    seats = range(state.game.num_seats)
    assert solution.forceable == tuple(seat == state.outcome.winner for seat in seats)


def test_limits_end_in_an_error_that_says_how_far_it_came() -> None:
    state = skerry.make("skew").initial()
    with pytest.raises(skerry.SolveLimit, match=r"not solved within 500 nodes: 500 nodes in .* s"):
        skerry.solve(state, nodes=500)
    with pytest.raises(skerry.SolveLimit, match=r"not solved within 0\.01 s: .*0 of 36 moves"):
        skerry.solve(state, seconds=0.01)


def test_just_enough_nodes_are_enough() -> None:
    state = skerry.make("x", size=3).initial()
    needed = skerry.solve(state).nodes
    assert skerry.solve(state, nodes=needed).nodes == needed
    with pytest.raises(skerry.SolveLimit):
        skerry.solve(state, nodes=needed - 1)


def test_progress_is_told_and_may_stop_the_search() -> None:
    told: list[Progress] = []

    def tell(now: Progress) -> None:
        told.append(now)
        if len(told) == 3:
            raise KeyboardInterrupt

    solver = Solver(skerry.make("skew", side=4, pegs=12))
    with pytest.raises(KeyboardInterrupt):
        solver.solve(solver.game.initial(), progress=tell)
    assert len(told) == 3
    assert 0 < told[0].nodes < told[1].nodes < told[2].nodes
    assert all(0 < now.table_fill < 1 and 0 <= now.moves_done < now.moves == 36 for now in told)
    # What was interrupted leaves nothing wrong behind.
    late = some_positions(solver.game, 1, 22)[0]
    assert solver.solve(late).returns == skerry.solve(late).returns


def test_long_games_need_a_deeper_stack() -> None:
    """Two pawns that cannot pass each other move about until it is a draw."""
    game = skerry.make("skaane", **TINY_SKAANE, quiet_limit=150)
    state = game.position("1k/2/2/K1 w 20")
    assert game.options["quiet_limit"] - 20 > proof.FIRST_DEPTH
    solution = skerry.solve(state)
    short = skerry.make("skaane", **TINY_SKAANE, quiet_limit=6).position("1k/2/2/K1 w 0")
    assert solution.returns == BruteForce().returns(short)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"entries": 15}, "entries must be a whole number from 16 to"),
        ({"nodes": 0}, "nodes must be a whole number from 1 to"),
        ({"seconds": 0}, "seconds must be a number above 0, not 0"),
        ({"seconds": "5"}, "seconds must be a number above 0, not '5'"),
    ],
)
def test_wrong_limits_are_refused(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(skerry.OptionsError, match=complaint):
        skerry.solve(skerry.make("x", size=2).initial(), **wrong)


def test_a_solver_keeps_to_its_game() -> None:
    with pytest.raises(skerry.PositionError, match="belongs to"):
        Solver(skerry.make("x", size=2)).solve(skerry.make("x", size=3).initial())


def test_ends_that_a_seat_has_no_preference_for_are_refused() -> None:
    """As a draw would be in a game of three seats."""
    solver = Solver(skerry.make("x", size=2))
    order = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    solver._own_interest = preferences.make_preferences(0, [-1, -1, -1, -1], order)
    with pytest.raises(skerry.OptionsError, match="with 3 seats, every game must have a winner"):
        solver.solve(solver.game.initial())


def test_preferences_that_keys_cannot_tell_apart_are_refused() -> None:
    last = (1 << keys.LABEL_BITS) - 1
    assert preferences.make_preferences(last, [0, 1], [[0, 1], [1, 0]]).label == last
    with pytest.raises(skerry.OptionsError, match="games of 2 seats cannot be solved"):
        preferences.make_preferences(last + 1, [0, 1], [[0, 1], [1, 0]])


def test_a_table_beyond_all_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MemoryError

    game = skerry.make("x", size=2)
    monkeypatch.setattr(memory.np, "zeros", refuse)
    with pytest.raises(skerry.OptionsError, match="does not fit into memory: choose fewer"):
        memory.make_table(2**20, keys.count_words(game))


@kernel
def write_one_key(tables: Any, records: Any, symmetries: Symmetries, key: Any) -> None:
    keys.write_key(tables[0], records[0], symmetries, 0, key)


def key_of(state: skerry.State, symmetric: bool) -> tuple[int, ...]:
    """The key of a position, among all symmetric images or for itself alone."""
    sources, images, codes = keys.prepare(state.game)
    kept = slice(None) if symmetric else slice(1)
    key = np.zeros(keys.count_words(state.game), np.uint64)
    symmetries = Symmetries(sources[kept], images[kept], codes)
    write_one_key(state.game.tables, np.array([state.raw]), symmetries, key)
    return tuple(key.tolist())


@given(states())
@settings(max_examples=60)
def test_all_images_of_a_position_have_its_key(state: skerry.State) -> None:
    images = [state.game.transform(state, n) for n in range(len(state.game.symmetries))]
    assert {key_of(image, symmetric=True) for image in images} == {key_of(state, symmetric=True)}
    assert len({key_of(image, symmetric=False) for image in images}) == len(set(images))


@given(states(), st.data())
@settings(max_examples=60)
def test_the_way_to_a_position_does_not_show_in_its_key(
    state: skerry.State, data: st.DataObject
) -> None:
    """Neither scratch space nor what merely saves time is part of a key, and all else is."""
    assert key_of(state.game.position(state.position), symmetric=False) == key_of(state, False)
    if state.to_move is not None:
        after = state.play(data.draw(st.sampled_from(state.legal_moves())))
        assert key_of(after, symmetric=True) != key_of(state, symmetric=True)


def test_counters_are_part_of_the_key() -> None:
    skaane = skerry.make("skaane", **TINY_SKAANE, quiet_end=1)
    skirt = skerry.make("skirt", side=3)
    for one, other in (
        (skaane.position("1k/2/2/K1 w 20"), skaane.position("1k/2/2/K1 w 21")),
        (skaane.position("1k/2/2/K1 w 20"), skaane.position("1k/2/2/K1 b 20")),
        (skirt.position("3/4/5/4/w2 w a1 0"), skirt.position("3/4/5/4/w2 w - 0")),
        (skirt.position("3/4/5/4/w2 w - 1"), skirt.position("3/4/5/4/w2 w - 0")),
    ):
        assert key_of(one, symmetric=True) != key_of(other, symmetric=True)


def test_a_countdown_is_no_part_of_the_key() -> None:
    skaane = skerry.make("skaane", **TINY_SKAANE)
    some = key_of(skaane.position("1k/2/2/K1 w 20"), symmetric=True)
    assert some == key_of(skaane.position("1k/2/2/K1 w 21"), symmetric=True)
    assert some != key_of(skaane.position("1k/2/2/K1 b 20"), symmetric=True)
