"""What games tell engines beyond their rules: judgements, and the actions a finished game shows."""

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

import skerry
from reference.x import find_owner
from skerry.core import rules
from skerry.core.kernels import kernel
from support.strategies import states


@kernel
def judge_first(tables: Any, records: Any, out: NDArray[np.float64]) -> bool:
    return rules.judge(tables[0], records[0], out)


@kernel
def list_made(tables: Any, records: Any, seat: int, out: NDArray[np.int32]) -> int:
    return rules.made(tables[0], records[0], seat, out)


PLAYED_OUT, FINISHED, IMAGINED = range(3)


@kernel
def end(tables: Any, records: Any, way: int, seed: int, scratch: Any) -> None:
    """Copy ``records[0]`` to the others and play them on to the end in one of the ways."""
    t = tables[0]
    rng = np.uint64(seed)
    for i in range(1, len(records)):
        records[i] = records[0]
        if way == PLAYED_OUT:
            _, rng = rules.playout(t, records[i], rng, scratch)
        elif way == FINISHED:
            rng = rules.finish(t, records[i], rng, scratch)
        else:
            rng = rules.imagine(t, records[i], rng, scratch)


def ends(state: skerry.State, way: int, games: int, seed: int = 1) -> Any:
    """The records of games from a state on, ended in one of the ways."""
    records = np.zeros(1 + games, state.game.dtype)
    records[0] = state.raw
    end(state.game.tables, records, way, seed, np.zeros(state.game.num_actions, np.int32))
    return records[1:]


def judge(state: skerry.State) -> NDArray[np.float64] | None:
    """What a game thinks of a position, None if it has no opinion."""
    records = np.array([state.raw], state.game.dtype)
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
        records = np.array([state.raw], game.dtype)
        for seat, expected in enumerate(made):
            out = np.zeros(game.num_actions, np.int32)
            shown = set(out[: list_made(game.tables, records, seat, out)].tolist())
            if name == "skew":  # with the lean that the peg has in the end
                cells = state.cells
                leans = ["DEWAZX", "dewazx"][seat]
                assert {action // 6 for action in shown} == {action // 6 for action in expected}
                assert all(cells[a // 6] == leans[a % 6] for a in shown)
            else:
                assert shown == expected


@given(states(longest=30))
@settings(max_examples=60, deadline=None)
def test_engines_finish_games_as_playouts_do(state: skerry.State) -> None:
    """X does it in a way of its own, see below."""
    if state.is_over or state.game.name == "x":
        return
    played, finished, imagined = (ends(state, way, 5) for way in (PLAYED_OUT, FINISHED, IMAGINED))
    for one, other, another in zip(played, finished, imagined, strict=True):
        assert one == other == another


@given(states(skerry.make("x", size=6), longest=34))
@settings(max_examples=30, deadline=None)
def test_full_boards_of_x_are_what_turns_could_come_to(state: skerry.State) -> None:
    if state.is_over:
        return
    game = state.game
    before = state.cells
    left, turn = before.count("."), int(state.raw["turn"])
    counts = [
        before.count(letter) + len(range((seat - turn) % 3, left, 3))
        for seat, letter in enumerate("ryg")
    ]
    for way in (FINISHED, IMAGINED):
        for record in ends(state, way, 5):
            cells = skerry.State(game, np.array([record])).cells
            assert [cells.count(letter) for letter in "ryg"] == counts
            assert all(old in (".", new) for old, new in zip(before, cells, strict=True))
            stones = dict(zip(game.board.points, map("ryg".index, cells), strict=True))
            grid = {(letter + 1, number + 1): seat for (letter, number), seat in stones.items()}
            corners = [(1, 1), (6, 1), (6, 6), (1, 6)]
            assert record["over"]
            assert record["owner"].tolist() == [find_owner(grid, at) for at in corners]


def tally(records: Any) -> dict[tuple[int, ...], float]:
    """How often the corners went to which seats."""
    owners, counts = np.unique(records["owner"], axis=0, return_counts=True)
    total = counts.sum()
    return {tuple(o): n / total for o, n in zip(owners.tolist(), counts.tolist(), strict=True)}


@pytest.mark.parametrize("plies", [0, 9, 20])
def test_imagined_games_of_x_are_random_ones_that_end_as_games_do(plies: int) -> None:
    """The ends of random games as far as they are believed: 2-1-1 0.4, 3-1-0 0.75 at first."""
    state = skerry.make("x", size=6).initial()
    chooser = Random(plies)
    for _ in range(plies):
        state = state.play(chooser.choice(state.legal_moves()))
    played, finished, imagined = (tally(ends(state, way, 40_000)) for way in range(3))
    assert_close(played, finished)
    late = min(max((plies / 36 - 0.27) / 0.33, 0.75), 1)
    belief = {(0, 0, 4): 1.0, (0, 1, 3): late, (1, 1, 2): 0.4, (0, 2, 2): 1.0}
    shares = {
        owners: share * belief[tuple(sorted(map(owners.count, range(3))))]
        for owners, share in finished.items()
    }
    total = sum(shares.values())
    assert_close(imagined, {owners: share / total for owners, share in shares.items()})


def assert_close(one: dict[tuple[int, ...], float], other: dict[tuple[int, ...], float]) -> None:
    """Shares of 40,000 games differ by chance alone, and by the few that end in no other way."""
    for owners in one.keys() | other.keys():
        assert one.get(owners, 0.0) == pytest.approx(other.get(owners, 0.0), abs=0.012)
