"""Positions that are solved once for all counts: the same answers as count by count."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.core import rules
from skerry.core.kernels import kernel
from skerry.search.solver import knowledge, proof
from skerry.search.solver.knowledge import DRAW, MOST
from skerry.search.solver.solver import Solver
from support.bruteforce import BruteForce, agree
from support.repeating import some_of
from support.rooms import copy_without
from support.strategies import states

TINY = {"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "suns": 1}
LIGHT, DARK = 0, 1


def at_all_counts(state: skerry.State) -> list[skerry.State]:
    """A position with every count that its game allows."""
    game = state.game
    board, turn, _ = state.position.split()
    counts = range(game.options["quiet_limit"])
    found = [game.position(f"{board} {turn} {count}") for count in counts]
    return [each for each in found if not each.is_over]


def check_all_counts(game: skerry.Game, seed: int, most: int, entries: int = 1 << 12) -> set[int]:
    """Some positions of a deal at all counts, in any order, by one solver that remembers them."""
    brute, solver, chooser = BruteForce(), Solver(game, entries), Random(seed)
    brute.returns(game.initial(seed))
    reached = [state for state in brute.known if not state.is_over]
    chosen = chooser.sample(reached, min(len(reached), most))
    counted = [each for state in chosen for each in at_all_counts(state)]
    chooser.shuffle(counted)
    for state in counted:
        agree(solver.solve(state), state, brute)
    return {len({brute.returns(each) for each in at_all_counts(state)}) for state in chosen}


@pytest.mark.parametrize("limit", some_of([1, 3], [3]))
def test_all_counts_of_a_tiny_board(limit: int) -> None:
    game = skerry.make("skaane", **TINY, quiet_limit=limit)
    values = check_all_counts(game, seed=3, most=40)
    # What a position is worth depends on the count: else nothing was tested.
    assert values == ({1, 2} if limit > 1 else {1})


@pytest.mark.parametrize("quiet_end", some_of([1, 2, 3], [2]))
def test_all_counts_where_the_limit_may_decide(quiet_end: int) -> None:
    game = skerry.make("skaane", **TINY, quiet_limit=3, quiet_end=quiet_end)
    check_all_counts(game, seed=3, most=20)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("limit", [2, 4])
def test_all_counts_of_many_deals(limit: int, seed: int) -> None:
    """Now and then with a table that forgets."""
    game = skerry.make("skaane", **TINY, quiet_limit=limit)
    check_all_counts(game, seed, most=100, entries=16 if seed % 2 else 1 << 16)


def test_a_win_is_one_with_more_left_and_no_win_none_with_less() -> None:
    """What is known at two counts answers all others without a search."""
    game = skerry.make("skaane", **TINY, quiet_limit=30)
    line = [game.position(f"2/1k/K1/2 w {count}") for count in range(30)]
    values = [skerry.solve(state).returns for state in line]
    won = values.count((1.0, -1.0))
    assert values == [(1.0, -1.0)] * won + [(0.0, 0.0)] * (30 - won)
    assert 0 < won < 30
    solver = Solver(game)
    assert solver.solve(line[won - 1]).nodes > 0
    assert solver.solve(line[won]).nodes > 0
    for state, value in zip(line, values, strict=True):
        meter = solver._start(state)
        assert solver._returns_of(solver._find_outcome(state, meter)) == value
        assert meter.nodes == 0


def test_one_row_of_the_table_is_for_all_counts() -> None:
    """Without a countdown, in a variant, every count has a row of its own."""
    shared, alone = (
        Solver(skerry.make("skaane", **TINY, quiet_limit=20, quiet_end=end)) for end in (0, 2)
    )
    for solver in shared, alone:
        for state in at_all_counts(solver.game.position("2/1k/K1/2 w 0")):
            solver.solve(state)
    assert 2 * shared._workspace.counters[proof.ROWS] < alone._workspace.counters[proof.ROWS]


@kernel
def count_down(tables: np.ndarray, records: np.ndarray) -> int:
    return rules.countdown(tables[0], records[0])


def left_of(state: skerry.State) -> int:
    return int(count_down(state.game.tables, np.array([state.raw])))


@given(states(), st.data())
@settings(max_examples=60)
def test_countdowns_keep_their_promise(state: skerry.State, data: st.DataObject) -> None:
    """Of every game: what is left goes down by one or is set anew, and makes a draw at 0."""
    game, left = state.game, left_of(state)
    most = left_of(game.initial())
    if state.is_over or left == 0:
        assert most == 0 or state.is_over
        return
    assert game.num_seats == 2
    assert game.has_counter
    after = state.play(data.draw(st.sampled_from(state.legal_moves())))
    assert left_of(after) in (left - 1, most)
    assert after.is_over or left_of(after) > 0
    # No other rule looks at it.
    other = data.draw(st.sampled_from(at_all_counts(state)))
    assert other.legal_moves() == state.legal_moves()


def test_variants_in_which_waiting_may_win_have_no_countdown() -> None:
    assert left_of(skerry.make("skaane").initial()) == 100
    for quiet_end in (1, 2, 3):
        assert left_of(skerry.make("skaane", quiet_end=quiet_end).initial()) == 0


# A position as what it is worth at counts from 1 on: drawn at first, then won by a seat, or never.
lives = st.tuples(st.integers(1, 12), st.sampled_from([LIGHT, DARK, DRAW]))
bounds = st.tuples(st.integers(0, 12), st.integers(0, 12))


def worth(life: tuple[int, int], left: int) -> int:
    since, winner = life
    return winner if left >= since else DRAW


def learn(life: tuple[int, int], at: tuple[int, int]) -> int:
    """What is known of it if it was looked at with so much left, twice."""
    known = knowledge.NOTHING
    for left in at:
        if left == 0:
            continue
        found = worth(life, left)
        fact = (
            knowledge.pack(left, left, 0)
            if found == DRAW
            else knowledge.pack(*(MOST * (seat != found) for seat in (LIGHT, DARK)), MOST - left)
        )
        known = knowledge.merge(known, fact, left)
    return known


def truths(known: int) -> list[set[int]]:
    sets = [knowledge.possible(known, left) for left in range(1, 16)]
    return [{outcome for outcome in range(3) if found >> outcome & 1} for found in sets]


@given(lives, bounds, bounds)
def test_what_is_known_together(
    life: tuple[int, int], some: tuple[int, int], more: tuple[int, int]
) -> None:
    both = truths(knowledge.merge(learn(life, some), learn(life, more), 1))
    each = zip(truths(learn(life, some)), truths(learn(life, more)), strict=True)
    for left, (found, (one, other)) in enumerate(zip(both, each, strict=True), start=1):
        assert worth(life, left) in found
        assert found <= one & other


@given(lives, lives, bounds, bounds, st.sampled_from([LIGHT, DARK]))
def test_what_is_known_of_a_choice(
    one: tuple[int, int],
    other: tuple[int, int],
    some: tuple[int, int],
    more: tuple[int, int],
    seat: int,
) -> None:
    """Between two quiet moves, as the search puts it together."""
    facts = [
        knowledge.look_back(learn(life, at), 8, 7) for life, at in ((one, some), (other, more))
    ]
    known = knowledge.join(*facts)
    for fact in facts:
        known = knowledge.merge(known, knowledge.assure(fact, seat), 1)
    liked = [seat, DRAW, 1 - seat]
    for left, found in enumerate(truths(known), start=1):
        choices = [worth(life, left - 1) if left > 1 else DRAW for life in (one, other)]
        assert min(choices, key=liked.index) in found


@given(lives, bounds, st.integers(1, 12))
def test_what_is_known_before_the_count_is_set_anew(
    life: tuple[int, int], at: tuple[int, int], most: int
) -> None:
    known = learn(life, at)
    after = truths(known)[most - 1]
    assert truths(knowledge.look_back(known, most, most)) == [after] * 15


COMPARE = """
import skerry
from skerry.search.solver import Solver

