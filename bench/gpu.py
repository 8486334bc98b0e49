"""Batches on a GPU: do they do exactly what the CPU does, and how fast?

    pip install 'skerry[cuda]'            # and, to compare: pip install pgx 'jax[cuda12]'
    python bench/gpu.py                   # about three minutes on one H200

1. Identity: a million games of each kind on CPU and GPU from the same seeds, step by step and
   played out; masks, seats, rewards, ends, random actions and observations have to be equal.
2. Sharing: torch, JAX and CuPy, where they are installed, take arrays without a copy.
3. Speed: random stepping with masks and auto-reset, observations off and on, and random games.
   ``bench/observations.py`` looks closer at observations, in less than a minute.
4. The same for Pgx's hex, in the same run.

Every part is guarded: what fails is printed with its traceback, and the rest goes on. The exit code
is 1 if anything failed. A ratio to Pgx needs JAX on the GPU.
"""

import argparse
import sys
import traceback
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

import numpy as np
import peers

import skerry
from skerry.rl import BatchEnv

ARRAYS = ("legal", "to_move", "rewards", "done", "illegal")
STEPS_WANTED = 1e9
OBSERVED_WANTED = 0.5e9  # at batch 65,536
RATIO_WANTED = 8
PLAYOUTS_WANTED = {"x": 20e9}  # elsewhere:
PLAYOUTS_WANTED_ELSEWHERE = 3e9
MEASURED_SECONDS = 0.7
BATCHES = [1, 1 << 10, 1 << 16, 1 << 20, 1 << 21]
failures: list[str] = []


def guarded(what: str, work: Callable[[], Any]) -> Any:
    """Do some work; if it fails, say how and go on."""
    started = perf_counter()
    try:
        result = work()
    except Exception:  # this is what the script is for
        failures.append(what)
        print(f"\n!!! {what} FAILED after {perf_counter() - started:.1f} s", flush=True)
        traceback.print_exc(limit=-12)
        return None
    return result


def on_host(array: Any) -> Any:
    return array if isinstance(array, np.ndarray) else array.copy_to_host()


def require_equal(what: str, host: Any, device: Any) -> None:
    mine, other = on_host(host), on_host(device)
    if not np.array_equal(mine, other):
        wrong = np.flatnonzero((mine != other).reshape(len(mine), -1).any(axis=1))
        raise AssertionError(
            f"{what} differs in {len(wrong)} of {len(mine)} games, first in game {wrong[0]}: "
            f"{mine[wrong[0]]} on the CPU, {other[wrong[0]]} on the GPU"
        )


def check_identity(game: skerry.Game, batch: int, steps: int) -> str:
    """The same games on both devices; what was compared, in words."""
    host, device = BatchEnv(game, batch), BatchEnv(game, batch, device="cuda")
    for env in (host, device):
        env.reset(12345)
    ended = 0
    for step in range(steps):
        mine, other = host.sample(), device.sample()
        require_equal(f"the action of step {step}", mine, other)
        host.step(mine)
        device.step(other)
        ended += int(host.done.sum())
        if step % 8 == 0 or step == steps - 1:
            for name in ARRAYS:
                require_equal(
                    f"{name} after step {step}", getattr(host, name), getattr(device, name)
                )
    plies = host.playout()
    require_equal("the length of games", plies, device.playout())
    for name in ARRAYS:
        require_equal(f"{name} after the playouts", getattr(host, name), getattr(device, name))
    few_host = BatchEnv(game, min(batch, 1 << 16))
    few_device = BatchEnv(game, few_host.batch, device="cuda")
    for _ in range(min(steps, 20)):
        few_host.step(few_host.sample())
        few_device.step(few_device.sample())
    require_equal("the observation", few_host.observe(), few_device.observe())
    return (
        f"{batch:,} games x {steps} steps ({ended:,} ended on the way), then {int(plies.sum()):,} "
        f"plies to the end, and {few_host.batch:,} observations: all equal"
    )


def share(env: BatchEnv) -> Iterable[str]:
    """Who takes our arrays without a copy."""
    pointer = env.legal.__cuda_array_interface__["data"][0]

    def torch_pointer() -> int:
        import torch  # noqa: PLC0415

        return int(torch.as_tensor(env.legal, device="cuda").data_ptr())

    def jax_pointer() -> int:
        import jax.numpy as jnp  # noqa: PLC0415

        return int(jnp.asarray(env.legal, copy=False).unsafe_buffer_pointer())

    def cupy_pointer() -> int:
        import cupy  # noqa: PLC0415

        return int(cupy.asarray(env.legal).data.ptr)

    for name, find in (("torch", torch_pointer), ("jax", jax_pointer), ("cupy", cupy_pointer)):
        try:
            yield f"{name}: {'no copy' if find() == pointer else 'a copy was made'}"
        except ImportError:
            yield f"{name}: not installed"
        except Exception as error:  # a GPU library may fail in its own ways
            yield f"{name}: {type(error).__name__}: {error}"


