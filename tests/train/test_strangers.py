"""Strangers: what nets are told of guests, what they learn of them, and nets that were not told."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import skerry
from nets.test_forward import ask
from skerry.nets.file import Net, read_net
from skerry.nets.shipped import shipped_net
from skerry.nets.sight import look_at
from skerry.train.forest import Forest
from skerry.train.gumbel import choose_inside
from skerry.train.learner import Learner, judge
from skerry.train.net import NetModule, SightModule
from skerry.train.run import CHECKPOINT, LATEST, Run
from skerry.train.tree import UNTOLD, node_dtype
from support.nets import play_some, random_net
from train.test_guests import BATCH, X
from train.test_learning import TINY, show
from train.test_tree import small, think


def forget_strangers(net: Net) -> Net:
    """The same net as one that was never told of strangers."""
    shape = net.shape.without_strangers
    told = net.weights["told.weight"][:, : shape.facts]
    return replace(net, shape=shape, weights=net.weights | {"told.weight": told})


def test_a_net_is_told_who_is_a_stranger_from_the_mover_on() -> None:
    states = [state for plies in range(3) for state in play_some(X, plies, 2)]
    for strangers in range(8):
        known = torch.full((len(states),), strangers, dtype=torch.int8)
        _, facts = SightModule(X).look(*show(states), known)
        for state, flags in zip(states, facts[:, -3:].tolist(), strict=True):
            assert flags == [strangers >> (state.turn + place) % 3 & 1 for place in range(3)]
    assert look_at(small("skaane")).facts == 2 + 2 + len(small("skaane").options)


def test_a_net_that_was_not_told_says_the_same_whoever_sits_there() -> None:
    former = shipped_net(skerry.make("x"))
    if former.shape.facts == look_at(X).facts:
        former = forget_strangers(former)
    states = play_some(X, 4, 5)
    first, again = ask(X, former, states), ask(X, former, states, 0b110)
    assert all(map(np.array_equal, first, again))
    module = NetModule(former.shape)
    weights = {name: torch.from_numpy(value) for name, value in former.weights.items()}
    module.load_state_dict(weights, strict=False)
    with torch.inference_mode():
        said = SightModule(X).ask(module, *show(states), torch.full((len(states),), 0b110))
    assert np.allclose(said.policy.numpy(), first[0], atol=1e-3)


def test_guests_are_known_in_most_of_their_games_to_the_end() -> None:
    forest = Forest(X, BATCH, 2, seed=1, guests=0.9)
    told = hidden = taught = 0
    for _ in range(20):
        sat, known = forest.seating(), forest.strangers.tolist()
        think(forest)
        actions = forest.actions.tolist()
        forest.play()
        played = forest.tell()
        assert played.strangers.tolist() == known
        for k, (seat, efforts) in enumerate(zip(played.seats.tolist(), sat, strict=True)):
            where = sum(1 << each for each, effort in enumerate(efforts) if effort)
            assert known[k] in (0, where)
            told += known[k] > 0
            hidden += where > 0 and known[k] == 0
            chances = played.targets[k]
            if not efforts[seat]:
                assert chances.clamp(min=0).sum().item() == pytest.approx(1, abs=1e-3)
            elif known[k]:
                assert chances[actions[k]] == chances.clamp(min=0).sum() == 1
                taught += 1
            else:
                assert (chances < 0).all()
            if forest.outcomes[k] == UNTOLD:
                assert forest.strangers[k] == known[k]
    assert taught > 100
    assert 0.15 < hidden / (hidden + told) < 0.35


def test_strangers_are_expected_to_do_what_is_foretold() -> None:
    """Whatever it is worth to them, while the net's own kind does what is best."""
    nodes = np.zeros(1, node_dtype(4, 3))
    node = nodes[0]
    node["width"], node["seat"], node["share"][:] = 3, 1, 1 / 3
    node["prior"][:3] = np.log([0.5, 0.3, 0.2])
    chosen = []
    for _ in range(20):
        slot = choose_inside(nodes[0], True)
        chosen.append(slot)
        node["tries"][slot] += 1
        node["worth"][slot] += slot == 2
    assert [chosen.count(slot) for slot in range(3)] == [10, 6, 4]
    assert choose_inside(nodes[0], False) == 2


