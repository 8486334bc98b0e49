"""Random stepping through BatchEnv on the CPU beside Pgx and OpenSpiel, in one run.

    pip install 'skerry[rl]' pgx
    JAX_PLATFORMS=cpu python bench/rl.py

Masks and auto-reset are included; observations are off and on. The peers take turns with us, round
by round, and the ratio is the median of the rounds. A peer that is not installed is left out.
"""

import argparse
import os
import traceback
from collections.abc import Callable
from time import perf_counter

import peers

import skerry
from skerry.lab.peers import PEERS
from skerry.lab.speed import Runner, compare
from skerry.rl import BatchEnv

WANTED = 10


def stepping_of(game: skerry.Game, batch: int, steps: int, observed: bool) -> Runner:
    """A function that makes random steps and returns how many per second."""
    env = BatchEnv(game, batch)
    planes = env.observe()
    for _ in range(50):  # compiles, and spreads the games over all their phases
        env.step(env.sample())

    def run(seed: int) -> float:
        started = perf_counter()
        for _ in range(steps):
            env.step(env.sample(), seen=planes if observed else None)
        return batch * steps / (perf_counter() - started)

    return run


def attempt(what: str, make: Callable[[], Runner]) -> Runner | None:
    try:
        return make()
    except Exception:  # whatever keeps a peer from running, the rest is measured
        print(f"{what} is left out:")
        traceback.print_exc(limit=1)
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=skerry.GAMES)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=100, help="in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-peers", action="store_true")
    chosen = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f}, batch {chosen.batch}, observations off and on")
    pgx = None
    if not chosen.no_peers:
        pgx = attempt("Pgx", lambda: peers.pgx_hex(chosen.batch, chosen.steps))
    head = f"{'game':10}{'seen':>5}{'steps/s':>14}  {'peer':36}{'steps/s':>12}"
    print(f"{head}{'ratio':>9}{'wanted':>8}")
    for name in chosen.games:
        game = skerry.make(name)
        rivals = {"pgx hex": pgx}
        if not chosen.no_peers and name in PEERS:
            peer = PEERS[name].name
            rivals[f"open_spiel {peer}"] = attempt(
                f"OpenSpiel's {peer}", lambda peer=peer: peers.openspiel_vector(peer, 256, 4)
            )
        for observed in (False, True):
            run = stepping_of(game, chosen.batch, chosen.steps, observed)
            seen = "yes" if observed else "no"
            there = {rival: runner for rival, runner in rivals.items() if runner is not None}
            for rival, runner in there.items():
                done = compare(game, rival, run, runner, chosen.rounds)
                print(
                    f"{name:10}{seen:>5}{done.per_second:14,.0f}  {rival:36}"
                    f"{done.peer_per_second:12,.0f}{done.ratio:9.1f}{WANTED:8}",
                    flush=True,
                )
            if not there:
                best = max(run(seed) for seed in range(chosen.rounds))
                print(f"{name:10}{seen:>5}{best:14,.0f}", flush=True)


if __name__ == "__main__":
    main()
