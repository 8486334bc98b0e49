"""A batch on the CPU: NumPy arrays, cut into slices that threads work on at the same time."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from skerry.core.game import Game
from skerry.nets.layout import Layout
from skerry.rl import seeing, stepping
from skerry.rl.rows import Kept, Numbers
from skerry.rl.stepping import NOBODY, Seats, Told

P = TypeVar("P")

# Games that are worth a thread of their own: in one step, and in a step and a look.
SLICE = 2048
SEEN_SLICE = 512


class Slice(NamedTuple):
    """Some games of a batch, which one thread works on."""

    span: slice  # of what is given for all games that are worked on
    states: NDArray[np.void]
    rngs: NDArray[np.uint64]
    choosers: NDArray[np.uint64]
    told: Told
    scratch: NDArray[np.int32]
    cells: NDArray[np.uint8]

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What is known of the games from step to step."""
        return (self.states, self.rngs, self.choosers, *self.told)


class Threads:
    """The arrays of a batch in main memory and what may be done to them."""

    def __init__(
        self,
        game: Game,
        batch: int,
        layout: Layout,
        restart: bool,
        threads: int | None,
        random_plies: tuple[int, int] = (0, 0),
    ) -> None:
        self.game, self.layout, self.restart, self.threads = game, layout, restart, threads
        self.random_plies = random_plies  # at least, and at most
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
        self.same: dict[int, Seats] = {}  # viewers by the seat that all of them have
        self.whole = self._cut_out(slice(None), slice(batch))
        self.slices = [self._cut_out(part, part) for part in cut(batch, SLICE, threads)]
        self.seen_slices = [self._cut_out(part, part) for part in cut(batch, SEEN_SLICE, threads)]

    def _cut_out(self, part: "slice | Numbers", span: slice) -> Slice:
        """A slice of the games, or copies of some."""
        game = self.game
        return Slice(
            span,
            self.states[part],
            self.rngs[part],
            self.choosers[part],
            (
                self.marks[part],
                self.masks[part],
                self.to_move[part],
                self.rewards[part],
                self.done[part],
                self.illegal[part],
            ),
            np.zeros(game.num_actions, np.int32),
            np.zeros(len(game.board), np.uint8),
        )

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self.seen_slices), "skerry-batch")

    def _on_rows(self, rows: Numbers, work: Callable[[Slice], None]) -> None:
        """Do some work on chosen games, which are copied out and back."""

        def do(span: slice) -> None:
            some = rows[span]
            part = self._cut_out(some, span)
            work(part)
            for whole, piece in zip(self.whole.arrays, part.arrays, strict=True):
                whole[some] = piece

        if len(rows):
            do_all(self._pool, cut(len(rows), SLICE, self.threads), do)

    def reset(self, seeds: NDArray[np.int64], rows: Numbers | None = None) -> None:
        def work(part: Slice) -> None:
            stepping.reset_all(
                self.game.tables,
                part.states,
                self.blank,
                seeds[part.span],
                self.restart,
                part.rngs,
                part.choosers,
                part.told,
                part.scratch,
            )
            self._wander(part, anew=True)

        if rows is None:
            do_all(self._pool, self.slices, work)
        else:
            self._on_rows(rows, work)

    def _wander(self, part: Slice, anew: bool) -> None:
        """Play random actions in games that begin: all, or those that have ended before."""
        least, most = self.random_plies
        if most > 0 and (anew or self.restart):
            stepping.wander_all(
                self.game.tables,
                part.states,
                self.blank,
                least,
                most,
                anew,
                self.restart,
                part.rngs,
                part.told,
                part.scratch,
            )

    def step(self, actions: Any, seen: Any = None, rows: Numbers | None = None) -> None:
        # Of one type, or every other would have the step compiled again.
        chosen = np.ascontiguousarray(actions, np.int64)
        look = None if seen is None else self._looking(NOBODY, seen)

        def work(part: Slice) -> None:
            stepping.step_all(
                self.game.tables,
                part.states,
                self.blank,
                chosen[part.span],
                self.restart,
                part.rngs,
                part.told,
                part.scratch,
            )
            self._wander(part, anew=False)
            if look is not None and rows is None:
                look(part)

        if rows is None:
            do_all(self._pool, self.slices if look is None else self.seen_slices, work)
            return
        self._on_rows(rows, work)
        if look is not None:
            do_all(self._pool, self.seen_slices, look)

    def sample(self) -> NDArray[np.int32]:
        actions = np.empty(len(self.states), np.int32)

        def work(part: Slice) -> None:
            stepping.choose_all(part.told[0], part.choosers, actions[part.span])

        do_all(self._pool, self.slices, work)
        return actions

    def playout(self) -> NDArray[np.int32]:
        plies = np.empty(len(self.states), np.int32)

        def work(part: Slice) -> None:
            stepping.play_out_all(
                self.game.tables,
                part.states,
                self.blank,
                self.restart,
                part.rngs,
                part.choosers,
                part.told,
                part.scratch,
                plies[part.span],
            )
            self._wander(part, anew=False)

        do_all(self._pool, self.slices, work)
        return plies

    def observe(self, viewers: int | Seats, out: Any = None) -> NDArray[np.uint8]:
        if out is None:
            out = np.empty((len(self.states), *self.layout.shape), np.uint8)
        do_all(self._pool, self.slices, self._looking(viewers, out))
        return out  # type: ignore[no-any-return]

    def _looking(self, viewers: int | Seats, out: NDArray[np.uint8]) -> Callable[[Slice], None]:
        """What fills a slice of observations."""
        layout, flat = self.layout, out.reshape(len(self.states), -1)
        if isinstance(viewers, int):
            viewers = self._all_same(viewers)

        def work(part: Slice) -> None:
            seeing.show_all(
                self.game.tables,
                part.states,
                viewers[part.span],
                self.game.num_seats,
                layout.start_of,
                layout.place_of,
                layout.board,
                layout.counter,
                part.cells,
                flat[part.span],
            )

        return work

    def _all_same(self, seat: int) -> Seats:
        """The viewers of a batch that one seat looks at."""
        if seat not in self.same:
            self.same[seat] = np.full(len(self.states), seat, np.int8)
        return self.same[seat]

    def is_there(self, mask: Any) -> bool:
        """Whether a mask of rows is an array on the device; here none is worth a way of its own."""
        return False

    def take(self, rows: Numbers) -> Kept:
        """Copies of chosen games."""
        everything = Kept(
            self.states, self.rngs, self.choosers, self.rewards, self.done, self.illegal
        )
        return everything.copy_some(rows)

    def put(self, kept: Kept, rows: Numbers, whole: bool) -> None:
        """Put games in the place of others; if not whole, without their generators."""

        def work(part: Slice) -> None:
            part.states[:] = kept.records[part.span]
            if whole:
                part.rngs[:] = kept.rngs[part.span]
                part.choosers[:] = kept.choosers[part.span]
            rewards, done, illegal = part.told[3:]
            rewards[:] = kept.rewards[part.span]
            done[:] = kept.done[part.span]
            illegal[:] = kept.illegal[part.span]
            stepping.tell_all(self.game.tables, part.states, part.told, part.scratch)

        self._on_rows(rows, work)

    def record(self, k: int) -> NDArray[np.void]:
        """A copy of one game's record, [1]."""
        return self.states[k : k + 1].copy()


def do_all(pool: ThreadPoolExecutor, parts: Sequence[P], work: Callable[[P], None]) -> None:
    """Do some work on every part; on the first one in this thread."""
    others = [pool.submit(work, part) for part in parts[1:]]
    work(parts[0])
    for other in others:
        other.result()


def cut(batch: int, size: int, threads: int | None) -> list[slice]:
    """A slice for each thread: as many as are asked for, or as there are cores and work."""
    most = min(os.cpu_count() or 1, batch // size) if threads is None else min(threads, batch)
    bounds = np.linspace(0, batch, max(1, most) + 1).astype(int)
    return [slice(a, b) for a, b in pairwise(bounds)]
