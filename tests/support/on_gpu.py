"""Run with NUMBA_ENABLE_CUDASIM=1: batches on the simulated GPU do what those on the CPU do.

python on_gpu.py SIZE STEPS GAME..., where SIZE counts the boards that a game suggests, from 0
"""

import sys
from typing import Any

import numpy as np

import skerry
from skerry.rl import BatchEnv

BATCH = 5


def on_host(array: Any) -> np.ndarray:
    return array if isinstance(array, np.ndarray) else array.copy_to_host()


def same(ours: BatchEnv, theirs: BatchEnv, *pairs: Any) -> None:
    names = ("legal", "to_move", "rewards", "done", "illegal")
    for name in names:
        assert np.array_equal(on_host(getattr(ours, name)), on_host(getattr(theirs, name))), name
    for mine, other in pairs:
        assert np.array_equal(on_host(mine), on_host(other))
    for k in range(BATCH):
        assert ours.state(k) == theirs.state(k)


def compare(game: skerry.Game, steps: int) -> None:
    host = BatchEnv(game, BATCH, threads=1)
    device = BatchEnv(game, BATCH, device="cuda")
    for env in (host, device):
        env.reset(4)
    ours, theirs = host.observe(), device.observe()
    same(host, device, (ours, theirs))
    for step in range(steps):
        mine, other = host.sample(), device.sample()
        assert np.array_equal(mine, on_host(other))
        if step % 3 == 1:
            mine[1] = -1
            other = mine
        host.step(mine, seen=ours)
        device.step(other, seen=theirs)
        same(host, device, (ours, theirs), (host.observe(1), device.observe(1)))
    same(host, device, (host.playout(), device.playout()))


size, steps, *names = sys.argv[1:]
for name in names:
    compare(skerry.make(name, **skerry.make(name).sizes[int(size)]), int(steps))
    print(name, "agrees")
