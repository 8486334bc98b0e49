"""Trees that a net judges: what they try, what they come to, and that GPUs do the same."""

from pathlib import Path

import numpy as np
import pytest
import torch

import skerry
from skerry.train.forest import Forest
from skerry.train.gumbel import plan_visits
from skerry.train.tree import UNTOLD, Pact, unite
from support.repeating import some_of
from support.running import run_simulated

SCRIPT = Path(__file__).parents[1] / "support" / "forest_on_gpu.py"
BENCH = Path(__file__).parents[2] / "bench" / "selfplay.py"
BATCH, SIMULATIONS = 24, 64
# Three seats, and draws: what else games have is tried in the other two as well.
NAMES = some_of(skerry.GAMES, ["x"])


def think(forest: Forest) -> None:
    """Search with a net that knows nothing."""
    game = forest.game
    logits = torch.zeros(forest.batch, game.num_actions)
    outlooks = torch.full((forest.batch, game.num_seats + 1), 1 / (game.num_seats + 1))
    forest.plant()
    for number in range(forest.simulations + 1):
        forest.simulate(number, logits, outlooks)
    forest.conclude(logits)


def small(name: str, size: int = 1) -> skerry.Game:
    return skerry.make(name, **skerry.make(name).sizes[size])


@pytest.mark.parametrize("simulations", [1, 2, 7, 16, 100])
def test_halving_always_finds_an_action_with_the_visits_it_asks_for(simulations: int) -> None:
    for actions, row in enumerate(plan_visits(16, simulations)[1:], 1):
        visits = [0] * actions
        for wanted in row.tolist():
            visits[visits.index(wanted)] += 1
        assert sum(visits) == simulations
        assert max(visits[actions // 2 + 1 :], default=0) <= max(visits[:2])


@pytest.mark.parametrize("name", NAMES)
def test_it_takes_a_win_that_lies_before_it(name: str) -> None:
    """By the rules as ``State`` plays them, in positions of games between random players."""
    forest = Forest(small(name), BATCH, SIMULATIONS, seed=1)
    met = 0
    for _ in range(8):
        think(forest)
        for k in range(BATCH):
            state = forest.state(k)
            legal = state.legal_actions().tolist()
            wins = [action for action in legal if wins_at_once(state, action)]
            chances = forest.targets[k]
            assert torch.nonzero(chances >= 0).flatten().tolist() == legal
            assert chances[legal].sum().item() == pytest.approx(1, abs=1e-3)
            assert int(forest.actions[k]) in legal
            if set(wins) & list_kept(forest, k):  # of many actions some are not looked at
                met += 1
                assert forest.worths[k] > 0.9
                if not state.game.turns_of_several_actions:  # where others may win as surely
                    assert int(forest.actions[k]) in wins
                    assert chances[wins].sum() > 0.9
        forest.play()
    assert met > 0


def list_kept(forest: Forest, k: int) -> set[int]:
    """The actions of a root that its tree looks at."""
    root = forest._does.nodes[k, 0]
    return set(root["move"][: root["width"]].tolist())


def wins_at_once(state: skerry.State, action: int) -> bool:
    after = state.play(action)
    return after.outcome is not None and after.outcome.returns[state.turn] == 1


def test_allies_have_what_any_of_them_has() -> None:
    shares = np.array([0.2, 0.5, 0.3], np.float32)
    for _ in range(2):  # an end that is met again is worth the same
        unite(shares, 0b011)
        assert shares.tolist() == pytest.approx([0.7, 0.7, 0.3])
    unite(shares, 0)
    assert shares.tolist() == pytest.approx([0.7, 0.7, 0.3])


@pytest.mark.parametrize("witting", [0b110, 0b111, 0b001])
def test_whoever_knows_of_a_pact_lets_an_ally_win(witting: int) -> None:
    """Where it cannot win at once, but end the game so that somebody else does."""
    forest = Forest(small("x"), BATCH, SIMULATIONS, seed=1, pact=Pact(0b110, witting))
    met = 0
    for _ in range(24):
        think(forest)
        for k in range(BATCH):
            state, chosen = forest.state(k), int(forest.actions[k])
            winners = {a: winner_of(state.play(a)) for a in list_kept(forest, k)}
            ally = {1: 2, 2: 1}.get(state.turn)
            if ally is None or ally not in winners.values() or state.turn in winners.values():
                continue
            met += 1
            if witting >> state.turn & 1:
                assert forest.worths[k] > 0.9
                assert winners[chosen] in (ally, None)  # or the game goes on, as surely won
            elif winners[chosen] == ally:  # it had nothing better
                assert forest.worths[k] < 0.1
        forest.play()
    assert met > 0


def winner_of(state: skerry.State) -> int | None:
    return state.outcome.winner if state.outcome else None


@pytest.mark.parametrize("name", NAMES)
def test_games_end_as_the_rules_say(name: str) -> None:
    forest = Forest(small(name), BATCH, 2, seed=2)
    ended = set()
    for _ in range(60):
        think(forest)
        before = [forest.state(k) for k in range(BATCH)]
        forest.play()
        for k, state in enumerate(before):
            after = state.play(int(forest.actions[k]))
            outcome = int(forest.outcomes[k])
            assert (outcome == UNTOLD) == (not after.is_over)
            if after.outcome is not None:
                returns = after.outcome.returns
                winners = [seat for seat, got in enumerate(returns) if got == max(returns)]
                seats = after.game.num_seats
                assert outcome == (winners[0] if len(winners) == 1 else seats)
                assert forest.finals[:, k].tolist() == after.codes.tolist()
                assert not forest.state(k).is_over  # a new game has begun
                ended.add(outcome)
            else:
                assert forest.state(k) == after
    assert len(ended) >= 2


def test_games_that_are_not_restarted_stay_over() -> None:
    forest = Forest(skerry.make("x", size=2), 8, 4, seed=3)
    for _ in range(6):
        think(forest)
        forest.play(restart=False)
    assert all(forest.state(k).is_over for k in range(8))
    assert forest.outcomes.tolist() == [UNTOLD] * 8


def test_the_same_seed_plays_the_same_games() -> None:
    forests = [Forest(small("skaane"), 8, 8, seed=seed) for seed in (5, 5, 6)]
    for forest in forests:
        for _ in range(4):
            think(forest)
            forest.play()
    first, second, other = ([forest.state(k) for k in range(8)] for forest in forests)
    assert first == second
    assert first != other


@pytest.mark.soak
def test_a_simulated_gpu_grows_the_same_trees() -> None:
    """Every function that a GPU would call is compiled by itself: twenty seconds for each game."""
    done = run_simulated(SCRIPT, *skerry.GAMES)
    assert done.stdout.splitlines() == [f"{name} agrees" for name in skerry.GAMES], done.stderr


@pytest.mark.soak
def test_the_bench_of_self_play_runs() -> None:
    done = run_simulated(BENCH, "x", "--device", "cpu", "--batch", "8")
    assert "simulations/s" in done.stdout, done.stderr