def test_a_run_goes_on_from_a_net_that_was_not_told(tmp_path: Path) -> None:
    net = forget_strangers(random_net(X, TINY.channels, TINY.blocks))
    run = Run(X, [], TINY, "cpu", tmp_path, start=net)
    states = play_some(X, 3, 5)
    known = torch.full((len(states),), 0b101)
    for module in (run.learner.net, run.learner.average):
        with torch.inference_mode():
            said = SightModule(X).ask(module, *show(states), known)
        assert np.allclose(said.policy.numpy(), ask(X, net, states)[0], atol=1e-3)


@pytest.mark.usefixtures("steady_clock")
def test_checkpoints_of_nets_that_were_not_told_are_taken_up(tmp_path: Path) -> None:
    run = Run(X, [], TINY, "cpu", tmp_path)
    run.train(0.02, lambda entry: None)
    kept = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    names = [name for name, _ in run.learner.net.named_parameters()]
    facts = run.learner.net.shape.without_strangers.facts
    kept["shape"]["facts"] = facts
    moments = kept["moments"][names.index("told.weight")]
    for part, name in [
        (kept["net"], "told.weight"),
        (kept["average"], "told.weight"),
        (moments, "exp_avg"),
        (moments, "exp_avg_sq"),
    ]:
        part[name] = part[name][:, :facts].clone()
    torch.save(kept, tmp_path / CHECKPOINT)
    again = Run(X, [], replace(TINY, guests=0.8), "cpu", tmp_path)
    state = again.learner.optimiser.state_dict()["state"][names.index("told.weight")]
    for ours, theirs in [
        (again.learner.net.told.weight, run.learner.net.told.weight),
        (state["exp_avg"], moments["exp_avg"].float()),
    ]:
        assert torch.equal(ours[:, :facts], theirs[:, :facts])
        assert not ours[:, facts:].any()
    again.train(0.03, lambda entry: None)
    assert again.learner.net.told.weight[:, facts:].any()
    assert read_net(tmp_path / LATEST, X).shape == again.learner.net.shape


@pytest.mark.soak
def test_it_learns_to_foretell_strangers() -> None:
    """From games of random weights with guests; better than who takes them for its own kind."""
    run = Run(X, [], replace(TINY, guests=0.9, steps_kept=64), "cpu", Path("nowhere"))
    (practice,) = run.feed.practices
    for _ in range(64):
        ((_, played),) = run.feed.play(run.learner)
        practice.replay.keep(played)
    learner = Learner(NetModule(run.learner.net.shape), rate=1e-2)
    for _ in range(150):
        lesson = practice.turner.turn(practice.replay.draw(256, run.generator), run.generator)
        learner.learn(judge(learner.net, practice.sight, lesson))
    drawn = practice.replay.draw(1500, run.generator)
    theirs = (drawn.strangers >> drawn.seats & 1).bool()
    assert theirs.sum() > 200
    lesson = type(drawn)(*(part[theirs] for part in drawn))
    with torch.inference_mode():
        told = judge(learner.net, practice.sight, lesson)
        asked = practice.sight.ask(learner.net, *lesson[:3])
    legal = lesson.targets >= 0
    chances = asked.policy.masked_fill(~legal, -1e4).log_softmax(1)
    untold = -(chances * lesson.targets.clamp(min=0)).sum(1).mean()
    blind = legal.sum(1).float().log().mean()
    assert told.strangers is not None
    assert told.policy == 0
    assert told.strangers < untold - 0.1
    assert told.strangers < blind - 0.2
