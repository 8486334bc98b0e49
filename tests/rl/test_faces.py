"""Every face passes the tests that its own package brings."""

import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import skerry
from skerry.rl import functional
from skerry.rl.gymnasium import SoloVectorEnv  # registers the environments
from skerry.rl.ids import IDS, game_of
from skerry.rl.pettingzoo import env as turns
from support.strategies import GAMES as SMALL
from support.strategies import states

pyspiel = pytest.importorskip("pyspiel")
SMALLEST = {f"{name}-v0": skerry.make(name).sizes[1] for name in skerry.GAMES}


def test_ids_are_versioned() -> None:
    assert IDS == ("skew-v0", "skirt-v0", "x-v0", "skaane-v0")
    assert game_of("skew-v0", side=4) == skerry.make("skew", side=4)
    with pytest.raises(skerry.OptionsError, match=r"use skew-v0, skirt-v0, x-v0, skaane-v0"):
        game_of("skew-v1")


@pytest.mark.parametrize("name", IDS)
class TestPettingZoo:
    def test_api(self, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        with warnings.catch_warnings():
            # Small boards: games end before PettingZoo has seen enough of them, which it says.
            warnings.simplefilter("ignore")
            api_test(turns(name, **SMALLEST[name]), num_cycles=200)
        assert "Passed API test" in capsys.readouterr().out

    def test_seeds(self, name: str) -> None:
        seed_test(lambda: turns(name, **SMALLEST[name]), num_cycles=60)

    def test_rendering(self, name: str) -> None:
        render_test(lambda render_mode=None: turns(name, render_mode, **SMALLEST[name]))

    def test_states(self, name: str) -> None:
        env = turns(name, **SMALLEST[name])
        state_test(env, turn_based_aec_to_parallel(turns(name, **SMALLEST[name])))
        env.reset(seed=1)
        planes = env.state()
        assert np.array_equal(planes[: -env.game.num_seats], env.observe("player_0")["observation"])
        env.step(int(np.flatnonzero(env.observe("player_0")["action_mask"])[0]))
        after = env.state()
        mover = env.possible_agents.index(env.agent_selection)
        turn = [plane.all() for plane in after[-env.game.num_seats :]]
        assert turn == [seat == mover for seat in range(env.game.num_seats)]
        assert not np.array_equal(planes, after)

    def test_agents_are_the_seats(self, name: str) -> None:
        env = turns(name, **SMALLEST[name])
        env.reset(seed=1)
        total = dict.fromkeys(env.possible_agents, 0.0)
        chooser = np.random.default_rng(1)
        for agent in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            total[agent] += reward
            legal = np.flatnonzero(seen["action_mask"])
            env.step(None if over else int(chooser.choice(legal)))
        assert len(total) == env.game.num_seats
        assert sum(total.values()) == pytest.approx(0)


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_gymnasium(name: str, seat: int | None) -> None:
    env = gymnasium.make(f"skerry/{name}", opponent="random", seat=seat, **SMALLEST[name])
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_checks_how_boards_are_drawn(name: str) -> None:
    for mode in ("ansi", "rgb_array"):
        env = gymnasium.make(
            f"skerry/{name}", opponent="random", render_mode=mode, **SMALLEST[name]
        )
        check_env(env.unwrapped)
    env.reset(seed=1)
    pixels = env.render()
    assert (pixels.dtype, pixels.shape[1:]) == (np.uint8, (480, 3))
    assert len(np.unique(pixels)) > 5


def finish(env: Any, chooser: np.random.Generator, steps: int) -> list[Any]:
    """What random actions come to in a vector of environments."""
    seen = []
    _, info = env.reset(seed=3)
    for _ in range(steps):
        legal = map(np.flatnonzero, info["action_mask"])
        actions = [int(chooser.choice(some)) if len(some) else 0 for some in legal]
        planes, rewards, over, cut, info = env.step(np.array(actions))
        seen.append((planes, rewards, over, cut, info["action_mask"], info["seat"]))
    return seen


@pytest.mark.parametrize("mode", list(AutoresetMode)[:2])
@pytest.mark.parametrize(("name", "opponent"), [("x-v0", "random"), ("skaane-v0", "level:1")])
def test_gymnasium_vectors_are_as_many_single_environments(
    name: str, opponent: str, mode: AutoresetMode
) -> None:
    settings = {"opponent": opponent, "seat": None, "random_plies": (0, 3), **SMALLEST[name]}
    ours = gymnasium.make_vec(f"skerry/{name}", 3, autoreset_mode=mode, **settings)
    assert type(ours) is SoloVectorEnv
    theirs = gymnasium.make_vec(
        f"skerry/{name}", 3, "sync", vector_kwargs={"autoreset_mode": mode}, **settings
    )
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    chooser = np.random.default_rng
    pairs = zip(finish(ours, chooser(1), 40), finish(theirs, chooser(1), 40), strict=True)
    for mine, others in pairs:
        for a, b in zip(mine, others, strict=True):
            assert np.array_equal(a, b)


def test_gymnasium_vectors_show_how_games_ended() -> None:
    env = gymnasium.make_vec(
        "skerry/x-v0", 2, opponent="random", with_mask=True, autoreset_mode="SameStep", size=3
    )
    env.reset(seed=1)
    seen, rewards, over, _, info = env.step(np.array([-1, 4]))  # the first is illegal
    assert (over.tolist(), rewards.tolist()) == ([True, False], [-1, 0])
    assert info["_final_obs"].tolist() == [True, False]
    assert info["final_obs"][1] is None
    assert not info["final_obs"][0]["mask"].any()
    assert seen["mask"][0].sum() == 9
    assert env.unwrapped.single_observation_space.contains(info["final_obs"][0])


def test_gymnasium_vectors_begin_again_when_they_are_told_to() -> None:
    env = gymnasium.make_vec(
        "skerry/x-v0", 3, opponent="random", autoreset_mode="Disabled", render_mode="ansi", size=3
    )
    env.reset(seed=1)
    _, _, over, _, info = env.step(np.array([-1, 4, -1]))
    assert over.tolist() == [True, False, True]
    before = env.render()
    mask = np.array([True, False, False])
    _, info = env.reset(options={"reset_mask": mask, "start": "r2/3/3 y"})
    assert info["action_mask"].sum(axis=1).tolist()[1:] == [6, 0]
    assert env.render()[1:] == before[1:]
    assert env.render()[0] != before[0]
    with pytest.raises(skerry.OptionsError, match="use NextStep or SameStep or Disabled"):
        gymnasium.make_vec("skerry/x-v0", 2, autoreset_mode="never")


def test_planes_are_no_images() -> None:
    """Learners divide by 255 what they take for an image."""
    for name in IDS:
        env = gymnasium.make(f"skerry/{name}", opponent="random", **SMALLEST[name])
        space = env.observation_space
        assert space == turns(name, **SMALLEST[name]).observation_space("player_0")["observation"]
        counters = [plane.max() for plane in space.high if plane.max() > 1]
        assert counters == [255] * env.unwrapped.game.has_counter


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_pays_what_the_seat_made_of_it(name: str) -> None:
    env = gymnasium.make(f"skerry/{name}", opponent="level:1", seat=1, **SMALLEST[name])
    for seed in range(3):
        _, info = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            assert reward == 0
            legal = np.flatnonzero(info["action_mask"])
            _, reward, over, _, info = env.step(legal[seed % len(legal)])
        outcome = env.unwrapped._sparring.env.state(0).outcome
        assert reward == outcome.returns[1]


def test_gymnasium_illegal_actions_lose() -> None:
    env = gymnasium.make("skerry/x-v0", opponent="random", size=3)
    env.reset(seed=0)
    _, _, over, _, _ = env.step(4)
    assert not over
    _, reward, over, _, _ = env.step(4)
    assert (reward, over) == (-1, True)


@pytest.mark.parametrize("name", skerry.GAMES)
class TestOpenSpiel:
    def load(self, name: str) -> Any:
        import skerry.rl.openspiel as face  # noqa: PLC0415  # needs pyspiel

        return pyspiel.load_game(face.name_of(name), dict(SMALLEST[f"{name}-v0"]))

    def test_random_simulations(self, name: str) -> None:
        pyspiel.random_sim_test(self.load(name), num_sims=3, serialize=True, verbose=False)

    @pytest.mark.soak  # it imports all games of OpenSpiel
    def test_its_own_simulations(self, name: str) -> None:
        game = self.load(name)
        from open_spiel.python.tests.games_sim_test import GamesSimTest  # noqa: PLC0415

        GamesSimTest("test_breakthrough").sim_game(game)

    def test_games_and_states_can_be_pickled(self, name: str) -> None:
        game = self.load(name)
        state = game.new_initial_state()
        state.apply_action(2 if state.is_chance_node() else state.legal_actions()[1])
        state.apply_action(state.legal_actions()[0])
        again = pickle.loads(pickle.dumps(game))  # noqa: S301  # ours
        assert (str(again), again.game) == (str(game), game.game)
        assert pickle.loads(pickle.dumps(game.get_type())) == game.get_type()  # noqa: S301
        other = pickle.loads(pickle.dumps(state))  # noqa: S301
        assert (other.state, other.history()) == (state.state, state.history())
        assert other.legal_actions() == state.legal_actions()

    def test_lengths_are_told(self, name: str) -> None:
        game = self.load(name)
        assert game.max_game_length() == game.game.most_actions
        assert game.max_chance_nodes_in_history() == game.game.has_chance
        assert game.max_history_length() == game.game.most_actions + game.game.has_chance

    def test_states_are_ours(self, name: str) -> None:
        game = self.load(name)
        state = game.new_initial_state()
        if state.is_chance_node():
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
            state.apply_action(7)
        assert state.state == skerry.make(name, **SMALLEST[f"{name}-v0"]).initial(7)
        while not state.is_terminal():
            text = state.action_to_string(state.legal_actions()[0])
            assert text == str(state.state.legal_moves()[0])
            state.apply_action(state.legal_actions()[-1])
        assert state.returns() == list(state.state.outcome.returns)

    def test_its_search_plays_our_games(self, name: str) -> None:
        from open_spiel.python.algorithms import mcts  # noqa: PLC0415

        game = self.load(name)
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        bot = mcts.MCTSBot(game, 1.0, 20, evaluator, random_state=np.random.RandomState(1))
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(3)
        assert bot.step(state) in state.legal_actions()

    def test_its_environments_learn_from_our_planes(self, name: str) -> None:
        from open_spiel.python import rl_environment  # noqa: PLC0415

        env = rl_environment.Environment(self.load(name))
        step = env.reset()
        shape = skerry.nets.layout.lay_out(skerry.make(name, **SMALLEST[f"{name}-v0"])).shape
        assert env.observation_spec()["info_state"] == (int(np.prod(shape)),)
        while not step.last():
            seat = step.observations["current_player"]
            step = env.step([step.observations["legal_actions"][seat][0]])
        assert sum(step.rewards) == pytest.approx(0)


@settings(max_examples=25)
@given(states())
def test_the_functional_face_branches(state: skerry.State) -> None:
    """The same moment can be left by every action, and stays what it was."""
    env = functional.make(state.game)
    moment = env.init(5)
    start = env.state(moment)
    assert start == state.game.initial(5)
    for action in start.legal_actions()[:5]:
        after = env.step(moment, int(action))
        expected = start.play(int(action))
        assert env.state(after) == expected
        assert after.terminated == expected.is_over
        assert np.array_equal(np.flatnonzero(after.legal_action_mask), expected.legal_actions())
        assert after.observation.shape == env.observation_shape
    assert env.state(moment) == start


@pytest.mark.parametrize("game", SMALL[::3], ids=repr)
def test_the_functional_face_in_batches(game: skerry.Game) -> None:
    env = functional.make(game)
    many = env.init(np.arange(6))
    singles = [env.init(seed) for seed in range(6)]
    for ply in range(30):
        actions = np.array([np.append(np.flatnonzero(m.legal_action_mask), 0)[0] for m in singles])
        many = env.step(many, actions)
        singles = [env.step(m, int(a)) for m, a in zip(singles, actions, strict=True)]
        for name in ("current_player", "legal_action_mask", "rewards", "terminated", "observation"):
            together = np.stack([getattr(m, name) for m in singles])
            assert np.array_equal(getattr(many, name), together), (ply, name)


def test_games_that_are_over_before_the_learner_moves_are_refused() -> None:
    """Every first step of this Skaane is a draw, and the learner has the second."""
    environment = gymnasium.make("skerry/skaane-v0", quiet_limit=1, seat=1, opponent="random")
    with pytest.raises(skerry.OptionsError, match="over before seat 1 had a move"):
        environment.reset(seed=1)


def test_deals_without_a_move_are_paid() -> None:
    options = {"width": 2, "height": 4, "gods": 4, "kings": 0, "serfs": 0, "suns": 0}
    environment = turns("skaane-v0", **options)
    environment.reset(seed=1)
    assert environment.last()[1:3] == (-1.0, True)
    environment.step(None)
    assert environment.last()[1:3] == (1.0, True)
