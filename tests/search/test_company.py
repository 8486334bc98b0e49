"""Who sits where: searches that are told of strangers, and players who find out by themselves."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import skerry
from skerry.nets.file import Net, write_net
from skerry.search.guided.company import MARGIN, Company, foretell, knows_strangers
from skerry.search.guided.search import GuidedSearch, evaluator_for
from skerry.search.tree import ROOT, children_of
from support.nets import random_net

X = skerry.make("x", size=6)
SEATS = 3


def outspoken_net(game: skerry.Game = X) -> Net:
    """A net of random weights to which it makes a great difference who is a stranger."""
    net = random_net(game)
    told, sharper = net.weights["told.weight"].copy(), net.weights["policy_out.weight"] * 6
    told[:, -SEATS:] *= 10
    louder = {"told.weight": told, "policy_out.weight": sharper}
    return replace(net, weights=net.weights | louder)


def forget_strangers(net: Net) -> Net:
    """The same net as one that was never told of strangers."""
    shape = net.shape.without_strangers
    told = net.weights["told.weight"][:, : shape.facts]
    return replace(net, shape=shape, weights=net.weights | {"told.weight": told})


def test_moves_of_strangers_are_tried_as_often_as_they_are_foretold() -> None:
    state = X.initial().play(0)
    search = GuidedSearch(state, outspoken_net(), seed=1, threads=2)
    search.meet(1 << state.turn)  # whoever moves
    search.run(800)
    tree = search.trees[0]
    first, children = children_of(tree, ROOT)
    priors = tree.pool.appeal["prior"][first : first + len(children)]
    open_ones = children["proven"] == 0
    shares = children["visits"] / children["visits"].sum()
    assert open_ones.sum() > 5
    assert np.abs(shares - priors)[open_ones].max() < 0.01
    search.meet(0)
    assert search.visits == 0  # that was about somebody else
    search.run(800)
    first, children = children_of(tree, ROOT)
    others = tree.pool.appeal["prior"][first : first + len(children)]
    assert np.abs(others - shares).max() > 0.1  # the net was told
    assert np.abs(children["visits"] / 799 - others).max() > 0.015  # and values count again


def play_among(net: Net, strangers: set[int], seed: int) -> tuple[Company, skerry.State]:
    """Watch a game of players who do what a net foretells of each."""
    evaluator, company = evaluator_for(X, net), Company()
    desk, chooser = evaluator.set_up(), np.random.default_rng(seed)
    state = X.initial()
    while True:
        chances = foretell(evaluator, desk, state)[int(state.turn in strangers)]
        move = state.move(int(chooser.choice(state.legal_actions(), p=chances)))
        after = state.play(move)
        if after.is_over:
            return company, state
        company.see(net, state, move, after)
        state = after


@pytest.mark.parametrize("strangers", [set(), {1}, {0, 2}])
def test_strangers_are_told_from_the_nets_own_kind(strangers: set[int]) -> None:
    net = outspoken_net()
    right = games = 0
    for seed in range(6):
        company, state = play_among(net, strangers, seed)
        found = company.find_strangers("guess", state)
        wanted = sum(1 << seat for seat in strangers if seat != state.turn)
        assert found >> state.turn & 1 == 0
        right += found == wanted
        games += 1
        assert company.find_strangers("all", state) == 0b111 ^ 1 << state.turn
        assert company.find_strangers("none", state) == 0
        assert company.find_strangers("guess", X.initial()) == 0  # a game that nobody saw
    assert right >= games - 1


def test_a_player_finds_out_who_the_others_are(tmp_path: Path) -> None:
    net = outspoken_net()
    path = tmp_path / "x.net"
    write_net(path, net)
    guessing, blind = (
        skerry.player(f"net:file={path},simulations=20{also}") for also in ("", ",strangers=none")
    )
    state = X.initial()
    while not state.is_over:
        move = guessing.choose(state, 1)
        assert blind.choose(state, 1) in state.legal_moves()
        mask = guessing._search.strangers if guessing._search else 0  # type: ignore[union-attr]
        odds = guessing._company.odds or [0.0] * SEATS  # type: ignore[union-attr]
        others = [seat for seat in range(SEATS) if seat != state.turn]
        assert mask == sum(1 << seat for seat in others if odds[seat] > MARGIN)
        after = state.play(move)
        for player in (guessing, blind):
            player.follow(state, move, after)
        state = after
    assert any(guessing._company.odds)  # type: ignore[union-attr]
    assert not blind._company.odds  # type: ignore[union-attr]


def test_nets_that_were_not_told_and_games_of_two_know_no_strangers() -> None:
    former, company = forget_strangers(random_net(X)), Company()
    state = X.initial()
    company.see(former, state, state.legal_moves()[0])
    assert company.odds == [0.0] * SEATS
    skew = skerry.make("skew", side=2, pegs=2)
    assert not knows_strangers(X, former)
    assert not knows_strangers(skew, random_net(skew))
    assert knows_strangers(X, random_net(X))
    assert company.find_strangers("all", skew.initial()) == 0
    with pytest.raises(skerry.OptionsError, match="'strangers=some' is not understood"):
        skerry.player("net:strangers=some")
    with pytest.raises(skerry.OptionsError, match="'strangers=all' is not understood"):
        skerry.player("mcts:strangers=all")
