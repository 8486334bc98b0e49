"""Run with NUMBA_ENABLE_CUDASIM=1: batches on the simulated GPU do what those on the CPU do.

python on_gpu.py SIZE STEPS BATCH GAME..., where SIZE counts the boards that a game suggests, from 0
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import skerry
from skerry.rl import BatchEnv
from skerry.rl.gpu.graphs import DEFAULT_STREAM, Launch, Launches


def record(launch: Launch) -> Callable[[], None]:
    """What a GPU does by a graph: the launch with the arrays of the time when it was recorded."""
    return lambda: launch(DEFAULT_STREAM)


def on_host(array: Any) -> np.ndarray:
    return array if isinstance(array, np.ndarray) else array.copy_to_host()


def same(ours: BatchEnv, theirs: BatchEnv, *pairs: Any) -> None:
    names = ("legal", "to_move", "rewards", "done", "illegal")
    for name in names:
        assert np.array_equal(on_host(getattr(ours, name)), on_host(getattr(theirs, name))), name
    for mine, other in pairs:
        assert np.array_equal(on_host(mine), on_host(other))
    for k in range(ours.batch):
        assert ours.state(k) == theirs.state(k)


def compare(game: skerry.Game, steps: int, batch: int, restart: bool) -> None:
    host = BatchEnv(game, batch, threads=1, auto_reset=restart)
    device = BatchEnv(game, batch, device="cuda", auto_reset=restart)
    device._does.launches = Launches(record)
    for env in (host, device):
        env.reset(4)
    # Two arrays for observations, and actions from here and there, so that arrays take turns.
    planes = [(host.observe(), device.observe()) for _ in range(2)]
    same(host, device, *planes)
    seats = np.random.default_rng(1)
    for step in range(steps):
        mine, other = host.sample(), device.sample()
        assert np.array_equal(mine, on_host(other))
        if step % 3 == 1:
            mine[1] = -1
            other = mine.astype((np.int64, np.int32)[step % 2])
        ours, theirs = planes[step % 2]
        host.step(mine, seen=ours)
        device.step(other, seen=theirs)
        same(host, device, (ours, theirs))
        some = seats.integers(game.num_seats, size=batch, dtype=np.int8)
        for viewers in (step % 2, some, None):
            assert np.array_equal(host.observe(viewers), on_host(device.observe(viewers, theirs)))
        if step % 4 == 3:
            actions = host.sample()
            host.step(actions)
            device.step(device.sample())
            same(host, device)
    same(host, device, (host.playout(), device.playout()))


sys.setswitchinterval(1e-5)  # threads that race should be seen to
size, steps, batch, *names = sys.argv[1:]
for name in names:
    for restart in (True, False):
        board = skerry.make(name).sizes[int(size)]
        compare(skerry.make(name, **board), int(steps), int(batch), restart)
    print(name, "agrees")
