"""A batch of games is exactly as many single games, whatever the size, the threads or the seeds."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

import skerry
from skerry.nets.layout import lay_out
from skerry.rl import BatchEnv
from skerry.rl.planes import see
from support.strategies import GAMES as SMALL
from support.strategies import states

# The smallest board, one in the middle and the default of every game.
BOARDS = [
    skerry.make(name, **options)
    for name in skerry.GAMES
    for options in (skerry.make(name).sizes[0], skerry.make(name).sizes[3], {})
]


def ids(game: skerry.Game) -> str:
    return f"{game.name}-{len(game.board)}"


def mask_of(state: skerry.State) -> np.ndarray:
    mask = np.zeros(state.game.num_actions, np.bool_)
    mask[state.legal_actions()] = True
    return mask


@pytest.mark.parametrize("game", BOARDS, ids=ids)
def test_trajectories_are_those_of_single_games(game: skerry.Game) -> None:
    env = BatchEnv(game, 5, threads=2)
    env.reset(3)
    singles = [game.initial(int(seed)) for seed in env.seeds]
    ended = 0
    for _ in range(300):
        for k, state in enumerate(singles):
            assert np.array_equal(env.legal[k], mask_of(state))
            assert env.to_move[k] == (-1 if state.to_move is None else state.to_move)
            assert env.state(k) == state
        actions = env.sample()
        env.step(actions)
        assert not env.illegal.any()
        for k, state in enumerate(singles):
            after = state if state.is_over else state.play(int(actions[k]))
            assert env.done[k] == after.is_over
            wanted = after.outcome.returns if after.outcome else (0,) * game.num_seats
            assert env.rewards[k].tolist() == pytest.approx(wanted)
            # The next deal comes from the batch; that it is a start is checked below.
            singles[k] = env.state(k) if after.is_over else after
            ended += after.is_over
    assert ended > 0


@pytest.mark.parametrize("game", BOARDS, ids=ids)
def test_games_that_end_start_anew(game: skerry.Game) -> None:
    env = BatchEnv(game, 64)
    starts = {game.initial(seed) for seed in range(200)}
    seen = set()
    for _ in range(400):
        env.step(env.sample())
        seen |= {env.state(int(k)) for k in np.flatnonzero(env.done)}
    if game.has_chance:
        assert len(seen) > 3
        for state in seen:
            assert sorted(state.position) == sorted(game.initial().position)
    else:
        assert seen == starts


@pytest.mark.parametrize("game", BOARDS, ids=ids)
def test_without_auto_reset_games_stay_over(game: skerry.Game) -> None:
    env = BatchEnv(game, 8, auto_reset=False)
    rewards = env.rewards.copy()
    while not env.done.all():
        env.step(env.sample())
        rewards += env.rewards
    for k in range(env.batch):
        outcome = env.state(k).outcome
        assert outcome is not None
        assert rewards[k].tolist() == pytest.approx(outcome.returns)
    before = [env.state(k) for k in range(env.batch)]
    env.step(np.zeros(8, np.int32))
    assert [env.state(k) for k in range(env.batch)] == before
    assert env.done.all()
    assert not env.legal.any()
    assert not env.rewards.any()
    assert not env.illegal.any()
    assert (env.to_move == -1).all()


@pytest.mark.parametrize("game", BOARDS, ids=ids)
def test_playouts_end_all_games(game: skerry.Game) -> None:
    env, stepped = BatchEnv(game, 9, auto_reset=False), BatchEnv(game, 9)
    # Where a deal leaves no move, the two tell of it at different times.
    seeds = np.array([seed for seed in range(99) if not game.initial(seed).is_over][:9])
    env.reset(seeds)
    stepped.reset(seeds)
    plies = env.playout()
    for k in range(env.batch):
        state = env.state(k)
        outcome = state.outcome
        assert outcome is not None
        assert env.rewards[k].tolist() == pytest.approx(outcome.returns)
        assert 0 <= plies[k] <= game.most_actions
    assert np.array_equal(stepped.playout(), plies)
    assert np.array_equal(stepped.rewards, env.rewards)
    assert stepped.done.all()
    env.playout()
    assert not env.rewards.any()


def play(env: BatchEnv, steps: int) -> list[Any]:
    seen = []
    for _ in range(steps):
        env.step(env.sample())
        seen.append((env.legal.copy(), env.rewards.copy(), env.done.copy(), env.observe()))
    return seen


@pytest.mark.parametrize("game", SMALL, ids=ids)
def test_seeds_decide_everything_and_threads_nothing(game: skerry.Game) -> None:
    one, other = BatchEnv(game, 33, threads=1), BatchEnv(game, 33, threads=3)
    one.reset(5)
    other.reset(one.seeds)
    for mine, theirs in zip(play(one, 60), play(other, 60), strict=True):
        for a, b in zip(mine, theirs, strict=True):
            assert np.array_equal(a, b)
    other.reset(6)
    assert not np.array_equal(one.seeds, other.seeds)
    one.reset(5)
    assert not np.array_equal(one.sample(), other.sample())


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("game", SMALL, ids=ids)
def test_a_step_can_show_what_it_leads_to(game: skerry.Game, threads: int) -> None:
    env = BatchEnv(game, 33, threads=threads)
    planes = env.observe()
    for _ in range(40):
        env.step(env.sample(), seen=planes)
        assert np.array_equal(planes, env.observe())
    with pytest.raises(skerry.OptionsError, match="observations have shape"):
        env.step(env.sample(), seen=planes[1:])


@pytest.mark.parametrize("game", SMALL, ids=ids)
def test_an_illegal_action_loses_its_own_game_and_no_other(game: skerry.Game) -> None:
    env = BatchEnv(game, 4, auto_reset=False)
    env.reset(np.array([seed for seed in range(99) if not game.initial(seed).is_over][:4]))
    before = [env.state(k) for k in range(4)]
    actions = env.sample()
    # Where all actions are legal at the start there is only what is no action at all.
    wrong = int(np.append(np.flatnonzero(~env.legal[2]), -1)[0])
    actions[:3] = -1, game.num_actions, wrong
    env.step(actions)
    assert env.illegal.tolist() == [True, True, True, False]
    assert env.done.tolist()[:3] == [True] * 3
    for k, state in enumerate(before[:3]):
        assert env.rewards[k, state.to_move] == -1
        assert env.rewards[k].sum() == pytest.approx(0)
        assert sorted(env.rewards[k])[1:] == [pytest.approx(1 / (game.num_seats - 1))] * (
            game.num_seats - 1
        )
    assert env.state(3) == before[3].play(int(actions[3]))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, list])
def test_actions_of_any_integer_type(kind: Any) -> None:
    env = BatchEnv(skerry.make("x", size=4), 3)
    actions = [3, 4, 5]
    env.step(actions if kind is list else np.array(actions, kind))
    assert not env.illegal.any()
    assert not env.legal[[0, 1, 2], actions].any()


@given(states())
def test_planes_show_who_stands_where(state: skerry.State) -> None:
    game = state.game
    layout = lay_out(game)
    turn = int(state.raw["turn"])
    for seat in (None, *range(game.num_seats)):
        viewer = turn if seat is None else seat
        planes = see(layout, state, -1 if seat is None else seat)
        assert planes.shape == layout.shape
        flat = planes.reshape(len(layout.names), -1)
        shown = {
            name: set(np.flatnonzero(plane)) for name, plane in zip(layout.names, flat, strict=True)
        }
        wanted: dict[str, set[int]] = {name: set() for name in layout.names}
        pending = shown.pop("special cell 1", set())
        for cell, piece in state.scene().pieces.items():
            if piece.seat is None:
                continue
            whose = ["viewer", "next", "2 after"][(piece.seat - viewer) % game.num_seats]
            kind = piece.kind + (f" {piece.facing}" if piece.facing else "")
            if int(layout.place_of[cell]) not in pending:
                wanted[f"{whose}: {kind}"].add(int(layout.place_of[cell]))
        places = set(layout.place_of.tolist())
        for other, name in enumerate(game.seats[1:], 1):
            wanted[f"viewer is {name}"] = places if other == viewer else set()
        wanted.pop("special cell 1", None)
        if layout.counter >= 0:
            count = int(state.position.split()[-1])
            assert flat[-1, layout.place_of].tolist() == [count] * len(places)
            wanted["counter"] = places if count else set()
        assert shown == wanted


def test_skirt_shows_the_piece_whose_turn_goes_on() -> None:
    game = skerry.make("skirt", side=3)
    env = BatchEnv(game, 1)
    for move in ("a1", "a2"):
        env.step([int(env.state(0).parse(move))])
    names, planes = env.layout.names, env.observe()[0]
    (place,) = np.flatnonzero(planes[names.index("special cell 1")])
    assert place == env.layout.place_of[game.board.index["a2"]]
    assert env.to_move[0] == 1


@pytest.mark.parametrize("game", SMALL, ids=ids)
def test_neighbours_are_neighbours_on_the_grid(game: skerry.Game) -> None:
    """A direction is the same step of the grid from every cell, so that convolutions see it."""
    layout, board = lay_out(game), game.board
    assert len(set(layout.place_of.tolist())) == len(board)
    for direction in range(len(board.steps)):
        steps = set()
        for cell in range(len(board)):
            other = board.neighbours[cell, direction]
            if other >= 0:
                here, there = (
                    divmod(int(layout.place_of[c]), layout.shape[2]) for c in (cell, other)
                )
                steps.add((there[0] - here[0], there[1] - here[1]))
        assert len(steps) <= 1


def test_arrays_cannot_be_written_to() -> None:
    env = BatchEnv(skerry.make("x", size=3), 2)
    for array in (env.legal, env.to_move, env.rewards, env.done, env.illegal):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_bad_input_is_refused_with_a_reason() -> None:
    game = skerry.make("x", size=3)
    env = BatchEnv(game, 2)
    with pytest.raises(skerry.OptionsError, match="a game is needed"):
        BatchEnv("x", 2)  # type: ignore[arg-type]
    with pytest.raises(skerry.OptionsError, match="batch must be a whole number from 1"):
        BatchEnv(game, 0)
    with pytest.raises(skerry.OptionsError, match="use cpu or cuda"):
        BatchEnv(game, 2, device="tpu")
    with pytest.raises(skerry.OptionsError, match="2 whole numbers, one for each game"):
        env.step([1, 2, 3])
    with pytest.raises(skerry.OptionsError, match="type float64"):
        env.step([1.0, 2.0])
    with pytest.raises(skerry.OptionsError, match="seed must be"):
        env.reset(-1)
    with pytest.raises(skerry.OptionsError, match="there must be 2 seeds"):
        env.reset(np.array([1, 2, 3]))
    with pytest.raises(
        skerry.OptionsError, match=r"the seed of row 0 must be a number from 0 to 2\*\*63"
    ):
        env.reset(np.array([-1, 2]))
    with pytest.raises(skerry.OptionsError, match="seats must be from 0 to 2"):
        env.observe(3)
