"""Batches that begin anywhere: chosen rows, starts, snapshots, copies and random openings."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.rl import BatchEnv
from support.repeating import some_of
from support.roaming import Roamer
from support.running import run_simulated

SCRIPT = Path(__file__).parents[1] / "support" / "roaming.py"
GAMES = [skerry.make(name, **skerry.make(name).sizes[1]) for name in skerry.GAMES]
X = skerry.make("x", size=3)


@pytest.mark.parametrize("restart", [True, False])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_rows_are_single_games_whatever_is_done_to_them(game: skerry.Game, restart: bool) -> None:
    for seed in range(2):
        env = BatchEnv(game, 9, threads=1 + 2 * seed, auto_reset=restart)
        Roamer([env], seed).roam(40)


@pytest.mark.parametrize(
    ("steps", "batch", "names"),
    some_of([(10, 5, [*skerry.GAMES]), (5, 136, ["x"])], []),
)
def test_simulated_gpu_does_the_same(steps: int, batch: int, names: list[str]) -> None:
    done = run_simulated(SCRIPT, str(steps), str(batch), *names)
    assert done.stdout.splitlines() == [f"{name} agrees" for name in names], done.stderr


def test_a_start_may_be_given_for_all() -> None:
    env = BatchEnv(X, 3)
    state = X.initial().play("b2")
    env.reset(starts=state)
    assert [env.state(k) for k in range(3)] == [state] * 3
    env.reset(starts=state.play("a1").position, rows=[2])
    assert [env.state(k) for k in range(3)] == [state, state, state.play("a1")]


def test_seeds_follow_from_the_last_number_that_was_given() -> None:
    env, other = BatchEnv(X, 3), BatchEnv(X, 3)
    for one in (env, other):
        one.reset(7)
        one.reset()
    first = env.seeds.copy()
    assert np.array_equal(first, other.seeds)
    env.reset(7)
    assert not np.array_equal(env.seeds, first)
    env.reset(rows=[0])
    assert env.seeds[0] == first[0]
    env.reset(np.array([5, 6, 7]), rows=[True, False, True])
    assert env.seeds[[0, 2]].tolist() == [5, 7]


def test_copies_are_played_on_in_different_ways() -> None:
    env = BatchEnv(skerry.make("x", size=6), 32)
    env.copy(0, np.arange(1, 32))
    assert len({env.state(k) for k in range(32)}) == 1
    for _ in range(3):
        env.step(env.sample())
    assert len({env.state(k) for k in range(32)}) > 25


def test_snapshots_can_be_taken_apart() -> None:
    env = BatchEnv(X, 4)
    env.reset(starts=[X.initial().play(cell) for cell in ("a1", "a2", "a3", "b1")])
    states = [env.state(k) for k in range(4)]
    snapshot = env.save()
    assert (len(snapshot), snapshot.state(2)) == (4, states[2])
    env.reset(1)
    env.restore(snapshot[[3, 0]], rows=[0, 1])
    assert [env.state(0), env.state(1)] == [states[3], states[0]]
    env.restore(snapshot, rows=np.array([False, False, True, False]))
    assert env.state(2) == states[2]
    assert repr(snapshot) == f"<Snapshot of 4 games of {X!r}>"


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_games_begin_with_random_plies(game: skerry.Game) -> None:
    env = BatchEnv(game, 200, random_plies=(2, 4), auto_reset=False)
    env.reset(1)
    assert not env.done.any()
    assert not env.rewards.any()
    assert {env.state(k).turn for k in range(200)} == set(range(game.num_seats))
    if not game.has_chance:  # the number of pieces tells how many actions there were
        placed = [np.count_nonzero(env.state(k).codes) for k in range(200)]
        counts = np.bincount(placed, minlength=5)
        assert counts[:2].sum() == 0
        assert counts[2:5].sum() == 200
        assert counts[2:5].min() > 40
    assert len({env.state(k) for k in range(200)}) > 100
    restarted = BatchEnv(game, 200, random_plies=(2, 4))
    restarted.playout()
    assert restarted.done.all()
    assert restarted.rewards.any()
    assert len({restarted.state(k) for k in range(200)}) > 100
    for k in range(5):
        legal = np.flatnonzero(restarted.legal[k])
        assert np.array_equal(legal, restarted.state(k).legal_actions())


def test_an_opening_that_ends_every_game_is_left_out() -> None:
    env = BatchEnv(X, 5, random_plies=9)
    assert [env.state(k) for k in range(5)] == [X.initial()] * 5


def test_bad_rows_are_refused_with_a_reason() -> None:
    env = BatchEnv(X, 3)
    refusals: list[tuple[dict[str, Any], str]] = [
        ({"rows": [3]}, "there is no row 3: they are numbered from 0 to 2"),
        ({"rows": [1, 0, 1]}, "row 1 is chosen more than once"),
        ({"rows": [True, False]}, r"a mask of rows has shape \(3,\), not \(2,\)"),
        ({"rows": [0.5]}, "whole numbers or a mask"),
        (
            {"rows": [0, 1], "seed": np.array([1, 2, 3])},
            "there must be 2 seeds, one for each chosen row",
        ),
        ({"rows": [0, 2], "seed": np.array([1, -2])}, "the seed of row 2"),
        ({"rows": [0, 2], "starts": ["3/3/3 r", "4/3/3 r"]}, "the start of row 2: "),
        ({"starts": [skerry.make("x").initial()] * 3}, "the start of row 0: the state belongs to"),
        ({"starts": ["3/3/3 r"] * 2}, "there must be 3 starts"),
        ({"starts": 5}, "starts are states or position texts"),
    ]
    for arguments, said in refusals:
        with pytest.raises(skerry.SkerryError, match=said):
            env.reset(**arguments)
    with pytest.raises(skerry.OptionsError, match="there must be 1 actions, one for each"):
        env.step([1, 2], rows=[0])
    with pytest.raises(skerry.OptionsError, match="type float64"):
        env.step([1.5], rows=[0])
    with pytest.raises(skerry.OptionsError, match="2 rows to copy from, and 1 to copy to"):
        env.copy([0, 1], [2])
    with pytest.raises(skerry.OptionsError, match="there must be 3 games of a snapshot"):
        env.restore(env.save([0]))
    with pytest.raises(skerry.OptionsError, match="the games are of"):
        env.restore(BatchEnv(skerry.make("x", size=2), 3).save())
    with pytest.raises(skerry.OptionsError, match="what save has returned"):
        env.restore(None)  # type: ignore[arg-type]
    for plies in (-1, (3, 2), (1, 2, 3), 10):
        with pytest.raises(skerry.OptionsError, match="random_plies must be a whole number"):
            BatchEnv(X, 2, random_plies=plies)  # type: ignore[arg-type]
