"""Every face passes the tests that its own package brings."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from pettingzoo.test import api_test, render_test, seed_test

import skerry
import skerry.rl.gymnasium  # registers the environments
from skerry.rl import functional
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
def test_gymnasium_pays_what_the_seat_made_of_it(name: str) -> None:
    env = gymnasium.make(f"skerry/{name}", opponent="level:1", seat=1, **SMALLEST[name])
    for seed in range(3):
        _, info = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            assert reward == 0
            legal = np.flatnonzero(info["action_mask"])
            _, reward, over, _, info = env.step(legal[seed % len(legal)])
        outcome = env.unwrapped._batch.state(0).outcome
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
