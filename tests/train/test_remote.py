"""Self-play elsewhere, such as on a real cluster: it feeds the learner, though processes die."""

import json
import os
import signal
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest

import skerry
from skerry.lab.work import cluster
from skerry.lab.work.cluster import Cluster
from skerry.lab.work.executor import WorkerLost
from skerry.nets.file import read_net
from skerry.train.recipe import BATCHES, Recipe
from skerry.train.remote import ROUNDS, RemotePlay
from skerry.train.run import CHECKPOINT, CURVE, LATEST, Run
from skerry.train.tree import UNTOLD
from support.nodes import Nodes, add_node, kill, start_nodes
from support.running import complaints, run
from support.working import InThisProcess, is_running

GAME, SMALLER = skerry.make("x", size=3), skerry.make("x", size=2)
TINY = Recipe(batch=16, simulations=2, steps_kept=32, lesson=32, channels=8, blocks=1)


def employ(
    site: Any,
    players: int | None = None,
    warn: Callable[[str], None] = print,
    guests: float = 0.0,
) -> RemotePlay:
    recipe, batches = replace(TINY, guests=guests), dict.fromkeys(BATCHES, TINY.batch)
    return RemotePlay([GAME, SMALLER], recipe, "cpu", site, players, batches, warn)


def make_run(feed: RemotePlay | None, folder: Path) -> Run:
    return Run(GAME, [SMALLER], TINY, "cpu", folder, feed)


def find_process(feed: RemotePlay, player: int) -> int:
    """In which process a self-player lives."""
    aide = feed._crew._aides[player]
    return int(feed.site._ray.get(aide.__ray_call__.remote(lambda _: os.getpid())))


def go_on(trained: Run, until: Callable[[], bool]) -> None:
    while not until():
        list(trained._round())


def check_taking_up(site: Any, folder: Path, steps: int) -> RemotePlay:
    """A run that was begun alone goes on with what others play, and alone again."""
    heard: list[dict[str, Any]] = []
    alone = make_run(None, folder)
    alone.train(0.001, heard.append)
    with employ(site) as feed:
        trained = make_run(feed, folder)
        assert trained.headway == alone.headway
        trained.warm_up()
        go_on(trained, lambda: trained.learner.steps >= steps)
        trained.train(0.001, heard.append)
        process = find_process(feed, 0) if isinstance(site, Cluster) else None
    while process and is_running(process):  # it is sent away in the end
        sleep(0.01)
    assert heard[-1]["games"] == trained.headway.games > 0
    assert heard[-1]["positions"] == trained.headway.positions
    assert [json.loads(line) for line in (folder / CURVE).read_text().splitlines()] == heard
    counts = [practice.replay.seen for practice in feed.practices]
    assert min(counts) > 0  # on both boards
    assert sum(counts) == trained.headway.rounds - alone.headway.rounds
    assert read_net(folder / LATEST, GAME).card["headway"] == asdict(trained.headway)
    again = make_run(None, folder)
    assert again.headway == trained.headway
    assert again.learner.steps == trained.learner.steps > 0
    again.train(0.001, heard.append)
    assert again.headway.positions > trained.headway.positions
    return feed


def test_a_run_is_taken_up_with_others_and_without(tmp_path: Path) -> None:
    check_taking_up(InThisProcess(), tmp_path, 4)


@pytest.mark.soak
def test_a_run_is_taken_up_with_a_cluster_and_without(nodes: Nodes, tmp_path: Path) -> None:
    feed = check_taking_up(Cluster(nodes.address), tmp_path, 20)
    assert len(feed.devices) == 1  # a cluster of one core plays with it


@pytest.mark.soak
def test_what_was_played_there_is_what_the_rules_say(nodes: Nodes, tmp_path: Path) -> None:
    with employ(Cluster(nodes.address), guests=0.5) as feed:
        trained = make_run(feed, tmp_path)
        trained.warm_up()
        seen = []
        while len(seen) < 8:
            seen += feed.play(trained.learner)
    assert len(seen) % ROUNDS == 0
    ended = guests_moved = 0
    for practice, played in seen:
        for k in range(practice.batch):
            rest = int(played.seats[k] + practice.game.num_seats * played.counters[k])
            state = practice.game._restore(played.codes[k].numpy(), rest)
            legal = (played.targets[k] >= 0).nonzero().flatten().tolist()
            assert legal in ([], state.legal_actions().tolist())
            guests_moved += not legal
            ended += int(played.outcomes[k]) != UNTOLD
    assert ended > 0
    assert 0 < guests_moved < sum(practice.batch for practice, _ in seen) / 2


