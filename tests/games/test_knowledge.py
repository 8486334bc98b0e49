"""What games tell engines beyond their rules: judgements, and the actions a finished game shows."""

from itertools import pairwise
from random import Random
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

import skerry
from skerry.core import rules
from strategies import states


@numba.njit
def judge_first(tables: Any, records: Any, out: NDArray[np.float64]) -> bool:
    return rules.judge(tables[0], records[0], out)


@numba.njit
def list_made(tables: Any, records: Any, seat: int, out: NDArray[np.int32]) -> int:
    return rules.made(tables[0], records[0], seat, out)


@numba.njit
def end_twice(tables: Any, records: Any, seed: int, scratch: Any, outs: Any) -> None:
    """The returns of two games, one played out and one finished as engines do."""
    t = tables[0]
    rules.playout(t, records[0], np.uint64(seed), scratch)
    rules.returns(t, records[0], outs[0])
    rules.finish(t, records[1], np.uint64(seed), scratch)
    rules.returns(t, records[1], outs[1])


def judge(state: skerry.State) -> NDArray[np.float64] | None:
    """What a game thinks of a position, None if it has no opinion."""
    records = np.array([state.record], state.game.dtype)
    out = np.zeros(state.game.num_seats)
    return out if judge_first(state.game.tables, records, out) else None


@given(states(skerry.make("skaane"), longest=80))
@settings(max_examples=40, deadline=None)
def test_judgement_is_fair(state: skerry.State) -> None:
    """Within bounds, nothing for nothing, and the same for a turned board."""
    if state.is_over:
        return
    judged = judge(state)
    assert judged is not None
    assert abs(judged).max() <= 1
    assert judged.sum() == 0
    for index in range(len(state.game.symmetries)):
        turned = judge(state.game.transform(state, index))
        assert turned is not None
        assert np.allclose(turned, judged)


def test_more_is_judged_better() -> None:
    game = skerry.make("skaane", width=3, height=5, gods=2, kings=2, serfs=2, suns=0)
    texts = [
        "g1s/3/3/2G/3 w 0",  # a pawn behind
        "g2/3/3/2G/3 w 0",  # even
        "g2/3/2G/3/3 w 0",  # further on
        "g2/3/2G/2S/3 w 0",  # one more pawn
        "g2/2G/3/2S/3 w 0",  # wins at once
    ]
    values = [judge(game.position(text)) for text in texts]
    leads = [float(value[0]) for value in values if value is not None]
    assert len(leads) == len(texts)
    assert all(low < high for low, high in pairwise(leads))
    assert leads[-1] == 1


@pytest.mark.parametrize("name", ["skew", "skirt", "x"])
def test_a_finished_game_shows_the_actions_made(name: str) -> None:
    game = skerry.make(name)
    chooser = Random(4)
    for _ in range(20):
        state = game.initial()
        made: list[set[int]] = [set() for _ in game.seats]
        while state.to_move is not None:
            move = chooser.choice(state.legal_moves())
            if str(move) != "pass":
                made[state.to_move].add(int(move))
            state = state.play(move)
        records = np.array([state.record], game.dtype)
        for seat, expected in enumerate(made):
            out = np.zeros(game.num_actions, np.int32)
            shown = set(out[: list_made(game.tables, records, seat, out)].tolist())
            if name == "skew":  # with the lean that the peg has in the end
                cells = game.write_cells(state.record)
                leans = ["DEWAZX", "dewazx"][seat]
                assert {action // 6 for action in shown} == {action // 6 for action in expected}
                assert all(cells[a // 6] == leans[a % 6] for a in shown)
            else:
                assert shown == expected


@given(states(longest=30))
@settings(max_examples=60, deadline=None)
def test_engines_finish_games_as_playouts_do(state: skerry.State) -> None:
    if state.is_over:
        return
    game = state.game
    for seed in range(5):
        records = np.array([state.record, state.record], game.dtype)
        outs = np.zeros((2, game.num_seats))
        end_twice(game.tables, records, seed, np.zeros(game.num_actions, np.int32), outs)
        assert (outs[0] == outs[1]).all()
