"""Tree search against plain minimax, and what players promise."""

import subprocess
import sys
from itertools import count
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.search import tree
from skerry.search.analysis import Search
from skerry.search.tree import DEFAULT, pool
from support.minimax import solve
from support.repeating import some_of
from support.strategies import states

SMALLEST = [
    skerry.make("skew", side=2, pegs=1),
    skerry.make("skirt", side=2),
    skerry.make("x", size=2),
    skerry.make("skaane", width=2, height=4, gods=1, kings=1, serfs=1, suns=1, quiet_limit=4),
]
SOLVED_SKAANE = skerry.make(
    "skaane", width=3, height=4, gods=2, kings=1, serfs=2, suns=1, quiet_limit=10
)


@pytest.mark.parametrize(
    ("game", "seed"),
    [
        *((game, 0) for game in SMALLEST),
        *(pytest.param(SMALLEST[-1], seed, marks=pytest.mark.soak) for seed in range(1, 12)),
    ],
    ids=repr,
)
def test_proven_values_are_minimax_values(game: skerry.Game, seed: int) -> None:
    deals = map(game.initial, count(10 * seed))
    start = next(state for state in deals if not state.is_over)
    found = skerry.analyse(start, simulations=200_000)
    assert found.proven
    assert found.values in solve(start)
    for move in found.moves:
        if move.proven:
            assert move.values in solve(start.play(move.move))


@pytest.mark.parametrize(
    "rows", some_of(["gks/sug/GSU/KSG", "1ku/gsg/KS1/SGG"], ["1ku/gsg/KS1/SGG"])
)
def test_a_whim_finds_what_greed_never_looks_at_again(rows: str) -> None:
    """Only one move wins, and all but its long line says that another is better."""
    state = SOLVED_SKAANE.position(f"{rows} w 0")
    (winning,) = skerry.solve(state, entries=2**20).optimal_moves
    greedy = skerry.analyse(state, simulations=100_000, style=DEFAULT._replace(whim=0.0))
    assert greedy.best != winning
    assert skerry.analyse(state, simulations=100_000).best == winning


def test_a_full_tree_forgets_what_it_visited_least_and_grows_on() -> None:
    """The winning line is longer than what fits into so few nodes beside all that is tried."""
    state = SOLVED_SKAANE.position("1ku/gsg/KS1/SGG w 0")
    (winning,) = skerry.solve(state, entries=2**20).optimal_moves
    search = Search(state, seed=1, nodes=20_000)
    assert search.run(simulations=200_000).best == winning
    assert search.trees[0].used <= 20_000


def test_who_cannot_win_is_not_expected_to_prefer_anybody() -> None:
    """Yellow, to move, decides whether Red or Green wins."""
    state = skerry.make("x", size=3).position("1yg/1gr/ryr y")
    found = skerry.analyse(state, simulations=400)
    assert [move.proven for move in found.moves] == [True, True]
    assert not found.proven
    assert abs(found.moves[0].visits - found.moves[1].visits) < 20
    assert abs(found.values[0] - found.values[2]) < 0.1


def test_lines_keep_away_from_what_is_refuted() -> None:
    search = Search(skerry.make("skew").initial(), seed=1)
    move, reply, *_ = search.run(simulations=3000).pv
    grown = search.trees[0]
    after = tree.find_child(grown, tree.ROOT, int(move))
    refuted = grown.nodes[tree.find_child(grown, after, int(reply))]
    refuted["proven"], refuted["outlook"] = 1, (1, -1)  # the second seat would lose
    found = next(one for one in search.run(simulations=1).moves if one.move == move)
    assert found.pv[1] != reply


@pytest.mark.parametrize("name", skerry.GAMES)
def test_thinning_out_keeps_what_was_visited_most(name: str) -> None:
    state = skerry.make(name).initial(2)
    capacity = 100 * state.game.num_actions
    grown = tree.grow(state.game, state.raw, capacity, seed=1)
    tree.run(state.game, grown, 20_000, in_a_hurry=True)
    parents = grown.nodes[grown.nodes["children"] > 0]
    root = grown.nodes[tree.ROOT].copy()
    tree.thin_out(grown)
    kept = grown.nodes[: grown.used]
    assert kept[tree.ROOT] == root
    assert len(kept) <= capacity // pool.KEPT + 1 + root["children"]
    branching = kept[kept["children"] > 0]
    assert 1 < len(branching) < len(parents)
    assert branching["visits"].min() >= np.sort(parents["visits"])[-len(branching)]
    assert branching["children"].sum() + 1 == len(kept)