def measure(env: BatchEnv, work: Callable[[], Any]) -> float:
    """How often per second some work is done, over about MEASURED_SECONDS."""
    sync = env._does.cuda.synchronize
    for _ in range(3):  # compiled, recorded, and then as ever after
        work()
    sync()
    started = perf_counter()
    work()
    sync()
    times = max(1, min(2000, int(MEASURED_SECONDS / max(perf_counter() - started, 1e-6))))
    started = perf_counter()
    for _ in range(times):
        work()
    sync()
    return times / (perf_counter() - started)


def measure_stepping(game: skerry.Game, batch: int, observed: bool) -> float:
    env = BatchEnv(game, batch, device="cuda")
    planes = env.observe() if observed else None

    def step() -> None:
        env.step(env.sample(), seen=planes)

    for _ in range(100):  # spreads the games over all their phases
        step()
    return batch * measure(env, step)


def measure_playouts(game: skerry.Game, batch: int) -> float:
    env = BatchEnv(game, batch, device="cuda")
    plies = float(np.mean(on_host(env.playout())))
    return batch * plies * measure(env, env.playout)


def row(name: str, what: str, batch: int, speed: float | None, wanted: float) -> None:
    if speed is not None:
        verdict = "" if not wanted else ("ok" if speed >= wanted else "BELOW")
        shown = f"{speed / 1e9:.3f} G/s" if speed >= 1e8 else f"{speed / 1e6:.3f} M/s"
        print(
            f"{name:10}{what:28}{batch:>10,}{shown:>16}"
            f"{f'{wanted / 1e9:g} G/s' if wanted else '':>10}  {verdict}",
            flush=True,
        )


def compare_devices(games: dict[str, skerry.Game], batch: int, steps: int) -> None:
    print("== identity of CPU and GPU", flush=True)
    for name, game in games.items():
        started = perf_counter()
        said = guarded(f"identity of {name}", lambda game=game: check_identity(game, batch, steps))
        if said:
            print(f"{name:10}{said} ({perf_counter() - started:.1f} s)", flush=True)


def print_speeds(games: dict[str, skerry.Game], batches: list[int]) -> dict[str, float]:
    """Measure everything; the best stepping of each game."""
    print("\n== speed (wanted: 1 G steps/s; 20 G plies/s in playouts of X, 3 G elsewhere)")
    print(f"{'game':10}{'what':28}{'batch':>10}{'speed':>16}{'wanted':>10}", flush=True)
    best: dict[str, float] = {}
    for name, game in games.items():
        for batch in batches:
            speed = guarded(
                f"stepping {name}, batch {batch}",
                lambda game=game, batch=batch: measure_stepping(game, batch, observed=False),
            )
            row(name, "steps", batch, speed, STEPS_WANTED)
            best[name] = max(best.get(name, 0.0), speed or 0.0)
        middle = batches[len(batches) // 2]
        speed = guarded(
            f"stepping {name} with observations",
            lambda game=game, batch=middle: measure_stepping(game, batch, observed=True),
        )
        row(name, "steps with observations", middle, speed, OBSERVED_WANTED)
        wanted = PLAYOUTS_WANTED.get(name, PLAYOUTS_WANTED_ELSEWHERE)
        for batch in batches[-2:]:
            speed = guarded(
                f"playouts of {name}, batch {batch}",
                lambda game=game, batch=batch: measure_playouts(game, batch),
            )
            row(name, "plies in playouts", batch, speed, wanted)
    return best


def print_ratios(ours: dict[str, float]) -> None:
    print("\n== Pgx hex on the same machine", flush=True)
    theirs = 0.0
    for batch in (1 << 14, 1 << 17):
        try:
            run = peers.pgx_hex(batch, 100)
            theirs = max(theirs, *(run(seed) for seed in range(3)))
            print(f"batch {batch:,}: {theirs / 1e9:.3f} G steps/s at best", flush=True)
        except ImportError as error:
            print(f"left out: {error}")
            return
        except Exception:  # JAX may lack a GPU or memory; the rest stands
            traceback.print_exc(limit=-3)
    if theirs:
        import jax  # noqa: PLC0415  # it is there by now

        print(f"JAX ran on {jax.devices()[0]}")
        for name, speed in ours.items():
            print(f"{name:10} ratio {speed / theirs:8.1f}   wanted {RATIO_WANTED}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=skerry.GAMES)
    parser.add_argument("--identity", type=int, default=1_000_000, help="games to compare")
    parser.add_argument("--steps", type=int, default=40, help="steps to compare")
    parser.add_argument("--batch", type=int, nargs="+", default=BATCHES)
    parser.add_argument("--no-speed", action="store_true", help="compare CPU and GPU only")
    parser.add_argument("--no-peers", action="store_true", help="leave out Pgx")
    chosen = parser.parse_args()
    games = {name: skerry.make(name) for name in chosen.games}
    compare_devices(games, chosen.identity, chosen.steps)
    if not chosen.no_speed:
        print("\n== arrays taken by others", flush=True)
        first = next(iter(games.values()))
        said = guarded("sharing", lambda: list(share(BatchEnv(first, 8, device="cuda"))))
        print("\n".join(said or ()), flush=True)
        best = print_speeds(games, chosen.batch)
        if not chosen.no_peers:
            guarded("the peers", lambda: print_ratios(best))
    return report()


def report() -> int:
    print(f"\n{'FAILED: ' + '; '.join(failures) if failures else 'nothing failed'}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
