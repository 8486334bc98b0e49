"""Guests: where they sit, how they play, and what is learnt of them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import skerry
from skerry.train.forest import Forest
from skerry.train.guests import STRENGTHS, WEAKEST
from skerry.train.learner import judge
from skerry.train.run import Run
from skerry.train.tree import UNTOLD
from train.test_learning import TINY
from train.test_tree import NAMES, small, think, wins_at_once

BATCH = 64
X = skerry.make("x", size=3)


def whose(forest: Forest) -> list[int]:
    """The random games of whoever moves in each game, none for the net."""
    movers = [forest.state(k).turn for k in range(forest.batch)]
    return [sat[seat] for sat, seat in zip(forest.seating(), movers, strict=True)]


@pytest.mark.parametrize("name", ["x", "skaane"])
def test_some_games_have_guests_on_some_seats_to_their_end(name: str) -> None:
    forest = Forest(small(name), BATCH, 2, seed=1, guests=0.5)
    before, drawn = forest.seating(), forest.seating()
    for _ in range(30):
        think(forest)
        forest.play()
        after = forest.seating()
        for k, outcome in enumerate(forest.outcomes.tolist()):
            if outcome == UNTOLD:
                assert after[k] == before[k]
            else:
                drawn.append(after[k])
        before = after
    assert len(drawn) > 2 * BATCH
    seats = forest.game.num_seats
    taken = {tuple(map(bool, each)) for each in drawn}
    assert len(taken) == 2**seats - 1  # every set of seats but all
    assert (True,) * seats not in taken
    efforts = {effort for each in drawn for effort in each if effort}
    assert efforts == {WEAKEST << n for n in range(STRENGTHS)}
    assert 0.4 < sum(any(each) for each in drawn) / len(drawn) < 0.6


def test_games_without_guests_are_those_of_a_run_without() -> None:
    forests = [Forest(X, BATCH, 4, seed=2, guests=guests) for guests in (0.0, 0.2)]
    alone, mixed = forests
    assert alone.seating() == []
    untouched = [not any(each) for each in mixed.seating()]
    for _ in range(8):
        for forest in forests:
            think(forest)
            forest.play()
        for k in np.flatnonzero(untouched):
            assert alone.state(k) == mixed.state(k)
            assert torch.equal(alone.targets[k], mixed.targets[k])
            assert alone.outcomes[k] == mixed.outcomes[k]
            assert torch.equal(alone.finals[:, k], mixed.finals[:, k])
        sat = mixed.seating()
        untouched = [was and not any(each) for was, each in zip(untouched, sat, strict=True)]
    assert 5 < sum(untouched) < BATCH


def test_the_same_seed_has_the_same_guests() -> None:
    forests = [
        Forest(X, 24, 2, seed=seed, threads=threads, guests=0.9)
        for seed, threads in ((5, 1), (5, 3), (6, 1))
    ]
    for forest in forests:
        for _ in range(4):
            think(forest)
            forest.play()
    first, second, other = ([forest.state(k) for k in range(24)] for forest in forests)
    assert first == second
    assert first != other
    assert forests[0].seating() == forests[1].seating() != forests[2].seating()


@pytest.mark.parametrize("name", NAMES)
def test_a_guest_beats_random_play(name: str) -> None:
    """From positions of random games, alone or with others, whoever is to move."""
    forest = Forest(small(name), BATCH, 2, seed=3, guests=1.0)
    seats, sat = forest.game.num_seats, forest.seating()
    chance, points, par, wins = np.random.default_rng(1), 0.0, 0.0, 0
    while not all(forest.state(k).is_over for k in range(BATCH)):
        think(forest)
        for k, effort in enumerate(whose(forest)):
            state = forest.state(k)
            if state.is_over:
                continue
            legal = state.legal_actions()
            action = int(forest.actions[k])
            assert action in legal
            if not effort:
                forest.actions[k] = int(chance.choice(legal))
            elif effort >= len(legal):
                sure = [each for each in legal.tolist() if wins_at_once(state, each)]
                assert not sure or action in sure
                wins += bool(sure)
        forest.play(restart=False)
        for k, outcome in enumerate(forest.outcomes.tolist()):
            if outcome != UNTOLD:
                guests = [seat for seat in range(seats) if sat[k][seat]]
                par += len(guests) / seats
                points += outcome in guests if outcome < seats else len(guests) / seats
    assert wins > 0
    assert points / BATCH > par / BATCH + 0.6 * (1 - par / BATCH)


def test_policies_of_unknown_guests_are_not_learnt_but_their_games_are() -> None:
    """Between two nobody is told of guests."""
    run = Run(small("skaane"), [], replace(TINY, guests=0.8), "cpu", Path("nowhere"))
    (practice,) = run.feed.practices
    forest = run.feed.selfplay.forests[0]  # type: ignore[attr-defined]
    for _ in range(16):
        sat = forest.seating()
        ((_, played),) = run.feed.play(run.learner)
        assert not played.strangers.any()
        for k, seat in enumerate(played.seats.tolist()):
            is_taught = bool((played.targets[k] >= 0).any())
            assert is_taught == (not sat[k][seat])
        practice.replay.keep(played)
    lesson = practice.replay.draw(256, run.generator)
    of_guests = (lesson.targets < 0).all(1)
    ended = lesson.outcomes != UNTOLD
    assert 20 < (of_guests & ended).sum() < 200
    net, sight = run.learner.net, practice.sight

    def only(chosen: torch.Tensor) -> dict[str, float]:
        return judge(net, sight, type(lesson)(*(part[chosen] for part in lesson))).write()

    theirs = only(of_guests & ended)
    assert theirs["policy"] == 0
    assert theirs["outlook"] > 0.1 < theirs["finals"]
    # The mean is over those that are taught.
    assert only(ended)["policy"] == pytest.approx(only(~of_guests & ended)["policy"], rel=1e-4)


@pytest.mark.usefixtures("steady_clock")
def test_a_run_with_guests_goes_on_where_it_was_left(tmp_path: Path) -> None:
    recipe = replace(TINY, guests=0.5)
    run = Run(X, [], recipe, "cpu", tmp_path)
    run.warm_up()
    run.train(0.01, lambda entry: None)
    assert run.headway.games > 0
    again = Run(X, [], recipe, "cpu", tmp_path)
    again.train(0.005, lambda entry: None)
    assert again.headway.positions > run.headway.positions
    alone = Run(X, [], TINY, "cpu", tmp_path)  # or without them
    alone.train(0.005, lambda entry: None)
    assert alone.headway.positions > again.headway.positions
