"""How many positions nets look at in a second on one core, and the product of matrices below that.

python bench/looks.py
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

from collections.abc import Callable
from time import perf_counter

import numpy as np

import skerry
from skerry.nets import forward
from skerry.nets.matrices import multiply, pack
from skerry.nets.shipped import shipped_net
from skerry.rl import BatchEnv

TRIES = 50


def best_time(run: Callable[[], object]) -> float:
    """The shortest time of several, since machines are noisy."""
    run()
    times = []
    for _ in range(TRIES):
        began = perf_counter()
        run()
        times.append(perf_counter() - began)
    return min(times)


def measure_products() -> None:
    rng = np.random.default_rng(0)
    a = rng.standard_normal((72, 64)).astype(np.float32)
    w = rng.standard_normal((64, 64)).astype(np.float32)
    packed, out = pack(w), np.zeros_like(a)
    products = 100 * a.size * w.shape[1]

    def ours() -> None:
        for _ in range(100):
            multiply(a, packed, out, len(a))

    def theirs() -> None:
        for _ in range(100):
            np.matmul(a, w, out=out)

    for name, run in (("skerry", ours), ("NumPy", theirs)):
        print(f"{name}: {products / best_time(run) / 1e9:.1f} G products/s")


def measure_looks(name: str) -> None:
    game = skerry.make(name)
    net = shipped_net(game)
    ground = forward.survey(game)
    weights = forward.unpack(net, ground.size)
    desk = forward.set_up(weights, ground)
    env = BatchEnv(game, forward.AT_ONCE)
    for _ in range(8):
        env.step(env.sample())
    states = [env.state(k) for k in range(forward.AT_ONCE)]
    codes = np.array([state.codes for state in states])
    seats = np.array([state.turn for state in states])
    counters = np.array([state.counter for state in states])
    strangers = np.zeros(len(states), np.int64)
    logits = np.zeros((len(states), game.num_actions), np.float32)
    outlooks = np.zeros((len(states), game.num_seats + 1), np.float32)

    def look(count: int) -> float:
        asked = codes, seats, counters, strangers
        parts = (part[:count] for part in (*asked, logits, outlooks))
        arguments = (weights, ground, desk, *parts)
        return count / best_time(lambda: forward.evaluate(*arguments))

    print(f"{game.title}: {look(1):,.0f} positions/s one at a time, {look(len(states)):,.0f} eight")


if __name__ == "__main__":
    measure_products()
    for game in skerry.GAMES:
        measure_looks(game)