names = "gods", "kings", "serfs", "suns"
for width, height, runes, limit, deals in BOARDS:
    options = dict(zip(names, map(int, runes)), width=width, height=height, quiet_limit=limit)
    solver = Solver(skerry.make("skaane", **options), 1 << 20)
    for seed in range(deals):
        state = solver.game.initial(seed)
        while not state.is_over:
            found = solver.solve(state)
            print(state, found.returns, *found.optimal_moves)
            state = state.play(state.legal_moves()[seed % len(state.legal_moves())])
"""
BOARDS = [
    *((2, 4, "1111", limit, 20) for limit in (1, 2, 3, 5, 8, 13, 40, 100)),
    *((2, 5, "1111", limit, 5) for limit in (2, 4, 6, 9, 14)),
    *((3, 4, "2121", limit, 10) for limit in (2, 3, 5, 8)),
    (3, 5, "2121", 4, 3),
    (4, 4, "2321", 3, 4),
]


@pytest.mark.soak
def test_many_games_are_solved_as_without_a_countdown(tmp_path: Path) -> None:
    """The plain solver is that of a copy whose Skaane lacks the room that tells of it."""
    copy = copy_without(tmp_path, {"skaane": "engine"})

    def solve_all(package: Path) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", f"{BOARDS=}\n{COMPARE}"],
            env={**os.environ, "PYTHONPATH": str(package)},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.splitlines()

    plain = solve_all(copy.parent)
    assert len(plain) > 1000
    assert solve_all(Path(skerry.__file__).parents[1]) == plain
