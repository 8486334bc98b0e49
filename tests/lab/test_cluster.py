"""A real cluster of two nodes on this machine: the same games, and none lost with a node."""

import signal
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from time import sleep
from types import FunctionType, ModuleType

import pytest

import skerry
from skerry.lab.contest.campaign import play_matches
from skerry.lab.contest.match import Match
from skerry.lab.report.measure.units import Experiment, warm_up_units
from skerry.lab.report.measure.walk import Budget, measure
from skerry.lab.report.result.assemble import assemble
from skerry.lab.report.result.findings import to_json
from skerry.lab.work import cluster
from skerry.lab.work.cluster import AHEAD, TRIES, Cluster, ClusterAides
from skerry.lab.work.executor import Cores, Crew, WorkerLost
from skerry.search.warmup import warm_up
from support.nodes import NODE, Nodes, kill
from support.running import complaints, run, start
from support.tasks import (
    add_up,
    append_machine,
    die_at_once,
    die_over_three,
    double,
    refuse,
    report_machine,
    think,
)
from support.working import check_room_for_two, drain, is_running

GAME = skerry.make("skew", side=3, pegs=8)
COMMAND = ["match", "skew", "random", "level:1", "-o", "side=3", "-o", "pegs=8", "--json"]


@pytest.fixture
def serve_text() -> Iterator[str]:
    """The address of a server that is none of Ray's."""
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def texts(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in folder.glob("*.skr")}


