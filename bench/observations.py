"""Steps with observations on a GPU at the batch that learners use: are they right, and how fast?

    python bench/observations.py --check  # first: some seconds a game, says what works
    python bench/observations.py          # less than a minute on one H200

1. Check: the same games on CPU and GPU, step by step with all that a step may be given: actions of
   the batch itself, from main memory and of torch, illegal ones, observations in words and in
   bytes, viewers of all kinds, with and without auto-reset. Says whether launches were recorded.
2. Identity at the batch that is measured.
3. Speed: random steps with masks, auto-reset and observations, from records (CUDA graphs) and
   without, and with actions in a tensor of torch. Beside it the time that the host takes to hand
   over a step, and what the parts of a step take by themselves.
"""

import argparse
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from gpu import ARRAYS, OBSERVED_WANTED, guarded, on_host, report, require_equal

import skerry
from skerry.rl import BatchEnv
from skerry.rl.gpu.graphs import Launches

BATCH = 1 << 16
STEPS = 12  # that are compared
ROUNDS = 7
CHECKED = (1024, 1003)  # games: in words, and byte by byte in blocks of which the last is not full


def torch_actions(actions: Any) -> Any:
    """Actions as a tensor of torch on the GPU, or None without them."""
    try:
        import torch  # noqa: PLC0415  # may be missing
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    return torch.as_tensor(on_host(actions).astype(np.int64), device="cuda")


def compare_all(what: str, host: BatchEnv, device: BatchEnv, *pairs: Any) -> None:
    for name in ARRAYS:
        require_equal(f"{name} after {what}", getattr(host, name), getattr(device, name))
    for mine, other in pairs:
        require_equal(f"the observation after {what}", mine, other)


def compare(game: skerry.Game, batch: int, restart: bool, steps: int = STEPS) -> BatchEnv:
    """Step the same games on both devices; returns the batch on the GPU."""
    host = BatchEnv(game, batch, auto_reset=restart)
    device = BatchEnv(game, batch, device="cuda", auto_reset=restart)
    ours, theirs = host.observe(), device.observe()
    compare_all("the reset", host, device, (ours, theirs))
    seats = np.random.default_rng(3)
    for step in range(steps):
        mine, other = host.sample(), device.sample()
        require_equal(f"the action of step {step}", mine, other)
        if step % 4 == 1:
            mine[:: batch // 5 + 1] = -1
            other = mine  # from main memory
        elif step % 4 == 2:
            tensor = torch_actions(mine)
            other = other if tensor is None else tensor
        host.step(mine, seen=ours)
        device.step(other, seen=theirs)
        compare_all(f"step {step}", host, device, (ours, theirs))
        some = seats.integers(game.num_seats, size=batch, dtype=np.int8)
        for seat in (step % game.num_seats, some, None):
            require_equal(
                f"the look after {step}", host.observe(seat), device.observe(seat, theirs)
            )
    return device


def check(name: str, game: skerry.Game) -> None:
    for batch in CHECKED:
        for restart in (True, False):
            env = compare(game, batch, restart)
            launches = env._does.launches
            recorded = sum(again is not None for again in launches.kept.values())
            said = launches.failure or f"{recorded} of {len(launches.kept)} launches on record"
            reset = "on" if restart else "off"
            print(f"{name:10}{batch:>8,} games, auto-reset {reset}: equal; {said}", flush=True)
            if launches.failure or not recorded:
                raise AssertionError(f"no launch was recorded: {said}")


def take_time(env: BatchEnv, work: Callable[[], Any], calls: int) -> tuple[float, float]:
    """Microseconds of a call: in all, and until the GPU has been told."""
    sync = env._does.cuda.synchronize
    for _ in range(3):  # compiled, recorded, and then as ever after
        work()
    rounds = []
    for _ in range(ROUNDS):
        sync()
        started = perf_counter()
        for _ in range(calls):
            work()
        told = perf_counter()
        sync()
        rounds.append((perf_counter() - started, told - started))
    return tuple(median(times) * 1e6 / calls for times in zip(*rounds, strict=True))


def measure(name: str, game: skerry.Game, batch: int, calls: int) -> None:
    env = BatchEnv(game, batch, device="cuda")
    planes = env.observe()

    def row(what: str, work: Callable[[], Any], wanted: float = 0) -> None:
        times = guarded(f"{what} of {name}", lambda: take_time(env, work, calls))
        if times:
            speed = batch / times[0] / 1e3
            verdict = "" if not wanted else ("ok" if speed * 1e9 >= wanted else "BELOW")
            print(
                f"{name:10}{what:32}{times[0]:10.1f}{times[1]:10.1f}{speed:12.3f}"
                f"{f'{wanted / 1e9:g}' if wanted else '':>8}  {verdict}",
                flush=True,
            )

    def roll() -> None:
        env.step(env.sample(), planes)

    for _ in range(calls):  # spreads the games over all their phases
        roll()
    row("steps with observations", roll, OBSERVED_WANTED)
    row("  sample", env.sample)
    fixed = env.sample()
    row("  step, unseen", lambda: env.step(fixed))
    row("  step, seen", lambda: env.step(fixed, planes))
    row("  observe", lambda: env.observe(out=planes))
    tensor = torch_actions(fixed)
    if tensor is not None:
        row("  step, seen, by torch", lambda: env.step(tensor, planes))
        row("  step, seen, by new tensors", lambda: env.step(tensor + 0, planes))
    env._does.launches = Launches(None)
    row("  the whole without graphs", roll)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=skerry.GAMES)
    parser.add_argument("--check", action="store_true", help="check only, on small batches")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--calls", type=int, default=200, help="in each of seven rounds")
    chosen = parser.parse_args()
    games = {name: skerry.make(name) for name in chosen.games}
    if chosen.check:
        for name, game in games.items():
            guarded(f"check of {name}", lambda name=name, game=game: check(name, game))
        return report()
    for name, game in games.items():
        started = perf_counter()
        if guarded(f"identity of {name}", lambda game=game: compare(game, chosen.batch, True, 4)):
            took = perf_counter() - started
            print(
                f"{name:10}{chosen.batch:,} games x 4 steps: all equal ({took:.1f} s)", flush=True
            )
    print(f"\n{'game':10}{f'batch {chosen.batch:,}':32}{'us':>10}{'host us':>10}", end="")
    print(f"{'G steps/s':>12}{'wanted':>8}", flush=True)
    for name, game in games.items():
        guarded(
            f"speed of {name}",
            lambda name=name, game=game: measure(name, game, chosen.batch, chosen.calls),
        )
    return report()


if __name__ == "__main__":
    sys.exit(main())
