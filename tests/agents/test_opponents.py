"""Players of others as opponents of Gymnasium's learners."""

from pathlib import Path
from typing import Any

import pytest

import skerry
from skerry.rl.gymnasium import SoloEnv
from support.bots import Broken, Last, write_bot

OPTIONS: dict[str, Any] = {"size": 3}


def play_on(env: SoloEnv) -> tuple[float, dict[str, Any]]:
    """Play the first legal action until a game is over."""
    _, info = env.reset(seed=1)
    while True:
        action = int(info["action_mask"].argmax())
        _, reward, done, _, info = env.step(action)
        if done:
            return reward, info


@pytest.mark.parametrize("seat", [0, 1])
def test_objects_and_programs(tmp_path: Path, seat: int) -> None:
    bot = f"cmd:{write_bot(tmp_path, 'go) for move in $moves; do :; done; echo $move;;')}"
    told = []
    for opponent in (Last(), bot):
        env = SoloEnv("x-v0", opponent, seat, **OPTIONS)
        told.append(play_on(env)[0])
        assert play_on(env)[1].get("forfeit") is None
        env.close()
    assert told[0] == told[1]


def test_an_opponent_that_forfeits_loses() -> None:
    env = SoloEnv("skew-v0", Broken(ValueError("no idea"), after=1), side=3, pegs=4)
    reward, info = play_on(env)
    assert reward == 1
    assert info["forfeit"] == "it raised ValueError: no idea"
    env = SoloEnv("skew-v0", Broken(ValueError("no idea")), seat=1, side=3, pegs=4)
    with pytest.raises(skerry.OptionsError, match="has no first move to make: it raised"):
        env.reset(seed=1)
