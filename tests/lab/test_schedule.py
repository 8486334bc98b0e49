"""Schedules: everything in turn, or where it is needed, from results alone."""

from itertools import combinations

import numpy as np
import pytest

import skerry
from skerry.lab.contest.match import Match
from skerry.lab.contest.schedule import (
    LEAST_ROUND,
    Decided,
    Precise,
    Schedule,
    StoppingRule,
    widest,
)
from skerry.lab.stats.ratings import rate
from skerry.lab.stats.results import Block
from support.simulation import play_block

SMALL = skerry.make("skew", side=2, pegs=2)
X = skerry.make("x", size=2)
NAMES = ("level:1", "level:2", "random")
PAIRS = tuple(combinations(NAMES, 2))


def pairings(games: int) -> list[Match]:
    return [Match(SMALL, pair, games) for pair in PAIRS]


def run(schedule: Schedule, elo: dict[str, float], seed: int) -> list[list[Block]]:
    """Carry a schedule out with players of known strength, as slowly as it allows."""
    results: list[list[Block]] = [[] for _ in schedule.matches]
    counted: list[list[Block]] = [[] for _ in schedule.matches]
    while schedule.plan(counted):
        counted = [list(blocks) for blocks in results]
        for number, block in schedule.rounds[-1]:
            match = schedule.matches[number]
            chooser = np.random.default_rng([seed, number, block])
            results[number].append(play_block(match.players, elo, chooser, match.game.num_seats))
    return results


def test_without_a_goal_everything_is_played_in_turn() -> None:
    schedule = Schedule([*pairings(6), Match(SMALL, ("random", "level:4"), 4)])
    assert schedule.plan([[], [], [], []])
    assert schedule.rounds == [
        [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (1, 2), (2, 2)]
    ]
    assert not schedule.plan([[], [], [], []])
    assert len(schedule.rounds) == 1


def test_blocks_of_a_match_come_in_order_and_no_more_than_allowed() -> None:
    schedule = Schedule(pairings(60), Precise(1), least=10)
    run(schedule, {"level:1": 0, "level:2": 400, "random": -400}, seed=1)
    for number in range(3):
        blocks = [block for order in schedule.rounds for m, block in order if m == number]
        assert blocks == list(range(30))
    assert [len(order) for order in schedule.rounds[:3]] == [15, LEAST_ROUND, LEAST_ROUND]


def test_effort_goes_where_the_interval_is_widest() -> None:
    elo = {"level:1": 0.0, "level:2": 0.0, "random": -700.0}
    schedule = Schedule(pairings(2000), Precise(60), least=20)
    results = run(schedule, elo, seed=2)
    ratings = rate(block for blocks in results for block in blocks)
    assert all(widest(match, ratings) < 66 for match in schedule.matches)
    level, *against_random = map(len, results)
    assert level < min(against_random) / 2
    assert sum(map(len, results)) < 3000


def test_a_schedule_depends_on_results_only() -> None:
    elo = {"level:1": 0.0, "level:2": 100.0, "random": -100.0}
    first, second = (Schedule(pairings(400), Precise(50)) for _ in range(2))
    assert run(first, elo, seed=3) == run(second, elo, seed=3)
    assert first.rounds == second.rounds
    third = Schedule(pairings(400), Precise(50))
    run(third, elo, seed=4)
    assert third.rounds != first.rounds


def test_a_match_stops_when_it_is_decided() -> None:
    match = Match(SMALL, ("level:2", "random"), 2000)
    apart, equal = (Schedule([match], Decided(), least=10) for _ in range(2))
    (blocks,) = run(apart, {"level:2": 200.0, "random": 0.0}, seed=5)
    assert len(blocks) < 100
    (blocks,) = run(equal, {"level:2": 0.0, "random": 0.0}, seed=5)
    assert len(blocks) == match.blocks


def test_three_players_at_a_table_are_decided_pair_by_pair() -> None:
    match = Match(X, NAMES, 6000)
    schedule = Schedule([match], Decided(), least=10)
    (blocks,) = run(schedule, {"level:1": 0.0, "level:2": 300.0, "random": -300.0}, seed=6)
    assert len(blocks) < match.blocks / 4


@pytest.mark.soak
@pytest.mark.parametrize("goal", [Precise(70.0), Precise(40.0)])
def test_precision_reached_by_stopping_is_no_illusion(goal: StoppingRule) -> None:
    """Stopping when an interval is narrow enough leaves it right about 19 times in 20."""
    elo = {"level:2": 80.0, "random": 0.0}
    held = []
    for seed in range(150):
        schedule = Schedule([Match(SMALL, ("level:2", "random"), 4000)], goal)
        (blocks,) = run(schedule, elo, seed)
        found, margin = rate(blocks).difference("level:2", "random")
        held.append(abs(found - 80) <= margin)
    assert np.mean(held) >= 0.91


@pytest.mark.soak
def test_false_decisions_in_a_tournament_are_rare_altogether() -> None:
    elo = dict.fromkeys(NAMES, 0.0)
    wrong = 0
    for seed in range(40):
        schedule = Schedule(pairings(200), Decided())
        results = run(schedule, elo, seed)
        wrong += any(len(blocks) < 100 for blocks in results)
    assert wrong <= 2  # 5 % of 40