@pytest.mark.soak
def test_training_goes_on_though_self_players_are_killed(
    nodes: Nodes, second: object, tmp_path: Path
) -> None:
    told: list[str] = []
    with employ(Cluster(nodes.address), 2, told.append) as feed:
        trained = make_run(feed, tmp_path)
        trained.warm_up()
        mine = [feed.practices[n : n + 2] for n in (0, 2)]

        def count(player: int) -> int:
            return sum(practice.replay.seen for practice in mine[player])

        go_on(trained, lambda: min(count(0), count(1)) >= 40)
        assert told == []
        # A process is killed: another takes its place, in games of its own.
        os.kill(find_process(feed, 0), signal.SIGKILL)
        go_on(trained, lambda: bool(told))
        assert told == ["a process died (ActorDiedError); another takes its place"]
        for replay in (each.replay for each in mine[0] if each.replay.seen):
            last = replay.games[(replay.seen - 1) % replay.steps]
            assert (last != replay.begun % replay.rows).all()  # whose ends will not be told
        before = count(0)
        go_on(trained, lambda: count(0) > before)
        # A machine is lost: the other goes on, and there is no room for another process.
        kill(nodes, second)
        go_on(trained, lambda: len(told) == 2)
        left = [count(0), count(1)]
        go_on(trained, lambda: count(0) > left[0] + 20 or count(1) > left[1] + 20)
        assert (count(0) > left[0]) != (count(1) > left[1])
        # Another machine joins, where there is.
        with add_node(nodes):
            go_on(trained, lambda: count(0) > left[0] and count(1) > left[1])


@pytest.mark.soak
def test_a_cluster_without_machines_is_told_of(tmp_path: Path) -> None:
    with (
        start_nodes(cores=0) as nodes,
        add_node(nodes) as only,
        employ(Cluster(nodes.address), 1, lambda _: None) as feed,
    ):
        trained = make_run(feed, tmp_path)
        go_on(trained, lambda: trained.headway.rounds > 0)
        kill(nodes, only)
        with pytest.raises(WorkerLost, match="no machine of the cluster is left"):
            go_on(trained, lambda: False)


@pytest.mark.soak
def test_machines_with_another_skerry_are_refused(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "package_hash", lambda: "of another version")
    with employ(Cluster(nodes.address)) as feed:
        trained = make_run(feed, tmp_path)
        with pytest.raises(skerry.OptionsError, match="another version of skerry"):
            go_on(trained, lambda: False)


@pytest.mark.parametrize(
    ("resources", "players", "devices"),
    [
        ({"CPU": 4}, None, ["cpu"] * 3),  # a core is left to the learner
        ({"CPU": 1}, None, ["cpu"]),
        ({"CPU": 4}, 6, ["cpu"] * 6),  # some wait for machines
        ({"CPU": 4, "GPU": 2}, None, ["cuda"] * 2),
        ({"CPU": 4, "GPU": 2}, 3, ["cuda", "cuda", "cpu"]),
        ({"CPU": 4, "GPU": 2}, 1, ["cuda"]),
    ],
)
def test_who_plays_depends_on_what_there_is(
    resources: dict[str, int], players: int | None, devices: list[str]
) -> None:
    site: Any = SimpleNamespace(
        count=lambda name: resources.get(name, 0), employ=lambda *_: nullcontext()
    )
    feed = RemotePlay([GAME, SMALLER], TINY, "cpu", site, players, {"cpu": 6, "cuda": 20}, print)
    assert feed.devices == devices
    sizes = {"cpu": [6, 3], "cuda": [20, 10]}
    assert [each.batch for each in feed.practices] == [n for name in devices for n in sizes[name]]


@pytest.mark.soak
def test_the_command_trains_there_too(nodes: Nodes, tmp_path: Path) -> None:
    arguments = ["train", "x", "-o", "size=2", "--batch", "8", "--simulations", "2"]
    arguments += ["--device", "cpu", "--minutes", "0.01", "--out", str(tmp_path)]
    result = run(*arguments, "--ray", nodes.address, "--players", "1")
    assert result.exit_code == 0, result.stderr
    assert "simulations/s" in result.stdout
    assert complaints(result.stderr) == []
    assert (tmp_path / CHECKPOINT).exists()