@pytest.mark.soak
def test_thinning_out_is_compiled_before_a_search_begins() -> None:
    """In a process of its own, since others may have compiled it for this one."""
    code = (
        "import skerry; from skerry.search import analysis; from skerry.search.tree import pool\n"
        "analysis.Search(skerry.make('x', size=3).initial())\n"
        "print(len(pool.transplant.signatures))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_full_tree_grows_on_alike_in_one_go_and_in_many(name: str) -> None:
    state = skerry.make(name).initial(2)
    once, often = (
        tree.grow(state.game, state.raw, 10 * state.game.num_actions, seed=1) for _ in range(2)
    )
    tree.run(state.game, once, 5000)
    for _ in range(50):
        tree.run(state.game, often, 100)
    assert once.used == often.used
    used = once.used
    assert (once.nodes[:used] == often.nodes[:used]).all()


@given(states(longest=40), st.integers(0, 3))
@settings(max_examples=60)
def test_a_win_in_one_is_played_and_a_loss_in_one_is_not(state: skerry.State, seed: int) -> None:
    if state.is_over:
        return
    seat = state.to_move
    winning, losing = set(), set()
    for move in state.legal_moves():
        after = state.play(move)
        if after.outcome is not None:
            (winning if after.outcome.winner == seat else losing).add(move)
        elif len(state.game.seats) == 2 and after.to_move != seat:
            replies = (after.play(reply).outcome for reply in after.legal_moves())
            if any(reply is not None and reply.winner == after.to_move for reply in replies):
                losing.add(move)
    found = skerry.analyse(state, simulations=60 * len(state.legal_moves()), seed=seed)
    if winning:
        assert found.best in winning
    elif losing and len(losing) < len(state.legal_moves()):
        assert found.best not in losing


@given(states(longest=60))
@settings(max_examples=60)
def test_what_is_proven_to_lose_is_not_tried_again(state: skerry.State) -> None:
    if state.is_over:
        return
    search = Search(state, seed=2)
    before = {
        move.move: move.visits
        for move in search.run(simulations=50).moves
        if move.proven and move.values[state.to_move or 0] < 0
    }
    after = search.run(simulations=300).moves
    if not all(move.proven for move in after):
        assert before == {move.move: move.visits for move in after if move.move in before}


@given(states(longest=30))
@settings(max_examples=30)
def test_the_same_seed_gives_the_same_analysis(state: skerry.State) -> None:
    if state.is_over:
        return
    first = skerry.analyse(state, simulations=200, seed=7, threads=2)
    again = skerry.analyse(state, simulations=200, seed=7, threads=2)
    assert first.moves == again.moves
    assert first.values == again.values
    assert {move.move for move in first.moves} == set(state.legal_moves())
    assert first.simulations == 200 or first.proven
    for candidate in first.moves:
        after = state
        for move in candidate.pv:
            after = after.play(move)


def test_a_small_pool_bounds_the_tree() -> None:
    state = skerry.make("x", size=5).initial()
    found = skerry.analyse(state, simulations=3000, nodes=60)
    assert found.simulations == 3000
    assert sum(move.visits for move in found.moves) == 3000


@pytest.mark.parametrize("lines", [0, 2, None])
def test_only_so_many_lines_are_told(lines: int | None) -> None:
    state = skerry.make("x", size=4).initial()
    full = skerry.analyse(state, simulations=2000)
    found = skerry.analyse(state, simulations=2000, lines=lines)
    told = len(full.moves) if lines is None else lines
    assert max(len(move.pv) for move in full.moves[2:]) > 1
    assert found.moves[:told] == full.moves[:told]
    assert [move.pv for move in found.moves[told:]] == [(move.move,) for move in full.moves[told:]]


def test_time_is_kept() -> None:
    """No limit is asserted here, only that the search comes back and did something."""
    state = skerry.make("skew").initial()
    started = perf_counter()
    found = skerry.analyse(state, seconds=0.05)
    assert found.simulations > 0
    assert found.seconds <= perf_counter() - started


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"simulations": 0}, "simulations must be a whole number from 1 to .*, not 0"),
        ({"simulations": 2.5}, "simulations must be a whole number .*, not 2.5"),
        ({"simulations": True}, "simulations must be a whole number .*, not True"),
        ({"simulations": "7"}, "simulations must be a whole number .*, not '7'"),
        ({"threads": 0}, "threads must be a whole number from 1 to 256, not 0"),
        ({"threads": 257}, "threads must be a whole number from 1 to 256, not 257"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"seconds": 0}, "seconds must be a number above 0, not 0"),
        ({"seconds": True}, "seconds must be a number above 0, not True"),
        ({"seconds": "1"}, "seconds must be a number above 0, not '1'"),
        ({"seconds": float("nan")}, "seconds must be a number above 0, not nan"),
        ({"seconds": float("inf")}, "seconds must be a number above 0, not inf"),
        ({"seconds": 10**400}, "seconds must be a number above 0, not 1000"),
        ({"lines": -1}, "lines must be a whole number from 0"),
        ({"lines": True}, "lines must be a whole number from 0"),
        ({"every": -1}, "every must be a number above 0, not -1"),
        ({"nodes": 3}, "nodes must be a whole number from 10 to"),
        ({"nodes": 1e6}, "nodes must be a whole number from 10 to"),
    ],
)
def test_wrong_budgets_are_refused(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(skerry.OptionsError, match=complaint):
        skerry.analyse(skerry.make("x", size=3).initial(), **settings)


def test_a_finished_game_is_not_analysed() -> None:
    state = skerry.make("x", size=2).initial()
    while not state.is_over:
        state = state.play(state.legal_moves()[0])
    for call in (skerry.analyse, skerry.player("random").choose, skerry.player("level:1").choose):
        with pytest.raises(skerry.OptionsError, match="the game is over"):
            call(state)


@pytest.mark.parametrize("spec", ["random", "level:1", "level:3", "mcts:simulations=50"])
@given(states(longest=20))
@settings(max_examples=15)
def test_players_choose_legal_moves_and_repeat_themselves(spec: str, state: skerry.State) -> None:
    if state.is_over:
        return
    player = skerry.player(spec)
    assert player.name == spec
    move = player.choose(state, seed=3)
    assert move in state.legal_moves()
    assert player.choose(state, seed=3) == move


@pytest.mark.parametrize("name", some_of(skerry.GAMES, ["skew", "skirt", "x"]))
def test_weak_levels_play_whole_games(name: str) -> None:
    """Also where all that little thinking found is proven to lose."""
    sizes = {"skew": {"side": 3, "pegs": 6}, "skirt": {"side": 3}, "x": {"size": 4}, "skaane": {}}
    level = skerry.player("level:1")
    for seed in range(6):
        state = skerry.make(name, **sizes[name]).initial(seed)
        while state.to_move is not None:
            state = state.play(level.choose(state, seed))


@pytest.mark.parametrize(
    "spec",
    ["", "level", "level:0", "level:11", "random:2", "mcts:threads=0", "mcts:x=1"],
)
def test_unknown_players_are_refused(spec: str) -> None:
    with pytest.raises(skerry.OptionsError, match="level:1 to level:10"):
        skerry.player(spec)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("mcts:simulations=100,seconds=5", "sets both simulations and seconds"),
        ("uct:seconds=1,seconds=2", "sets 'seconds' twice"),
        ("mcts:judgement=0,judgement=0", "sets 'judgement' twice"),
        ("mcts:foresight=3", "foresight must be at most 2, not 3"),
        ("mcts:judgement=1.5", "judgement must be at most 1, not 1.5"),
    ],
)
def test_players_that_contradict_themselves_are_refused(spec: str, complaint: str) -> None:
    with pytest.raises(skerry.OptionsError, match=complaint):
        skerry.player(spec)


@pytest.mark.parametrize("name", ["skew", "skirt", "skaane"])
def test_thinking_beats_not_thinking(name: str) -> None:
    """A search of 200 simulations against random moves on a small board, seats taken in turns."""
    sizes = {"skew": {"side": 3, "pegs": 5}, "skirt": {"side": 3}, "skaane": {}}
    game = skerry.make(name, **sizes[name])
    strong, weak = skerry.player("mcts:simulations=200"), skerry.player("random")
    points = 0.0
    for seed in range(10):
        state = game.initial(seed)
        seats = (strong, weak) if seed % 2 == 0 else (weak, strong)
        while state.to_move is not None:
            state = state.play(seats[state.to_move].choose(state, seed))
        assert state.outcome is not None
        points += state.outcome.returns[seed % 2]
    assert points >= 4
