"""Batches that begin anywhere, beside single states to which the same is done.

python roaming.py STEPS BATCH GAME... with NUMBA_ENABLE_CUDASIM=1 does it on the simulated GPU too.
"""

import pickle
import sys
from typing import Any

import numpy as np

import skerry
from skerry.rl import BatchEnv

Singles = list[skerry.State]


def on_host(array: Any) -> np.ndarray:
    return array if isinstance(array, np.ndarray) else array.copy_to_host()


class Roamer:
    """Does the same at random to batches and to single states, and compares them."""

    def __init__(self, envs: list[BatchEnv], seed: int) -> None:
        self.envs, self.game, self.batch = envs, envs[0].game, envs[0].batch
        self.restart = envs[0].auto_reset
        self.chooser = np.random.default_rng(seed)
        for env in envs:
            env.reset(seed)
        self.singles = [self.game.initial(int(k)) for k in envs[0].seeds]
        self.rewards = np.zeros((self.batch, self.game.num_seats), np.float32)
        self.done = np.zeros(self.batch, np.bool_)
        self.pay(range(self.batch))
        self.compare()

    def pay(self, rows: Any) -> None:
        """What is told of games that begin."""
        for k in rows:
            outcome = None if self.restart else self.singles[k].outcome
            self.rewards[k] = outcome.returns if outcome else 0
            self.done[k] = outcome is not None

    def compare(self) -> None:
        for env in self.envs:
            assert np.array_equal(on_host(env.done), self.done)
            assert np.allclose(on_host(env.rewards), self.rewards)
            assert not on_host(env.illegal).any()
            legal, to_move = on_host(env.legal), on_host(env.to_move)
            for k, state in enumerate(self.singles):
                assert env.state(k) == state
                assert to_move[k] == (-1 if state.to_move is None else state.to_move)
                assert np.array_equal(np.flatnonzero(legal[k]), state.legal_actions())

    def choose(self) -> tuple[Any, np.ndarray]:
        """Some rows, as a mask or as numbers in any order; and as numbers."""
        if self.chooser.integers(2):
            mask = self.chooser.random(self.batch) < 0.5
            return mask, np.flatnonzero(mask)
        count = int(self.chooser.integers(self.batch + 1))
        numbers = self.chooser.permutation(self.batch)[:count]
        return (numbers.tolist() if count % 2 else numbers), numbers

    def step(self) -> None:
        rows, numbers = self.choose()
        actions = np.zeros(self.batch, np.int64)
        for k, state in enumerate(self.singles):
            actions[k] = 0 if state.is_over else self.chooser.choice(state.legal_actions())
        for k in numbers:
            state = self.singles[k]
            if state.is_over and not self.restart:
                self.rewards[k] = 0
                continue
            after = state if state.is_over else state.play(int(actions[k]))
            self.done[k] = after.is_over
            self.rewards[k] = after.outcome.returns if after.outcome else 0
            self.singles[k] = after
        whole = isinstance(rows, np.ndarray) and rows.dtype == np.bool_ and len(numbers) % 2 == 0
        for env in self.envs:
            planes = env.observe()
            chosen = env._does.cuda.to_device(rows) if env.device == "cuda" and whole else rows
            env.step(actions if whole else actions[numbers], seen=planes, rows=chosen)
            assert np.array_equal(on_host(planes), on_host(env.observe()))
        for k in numbers:
            if self.restart and self.done[k]:  # the next deal comes from the batch
                self.singles[k] = self.envs[0].state(int(k))

    def reset(self) -> None:
        rows, numbers = self.choose()
        seed = int(self.chooser.integers(99))
        for env in self.envs:
            before = env.seeds.copy()
            env.reset(seed, rows=rows)
            assert np.array_equal(np.delete(env.seeds, numbers), np.delete(before, numbers))
        for k in numbers:
            self.singles[k] = self.game.initial(int(self.envs[-1].seeds[k]))
        self.pay(numbers)

    def start(self) -> None:
        """Begin somewhere in the middle of a game, or at its end."""
        rows, numbers = self.choose()
        starts: list[Any] = []
        for k in numbers:
            state = self.game.initial(int(k))
            for _ in range(int(self.chooser.integers(40))):
                if not state.is_over:
                    state = state.play(int(self.chooser.choice(state.legal_actions())))
            starts.append(state.position if k % 2 else state)
            self.singles[k] = state
        for env in self.envs:
            env.reset(1, starts=starts, rows=rows)
        self.pay(numbers)

    def copy(self) -> None:
        _, numbers = self.choose()
        if self.chooser.integers(2):
            source: Any = int(self.chooser.integers(self.batch))
            origins = [source] * len(numbers)
        else:
            source = origins = self.chooser.integers(self.batch, size=len(numbers))
        for env in self.envs:
            env.copy(source, numbers)
        singles = [self.singles[k] for k in origins]
        for k, state in zip(numbers, singles, strict=True):
            self.singles[k] = state
        self.rewards[numbers], self.done[numbers] = self.rewards[origins], self.done[origins]

    def go_back(self) -> None:
        """Save some games, go on, and restore them: in the batch of another device."""
        rows, numbers = self.choose()
        snapshots = [env.save(rows) for env in self.envs]
        before = self.singles[:], self.rewards.copy(), self.done.copy()
        drawn = [on_host(env.sample())[numbers] for env in self.envs]
        self.step()
        self.compare()
        for env, snapshot in zip(self.envs, reversed(snapshots), strict=True):
            kept = pickle.loads(pickle.dumps(snapshot)) if len(numbers) % 2 else snapshot  # noqa: S301  # ours
            env.restore(kept, rows)
        for k in numbers:
            self.singles[k] = before[0][k]
            self.rewards[k], self.done[k] = before[1][k], before[2][k]
        for env, actions in zip(self.envs, drawn, strict=True):
            assert np.array_equal(on_host(env.sample())[numbers], actions)

    def roam(self, steps: int) -> None:
        everything = (self.step, self.reset, self.start, self.copy, self.go_back)
        for n in range(steps):
            everything[n % len(everything)]()
            self.compare()


def compare_openings(envs: list[BatchEnv]) -> None:
    """Random openings are the same everywhere, also after games have ended."""
    for env in envs:
        env.reset(3)
    for _ in range(2):
        for env in envs:
            env.reset(rows=[1])
            env.step(env.sample(), seen=env.observe())
            env.step(env.sample())
            env.playout()
        for name in ("legal", "to_move", "rewards", "done"):
            first, *others = (on_host(getattr(env, name)) for env in envs)
            assert all(np.array_equal(first, other) for other in others), name
        for k in range(envs[0].batch):
            assert len({env.state(k) for env in envs}) == 1


def main() -> None:
    steps, batch, *names = sys.argv[1:]
    for name in names:
        game = skerry.make(name, **skerry.make(name).sizes[1])
        for restart in (True, False):
            envs = [
                BatchEnv(game, int(batch), device=device, auto_reset=restart)
                for device in ("cpu", "cuda")
            ]
            Roamer(envs, 5).roam(int(steps))
            envs = [
                BatchEnv(game, int(batch), device, restart, random_plies=(1, 9))
                for device in ("cpu", "cuda")
            ]
            compare_openings(envs)
        print(name, "agrees")


if __name__ == "__main__":
    main()