@pytest.mark.soak
def test_a_machine_is_made_ready_once(nodes: Nodes, second: object, tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    memory.touch()
    Cluster(nodes.address).prepare(append_machine, str(memory))
    machines = memory.read_text().split()
    both = [nodes.head_node.node_id, second.node_id]  # type: ignore[attr-defined]
    # Also where the command runs, which is on the first of them.
    assert sorted(machines) == sorted([*both, nodes.head_node.node_id])


@pytest.mark.soak
def test_machines_that_join_are_made_use_of(nodes: Nodes) -> None:
    def count(workers: Crew[int, int]) -> int:
        """How many tasks are taken before there is no room."""
        workers.start(0, 0)
        workers.wait()
        started = 0
        while workers.has_room:
            workers.start(started, started)
            started += 1
        while workers.busy:
            workers.wait()
        return started

    with Cluster(nodes.address).hire(double, print) as workers:
        # The news of who has left and who has joined takes its time.
        while count(workers) != AHEAD:
            sleep(0.1)
        joined = nodes.add_node(**NODE)
        while count(workers) != 2 * AHEAD:
            sleep(0.1)
    nodes.remove_node(joined)


@pytest.mark.soak
def test_the_same_games_as_on_this_machine_though_a_node_is_killed(
    nodes: Nodes, second: object, tmp_path: Path
) -> None:
    match = Match(GAME, ("mcts:simulations=400", "level:3"), 24, seed=3)
    here = play_matches({tmp_path / "here": match}, Cores(1))
    told: list[int] = []

    def tell(done: int, total: int) -> None:
        told.append(done)
        if done == 8:
            kill(nodes, second)

    site = Cluster(nodes.address)
    site.prepare(warm_up, GAME)
    assert play_matches({tmp_path / "there": match}, site, tell=tell) == here
    assert told == list(range(25))
    assert texts(tmp_path / "there") == texts(tmp_path / "here")


@pytest.mark.soak
def test_the_same_report_as_on_this_machine_though_a_node_is_killed(
    nodes: Nodes, second: object, tmp_path: Path
) -> None:
    experiment = Experiment(skerry.make("skirt", side=2), ("random", "level:1"), 2)
    budget = Budget.read("120games")
    here = measure(experiment, tmp_path / "here", budget)
    told: list[int] = []

    def tell(used: float, most: float, games: int) -> None:
        told.append(games)
        if len(told) == 2:
            kill(nodes, second)

    site = Cluster(nodes.address)
    site.prepare(warm_up_units, experiment)
    there = measure(experiment, tmp_path / "there", budget, site, tell=tell)
    assert list(there) == list(here)
    reports = [to_json(assemble(experiment, answers, budget.text)) for answers in (here, there)]
    assert reports[0] == reports[1]


@pytest.mark.soak
def test_what_ran_on_a_killed_node_is_done_elsewhere(
    nodes: Nodes, second: object, tmp_path: Path
) -> None:
    memory, gate = tmp_path / "memory", tmp_path / "gate"
    memory.touch()
    told: list[str] = []

    def warn(message: str) -> None:
        told.append(message)
        gate.touch()

    with Cluster(nodes.address).hire(report_machine, warn) as workers:
        for number in range(2):
            workers.start(number, number, str(memory), str(gate))
        while len(memory.read_text().splitlines()) < 2:
            sleep(0.01)
        kill(nodes, second)
        assert drain(workers, []) == {0: 0, 1: 1}
    assert told == ["a process died (its machine is gone); its task is tried again"]
    begun = [line.split("@") for line in memory.read_text().splitlines()]
    assert sorted(Counter(number for number, _ in begun).values()) == [1, 2]
    again, machine = begun[-1]
    assert dict(begun[:2])[again] == second.node_id  # type: ignore[attr-defined]
    assert machine == nodes.head_node.node_id


def test_answers_and_errors_come_home(nodes: Nodes) -> None:
    site = Cluster(nodes.address)
    with site.hire(double, print) as workers:
        assert drain(workers, [(n,) for n in range(20)]) == {n: 2 * n for n in range(20)}
    with (
        site.hire(refuse, print) as workers,
        pytest.raises(ValueError, match="7 is not to my liking"),
    ):
        drain(workers, [(7,)])


@pytest.mark.soak
def test_no_more_at_a_time_than_there_are_jobs(nodes: Nodes) -> None:
    with Cluster(nodes.address, jobs=2).hire(double, print) as workers:
        check_room_for_two(workers)


@pytest.mark.soak
def test_a_task_that_kills_again_and_again_is_given_up(nodes: Nodes, tmp_path: Path) -> None:
    told: list[str] = []
    site = Cluster(nodes.address)
    with site.hire(die_over_three, told.append) as workers:
        tasks: list[tuple[object, ...]] = [(n, str(tmp_path / "once"), 1) for n in range(6)]
        assert drain(workers, tasks) == {n: n for n in range(6)}
    assert sorted((tmp_path / "once").read_text().split()) == [
        "0",
        "1",
        "2",
        "3",
        "3-apart",
        "4",
        "5",
    ]
    assert told == ["a process died (WorkerCrashedError); its task is tried again"]
    with (
        site.hire(die_over_three, print) as workers,
        pytest.raises(WorkerLost, match=f"died {TRIES} times over the same task"),
    ):
        drain(workers, [(n, str(tmp_path / "always"), TRIES) for n in range(6)])


@pytest.mark.soak
def test_aides_keep_something_from_task_to_task(nodes: Nodes, second: object) -> None:
    with Cluster(nodes.address).employ(add_up, print) as aides:
        for key, start in (("a", 10), ("b", 20)):
            aides.hire(key, 0, start)
            aides.start(key, 5)
        assert {answer_of(aides), answer_of(aides)} == {("a", 15), ("b", 26)}
        aides.start("a", 1)
        assert answer_of(aides) == ("a", 16)
        aides.start("b", "no number")
        with pytest.raises(TypeError):
            answer_of(aides)


def answer_of(aides: ClusterAides[str, int]) -> tuple[str, int | None]:
    while (heard := aides.wait(0.1)) is None:
        pass
    return heard


@pytest.mark.soak
def test_aides_that_only_die_are_given_up(nodes: Nodes) -> None:
    told: list[str] = []
    with Cluster(nodes.address).employ(die_at_once, told.append) as aides:
        aides.hire("a", 0)
        for _ in range(TRIES - 1):
            aides.start("a")
            assert answer_of(aides) == ("a", None)
        aides.start("a")
        with pytest.raises(WorkerLost, match=rf"no process is left: .* {TRIES} times .* goes on"):
            answer_of(aides)
        assert "a" not in aides
    assert told == ["a process died (ActorDiedError); another takes its place"] * (TRIES - 1)


@pytest.mark.soak
def test_what_is_not_done_is_called_off_in_the_end(nodes: Nodes, tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    with Cluster(nodes.address).hire(think, print) as workers:
        workers.start(0, str(memory))
        while not (memory.exists() and memory.read_text().endswith("\n")):
            sleep(0.01)
    while is_running(int(memory.read_text())):
        sleep(0.01)


@pytest.mark.soak
@pytest.mark.usefixtures("in_this_process")
def test_the_command_plays_there_too(nodes: Nodes, tmp_path: Path) -> None:
    arguments = [*COMMAND, "--games", "6", "--out"]
    here = run(*arguments, str(tmp_path / "here"), "--jobs", "1")
    there = run(*arguments, str(tmp_path / "there"), "--ray", nodes.address)
    assert there.exit_code == 0, there.stderr
    assert there.stdout == here.stdout
    assert complaints(there.stderr) == []
    assert texts(tmp_path / "there") == texts(tmp_path / "here")


@pytest.mark.soak
def test_a_command_that_is_interrupted_goes_on_elsewhere(nodes: Nodes, tmp_path: Path) -> None:
    arguments = [*COMMAND, "--games", "2000", "--out", str(tmp_path)]
    process = start(*arguments, "--ray", nodes.address)
    while len(kept := texts(tmp_path)) < 2:
        assert process.poll() is None
        sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate()
    assert process.returncode == 130, complaint
    assert complaints(complaint) == [
        "skerry: stopped; finished games are kept, and the same command resumes"
    ]
    kept = texts(tmp_path)
    assert run(*COMMAND, "--games", str(len(kept) + 2), "--out", str(tmp_path)).exit_code == 0
    assert kept.items() <= texts(tmp_path).items()


def test_machines_with_another_skerry_are_refused(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "package_hash", lambda: "of another version")
    with (
        Cluster(nodes.address).hire(double, print) as workers,
        pytest.raises(skerry.OptionsError, match="another version of skerry: install the same"),
    ):
        drain(workers, [(1,)])


@pytest.mark.soak
def test_machines_without_skerry_are_told_of(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = ModuleType("absent")  # which only we have
    absent.double = FunctionType(double.__code__, vars(absent), "double")  # type: ignore[attr-defined]
    absent.double.__module__ = "absent"
    monkeypatch.setitem(sys.modules, "absent", absent)
    with (
        Cluster(nodes.address).hire(absent.double, print) as workers,
        pytest.raises(skerry.OptionsError, match=r"is skerry installed .* 'absent'"),
    ):
        drain(workers, [(1,)])


def test_a_task_needs_a_machine_with_enough_cores(nodes: Nodes) -> None:
    with pytest.raises(skerry.OptionsError, match=r"uses 2 threads, but .* than 1 core"):
        Cluster(nodes.address, threads=2)


@pytest.mark.parametrize("address", ["", "nowhere", "host:port", "http://127.0.0.1:6379", "a:1:2"])
def test_an_address_has_a_host_and_a_port(address: str) -> None:
    with pytest.raises(skerry.OptionsError, match="is not HOST:PORT"):
        Cluster(address)


def test_nobody_answers() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # and nobody listens
        address = f"127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(skerry.OptionsError, match=f"no Ray cluster answers at {address}"):
            Cluster(address)
    with pytest.raises(skerry.OptionsError, match="no Ray cluster answers"):
        Cluster("127.0.0.1:99999")


def test_somebody_else_answers(serve_text: str) -> None:
    with pytest.raises(skerry.OptionsError, match=f"no Ray cluster answers at {serve_text}"):
        Cluster(serve_text)


def test_ray_is_installed_by_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(skerry.OptionsError, match=r"pip install 'skerry\[cluster\]'"):
        Cluster("127.0.0.1:6379")
