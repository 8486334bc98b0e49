"""How searches end and what they tell meanwhile; by a clock that only simulations move."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.search import analysis, pacing, tree

STATE = skerry.make("x", size=5).initial()
ENDLESS = 10**12


class Clock:
    """A time that passes only while simulations run, at a pace that may change."""

    def __init__(self, pace: Callable[[int], float]) -> None:
        self.now = 0.0
        self.pace = pace
        self.batches: list[tuple[float, float]] = []  # when each began and ended
        self.hurried: list[float] = []  # when those began that were in a hurry

    def run(self, game: skerry.Game, grown: Any, simulations: int, in_a_hurry: bool) -> int:
        began = self.now
        if in_a_hurry:
            self.hurried.append(began)
        self.now += simulations * self.pace(len(self.batches))
        self.batches.append((began, self.now))
        return REAL_RUN(game, grown, min(simulations, 3)) and simulations


REAL_RUN = tree.run


def install(monkeypatch: pytest.MonkeyPatch, pace: Callable[[int], float]) -> Clock:
    clock = Clock(pace)
    monkeypatch.setattr(tree, "run", clock.run)
    for module in (analysis, pacing):
        monkeypatch.setattr(module, "perf_counter", lambda: clock.now)
    return clock


@pytest.mark.parametrize("pace", [1e-6, 3e-5, 1e-3])
def test_no_batch_begins_after_the_time_or_runs_long_beyond_it(
    monkeypatch: pytest.MonkeyPatch, pace: float
) -> None:
    clock = install(monkeypatch, lambda _: pace)
    skerry.analyse(STATE, seconds=0.1)
    (_, started), *batches = clock.batches  # the first is not counted: it may have to compile
    deadline = started + 0.1
    assert all(began < deadline for began, _ in batches)
    assert deadline <= batches[-1][1] <= deadline + 2 * pace
    longest = max(ended - began for began, ended in batches[1:])
    assert longest <= max(pace, pacing.BATCH_SECONDS) + 1e-9


def test_a_slowdown_costs_no_more_than_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = install(monkeypatch, lambda batch: 1e-5 if batch < 12 else 1e-4)
    skerry.analyse(STATE, seconds=0.2)
    sizes = [ended - began for began, ended in clock.batches[13:]]
    assert max(sizes) <= pacing.BATCH_SECONDS + 1e-9


def test_a_tree_is_not_thinned_out_when_time_is_nearly_up(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = install(monkeypatch, lambda _: 1e-5)
    skerry.analyse(STATE, seconds=0.3, nodes=2_000_000)
    first, *hurried = clock.hurried
    assert first == 0.0  # before the clock starts
    deadline = clock.batches[0][1] + 0.3
    late = deadline - 2_000_000 * tree.THINNING_SECONDS
    assert hurried == [began for began, _ in clock.batches if late < began < deadline]
    assert 0 < len(hurried) < len(clock.batches) - 1


def test_a_report_is_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a full tree would never be thinned out where reports are frequent."""
    clock = install(monkeypatch, lambda _: 1e-5)
    skerry.analyse(STATE, simulations=100_000, nodes=4_000_000, tell=lambda _: None, every=0.1)
    assert len(clock.batches) > 100
    assert clock.hurried == []


def test_a_player_hurries_only_at_the_end_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = install(monkeypatch, lambda _: 1e-5)
    skerry.player("mcts:seconds=1").choose(STATE, seed=1)
    _, *hurried = clock.hurried
    deadline = clock.batches[0][1] + 1
    assert hurried
    assert min(hurried) > deadline - analysis.DEFAULT_NODES * tree.THINNING_SECONDS


@pytest.mark.parametrize("budget", [{"simulations": ENDLESS}, {"seconds": 1e9}])
def test_after_a_stop_no_batch_begins(
    monkeypatch: pytest.MonkeyPatch, budget: dict[str, Any]
) -> None:
    clock = install(monkeypatch, lambda _: 1e-5)
    asked = []

    def stop() -> bool:
        asked.append(len(clock.batches))
        return len(asked) > 5

    found = skerry.analyse(STATE, **budget, stop=stop)
    assert asked == [1, 2, 3, 4, 5, 6]  # before every batch but the first
    assert len(clock.batches) == 6
    assert found.simulations > 0


def test_every_thread_asks_whether_to_stop() -> None:
    askers = set()

    def stop() -> bool:
        askers.add(threading.current_thread())
        return len(askers) == 3

    found = skerry.analyse(STATE, simulations=ENDLESS, threads=3, stop=stop)
    assert found.simulations >= 3
    assert threading.current_thread() not in askers


def test_a_search_that_is_stopped_at_once_still_has_an_answer() -> None:
    found = skerry.analyse(STATE, simulations=ENDLESS, stop=lambda: True)
    assert found.simulations == 1
    assert found.best in STATE.legal_moves()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("nodes", [analysis.DEFAULT_NODES, 30_000])  # enough, and not
def test_reports_grow_and_do_not_change_the_result(threads: int, nodes: int) -> None:
    heard: list[skerry.Analysis] = []
    effort: dict[str, Any] = {"simulations": 30_000, "threads": threads, "nodes": nodes}
    quiet = skerry.analyse(STATE, **effort)
    found = skerry.analyse(STATE, **effort, tell=heard.append, every=0.001)
    assert heard
    assert (found.values, found.moves) == (quiet.values, quiet.moves)
    counts = [report.simulations for report in [*heard, found]]
    assert counts == sorted(counts)
    for report in heard:
        # Consistent: every simulation went through one move.
        assert sum(move.visits for move in report.moves) == report.simulations


def test_reports_come_as_often_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = install(monkeypatch, lambda _: 1e-5)
    moments: list[float] = []
    skerry.analyse(STATE, seconds=1.0, tell=lambda _: moments.append(clock.now), every=0.1)
    gaps = np.diff([clock.batches[0][1], *moments])
    assert len(gaps) == 9
    assert gaps.min() > 0.1 - 1e-9
    assert gaps.max() < 0.1 + 2e-5


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("callback", ["stop", "tell"])
def test_an_error_in_a_callback_ends_the_search(callback: str, threads: int) -> None:
    def fail(*_: object) -> bool:
        raise KeyError("mine")

    calls: dict[str, Any] = {callback: fail}
    with pytest.raises(KeyError, match="mine"):
        skerry.analyse(STATE, simulations=ENDLESS, threads=threads, every=0.01, **calls)


def test_a_proof_in_one_tree_ends_a_search_by_time() -> None:
    state = skerry.make("x", size=2).initial()
    found = skerry.analyse(state, seconds=1e6, threads=2)
    assert found.proven


def test_a_proof_that_one_tree_has_already_ends_a_search_by_time() -> None:
    search = analysis.Search(skerry.make("skew", side=2, pegs=2).initial(), threads=2)
    first = search.trees[0]
    sure = pacing.Effort(partial(tree.run, search.state.game, first), len(first.nodes), ENDLESS)
    sure.run(pacing.Brake(None, None), None)
    assert sure.proven
    told: list[object] = []
    found = search.run(seconds=1e6, tell=told.append, every=1e-6)
    assert found.proven
    assert not told


def test_more_nodes_than_there_is_memory_for_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(tree, "grow", fail)
    with pytest.raises(skerry.OptionsError, match="not enough memory for 1000 nodes"):
        skerry.analyse(STATE, nodes=1000)
