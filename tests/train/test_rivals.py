"""Rivals, nets that have the seats of guests, and believers, who learn how random games end."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from skerry.nets.file import LATEST, read_net
from skerry.train.forest import Forest
from skerry.train.net import load_net
from skerry.train.replay import ReplayBuffer
from skerry.train.run import Run
from skerry.train.selfplay import SelfPlay
from skerry.train.tree import UNTOLD
from support.nets import random_net
from train.test_guests import BATCH, X
from train.test_learning import TINY
from train.test_tree import small, think


@pytest.mark.parametrize("name", ["x", "skaane"])
def test_whoever_moves_thinks_with_a_net_of_its_own(name: str) -> None:
    """As it would if it had all seats, but that the net is told of three who is a stranger."""
    game = small(name)
    net, rival = random_net(game, seed=1), random_net(game, seed=2)
    forests = [
        Forest(game, BATCH, 6, seed=3, guests=guests, rivals=rivals)
        for guests, rivals in ((0.9, 0.9), (0.0, 0.0), (0.0, 0.0))
    ]
    mixed, ours, theirs = forests
    plays = [
        SelfPlay([forest], net.shape, "cpu", rival if forest is mixed else None)
        for forest in forests
    ]
    for play, each in zip(plays, (net, net, rival), strict=True):
        play.follow(load_net(each).parameters())
    moved = taught = 0
    for _ in range(6):
        sat = mixed.strangers.clone()
        for forest, play in zip(forests, plays, strict=True):
            forest.put(mixed.take(range(BATCH)), range(BATCH))  # type: ignore[arg-type]
            play.think(0)
        efforts = mixed.seating()
        assert torch.equal(mixed.strangers, sat)
        for k, seat in enumerate(mixed.root_seats.tolist()):
            is_rival = bool(mixed.rivals[k] >> seat & 1)
            is_known = bool(sat[k] >> seat & 1)
            if is_rival:
                assert not any(efforts[k])
                assert mixed.actions[k] == theirs.actions[k]
                assert is_known or (mixed.targets[k] == -1).all()
                assert not is_known or torch.allclose(
                    mixed.targets[k], theirs.targets[k], rtol=1e-3
                )
                moved += 1
                taught += is_known
            elif not efforts[k][seat] and not sat[k]:
                assert mixed.actions[k] == ours.actions[k]
                assert torch.allclose(mixed.targets[k], ours.targets[k], rtol=1e-3)
        for forest in forests:
            forest.actions.copy_(mixed.actions)
            forest.play()
    assert 50 < moved < 5 * BATCH
    assert (taught > 0) == (game.num_seats > 2)


def test_rivals_and_random_games_share_the_seats_of_guests() -> None:
    forest = Forest(X, 512, 2, seed=1, guests=0.8, rivals=0.75)
    efforts, rivals = torch.tensor(forest.seating()) > 0, forest.rivals
    has_rivals, has_guests = rivals > 0, efforts.any(1)
    assert not (has_rivals & has_guests).any()
    assert 0.5 < has_rivals.float().mean() < 0.7  # 0.6 wanted
    assert 0.1 < has_guests.float().mean() < 0.3  # 0.2 wanted
    assert set(rivals.tolist()) == set(range(7))  # never all seats


def test_a_believer_learns_how_random_games_end() -> None:
    """From one position many random games end as ``playouts`` says, and lessons tell of them."""
    forest, memory = Forest(X, 256, 2, seed=2, believer=True), ReplayBuffer(X, 256, 12, "cpu")
    start, told = X.initial().play("b2"), []
    for _ in range(4):
        forest.put(X.initial().play("b2").raw.repeat(256), range(256))  # type: ignore[arg-type]
        think(forest)
        told += forest.foretold.tolist()
    shares = [told.count(seat) / len(told) for seat in range(3)]
    sums = X.playouts(20_000, seed=1, start=start).returns
    expected = [(each / 20_000 + 0.5) / 1.5 for each in sums]
    assert sum(shares) == 1
    # X rejects many random games that end as few games of players do, so shares only resemble.
    assert shares == pytest.approx(expected, abs=0.15)
    for _ in range(12):
        think(forest)
        forest.play()
        memory.keep(forest.tell())
    lesson = memory.draw(2000, torch.Generator().manual_seed(1))
    assert set(lesson.outcomes.tolist()) == {UNTOLD, 0, 1, 2}
    memory.foretold.fill_(1)
    assert set(memory.draw(2000, torch.Generator()).outcomes.tolist()) == {UNTOLD, 1}
    memory.foretold.fill_(UNTOLD)
    assert set(memory.draw(2000, torch.Generator()).outcomes.tolist()) == {UNTOLD, 0, 1, 2}


@pytest.mark.usefixtures("steady_clock")
def test_a_run_meets_the_believer_that_another_has_made(tmp_path: Path) -> None:
    first = Run(X, [], replace(TINY, believer=True), "cpu", tmp_path / "believer")
    first.train(0.01, lambda entry: None)
    believer = read_net(tmp_path / "believer" / LATEST, X)
    recipe = replace(TINY, guests=0.9, rivals=0.9)
    run = Run(X, [], recipe, "cpu", tmp_path / "run", rival=believer)
    run.warm_up()
    run.train(0.01, lambda entry: None)
    card = read_net(tmp_path / "run" / LATEST, X).card
    assert run.headway.games > 0
    assert (card["rival"], card["recipe"]["rivals"]) == (believer.digest, 0.9)
