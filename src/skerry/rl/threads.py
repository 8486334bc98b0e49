"""A batch on the CPU: NumPy arrays, cut into slices that threads work on at the same time."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core import stepping
from skerry.core.game import Game
from skerry.core.stepping import AllMarks, Flags, Masks, Rewards, Seats
from skerry.rl.planes import Layout

SLICE = 2048  # games that are worth a thread of their own


class Threads:
    """The arrays of a batch in main memory and what may be done to them."""

    def __init__(self, game: Game, batch: int, layout: Layout, restart: bool, threads: int | None):
        self.game, self.layout, self.restart = game, layout, restart
        self.states = np.zeros(batch, game.dtype)
        self.blank = np.zeros(1, game.dtype)
        self.rngs = np.zeros(batch, np.uint64)
        self.choosers = np.zeros(batch, np.uint64)
        words = -(-game.num_actions // stepping.MARK_BITS)
        self.marks = np.zeros((batch, words), np.uint32)
        self.masks = np.zeros((batch, words * stepping.MARK_BITS // 8), np.uint64)
        self.legal = self.masks.view(np.bool_)[:, : game.num_actions]
        self.to_move = np.zeros(batch, np.int8)
        self.rewards = np.zeros((batch, game.num_seats), np.float32)
        self.done = np.zeros(batch, np.bool_)
        self.illegal = np.zeros(batch, np.bool_)
        wanted = (os.cpu_count() or 1) if threads is None else threads
        parts = max(1, min(wanted, batch if threads else batch // SLICE))
        bounds = np.linspace(0, batch, parts + 1).astype(int)
        self.slices = [slice(a, b) for a, b in pairwise(bounds)]
        self.scratch = np.zeros((parts, game.num_actions), np.int32)
        self.cells = np.zeros((parts, len(game.board)), np.uint8)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self.slices), "skerry-batch")

    def _on_all(self, work: Callable[[int, slice], None]) -> None:
        """Do some work on every slice, given by its number and bounds."""
        if len(self.slices) == 1:
            work(0, self.slices[0])
        else:
            for _ in self._pool.map(work, range(len(self.slices)), self.slices):
                pass

    def _told(self, part: slice) -> tuple[AllMarks, Masks, Seats, Rewards, Flags, Flags]:
        """What is told of the games of a slice."""
        return (
            self.marks[part],
            self.masks[part],
            self.to_move[part],
            self.rewards[part],
            self.done[part],
            self.illegal[part],
        )

    def reset(self, seeds: NDArray[np.int64]) -> None:
        def work(n: int, part: slice) -> None:
            stepping.reset_all(
                self.game.tables,
                self.states[part],
                self.blank,
                seeds[part],
                self.restart,
                self.rngs[part],
                self.choosers[part],
                *self._told(part),
                self.scratch[n],
            )

        self._on_all(work)

    def step(self, actions: Any) -> None:
        chosen = np.ascontiguousarray(actions)

        def work(n: int, part: slice) -> None:
            stepping.step_all(
                self.game.tables,
                self.states[part],
                self.blank,
                chosen[part],
                self.restart,
                self.rngs[part],
                *self._told(part),
                self.scratch[n],
            )

        self._on_all(work)

    def sample(self) -> NDArray[np.int32]:
        actions = np.empty(len(self.states), np.int32)

        def work(n: int, part: slice) -> None:
            stepping.choose_all(self.marks[part], self.choosers[part], actions[part])

        self._on_all(work)
        return actions

    def playout(self) -> NDArray[np.int32]:
        plies = np.empty(len(self.states), np.int32)

        def work(n: int, part: slice) -> None:
            stepping.play_out_all(
                self.game.tables,
                self.states[part],
                self.blank,
                self.restart,
                self.rngs[part],
                self.choosers[part],
                *self._told(part),
                self.scratch[n],
                plies[part],
            )

        self._on_all(work)
        return plies

    def observe(self, viewers: Any, out: Any = None) -> NDArray[np.uint8]:
        layout = self.layout
        if out is None:
            out = np.empty((len(self.states), *layout.shape), np.uint8)
        flat = out.reshape(len(self.states), -1)

        def work(n: int, part: slice) -> None:
            stepping.show_all(
                self.game.tables,
                self.states[part],
                viewers[part],
                self.game.num_seats,
                layout.start_of,
                layout.place_of,
                layout.board,
                layout.counter,
                self.cells[n],
                flat[part],
            )

        self._on_all(work)
        return out  # type: ignore[no-any-return]

    def record(self, k: int) -> NDArray[np.void]:
        """A copy of one game's record, [1]."""
        return self.states[k : k + 1].copy()
