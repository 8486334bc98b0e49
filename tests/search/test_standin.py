"""Stand-ins: levels play the same, or as well, before their search is compiled."""

from dataclasses import replace

import numpy as np
import pytest

import skerry
from skerry.core.state import State
from skerry.nets.shipped import shipped_net
from skerry.search.guided.search import GUIDED, GuidedSearch
from skerry.search.players import player
from skerry.search.standin import MOST_LOOKS, PlainSearch, StandIn, stand_in
from support.nets import has_win, play_until


def hire(level: int, game: skerry.Game) -> StandIn:
    found = stand_in(player(f"level:{level}"), game)
    assert isinstance(found, StandIn)
    return found


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_level_of_one_look_makes_the_same_moves(name: str) -> None:
    game = skerry.make(name)
    looking = [n for n, level in enumerate(game.levels, 1) if level.simulations == 1]
    assert looking
    for seed in range(6):
        state = play_until(game.initial(seed), 7 * seed, seed)
        for level in looking:
            usual = player(f"level:{level}").choose(state, seed)
            assert hire(level, game).choose(state, seed) == usual


@pytest.mark.parametrize("name", skerry.GAMES)
def test_few_looks_find_the_same(name: str) -> None:
    """As long as leaves are looked at one by one, both searches are one."""
    game = skerry.make(name)
    state = play_until(game.playable_start(), 8, 3)
    net = shipped_net(game)
    plain = PlainSearch(state, net, 5, 10_000, GUIDED).run(8)
    guided = GuidedSearch(state, net, 5, nodes=10_000).run(8)
    assert [(m.move, m.visits) for m in plain.moves] == [(m.move, m.visits) for m in guided.moves]
    for ours, theirs in zip(plain.moves, guided.moves, strict=True):
        assert ours.prior == pytest.approx(theirs.prior, abs=1e-5)
        assert ours.values == pytest.approx(theirs.values, abs=1e-4)
    assert plain.values == pytest.approx(guided.values, abs=1e-4)


def find_wins(game: skerry.Game) -> list[State]:
    """Positions in which an action wins at once."""
    found = []
    for seed in range(30):
        state = play_until(game.initial(seed), 10_000, seed)
        if has_win(state):
            found.append(state)
    return found


@pytest.mark.parametrize("name", ["skew", "skirt", "x"])
def test_wins_are_seen(name: str) -> None:
    game = skerry.make(name)
    states = find_wins(game)
    assert states
    for state in states:
        found = PlainSearch(state, shipped_net(game), 0, 10_000, GUIDED).run(1)
        assert found.proven
        assert found.values[state.turn] == 1
        assert hire(1, game).choose(state, 0) in [m.move for m in found.moves if m.proven]


def test_those_who_think_by_the_clock_look_often() -> None:
    game = skerry.make("skew", side=3)
    assert hire(10, game).simulations == MOST_LOOKS
    searched = replace(hire(10, game), simulations=40)
    assert searched.choose(game.initial(), 1) in game.initial().legal_moves()
    assert searched.appraise(game.initial(), 1) == pytest.approx(
        searched.appraise(game.initial(), 1)
    )
    assert np.sum(searched.appraise(game.initial(), 1)) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("spec", ["random", "mcts:simulations=10", "net:looks=1"])
def test_only_levels_have_stand_ins(spec: str) -> None:
    assert stand_in(player(spec), skerry.make("x", size=3)) is None


def test_levels_without_nets_have_none() -> None:
    class Other(skerry.make("x", size=3).__class__):  # type: ignore[misc]
        """A game that has measured nothing better."""

        levels = skerry.core.levels.PLAIN_LEVELS

    assert stand_in(player("level:3"), Other(size=3)) is None
