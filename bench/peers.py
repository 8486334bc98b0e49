"""Random stepping in other people's batch environments, to measure ourselves against."""

import os
from random import Random
from time import perf_counter
from typing import Any

from skerry.lab.speed import Runner

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # leave room for others


def pgx_hex(batch: int, steps: int) -> Runner:
    """Pgx's hex, masks and auto-reset included: random steps in one compiled loop."""
    import jax  # noqa: PLC0415  # may be missing
    import jax.numpy as jnp  # noqa: PLC0415
    import pgx  # noqa: PLC0415
    from pgx.experimental import auto_reset  # noqa: PLC0415

    env = pgx.make("hex")
    step_one = jax.vmap(auto_reset(env.step, env.init))

    def step(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choosing, resetting = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(choosing, logits)
        return (step_one(state, actions, jax.random.split(resetting, batch)), key), None

    loop = jax.jit(lambda carry: jax.lax.scan(step, carry, None, length=steps)[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    carry = jax.block_until_ready(loop((state, jax.random.PRNGKey(1))))  # compiles

    def run(seed: int) -> float:
        nonlocal carry
        started = perf_counter()
        carry = jax.block_until_ready(loop(carry))
        return batch * steps / (perf_counter() - started)

    return run


def openspiel_vector(name: str, batch: int, steps: int) -> Runner:
    """OpenSpiel's vector environment, with observations, which it always makes."""
    import pyspiel  # noqa: PLC0415  # may be missing
    from open_spiel.python.rl_agent import StepOutput  # noqa: PLC0415
    from open_spiel.python.rl_environment import Environment  # noqa: PLC0415
    from open_spiel.python.vector_env import SyncVectorEnv  # noqa: PLC0415

    game = pyspiel.load_game(name)
    env = SyncVectorEnv([Environment(game) for _ in range(batch)])
    seen = env.reset()
    chooser = Random(0)

    def run(seed: int) -> float:
        nonlocal seen
        started = perf_counter()
        for _ in range(steps):
            chosen = []
            for step in seen:
                legal = step.observations["legal_actions"][step.observations["current_player"]]
                chosen.append(StepOutput(action=chooser.choice(legal), probs=1.0))
            seen, *_ = env.step(chosen, reset_if_done=True)
        return batch * steps / (perf_counter() - started)

    return run
