"""Kernels for some games of a batch: those that are chosen are changed, and all others stay.

A word of masks may reach into the next game, so that the masks of all games are written again
wherever any is.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from skerry.rl import stepping
from skerry.rl.gpu.kernels import (
    as_callable,
    find_room,
    lay_kernel,
    lay_records,
    lay_work,
    mark_words,
    record_bytes,
)
from skerry.rl.rows import NO_GAME
from skerry.rl.stepping import MARK_BITS


class RowKernels(NamedTuple):
    """What a GPU runs, compiled for games of one layout of records and number of actions."""

    block: int  # threads
    step: Any
    reset: Any
    wander: Any
    take: Any
    put: Any


@lru_cache
def build_rows(dtype: np.dtype[np.void], num_actions: int) -> RowKernels:
    """The kernels; what they keep at hand has to have a fixed size."""
    marked = mark_words(num_actions)
    block, _ = find_room(record_bytes(dtype), marked * MARK_BITS // 8)
    fetch, (tell, begin, play) = lay_records(dtype).fetch, lay_work(dtype, num_actions)
    open_game, wander = as_callable(stepping.open_game), as_callable(stepping.wander)
    device: Any = cuda.jit

    @device(device=True)
    def repeat(marks: Any, k: Any, bits: Any) -> None:
        """What was legal in a game that stays as it is."""
        for i in range(marked):
            bits[i] = marks[i, k]

    def lay_rows(work: Any) -> Any:
        """A kernel that does some work on chosen games."""

        @device(device=True)
        def do(batch: Any, given: Any, k: Any, mine: Any, bits: Any, scratch: Any) -> None:
            rest, chosen = given
            if chosen[k]:
                work(batch, rest, k, mine, bits, scratch)
            else:
                repeat(batch.marks, k, bits)

        return lay_kernel(dtype, num_actions, block, do)

    @device(device=True)
    def roam(batch: Any, plies: Any, k: Any, mine: Any, bits: Any, scratch: Any) -> None:
        least, most, anew = plies
        if not (anew or batch.done[k]):
            repeat(batch.marks, k, bits)
            return
        fetch(batch.games, k, mine)
        held = mine.view(dtype)
        batch.rngs[k] = wander(
            batch.tables[0], held, 0, batch.blank, least, most, batch.rngs[k], scratch
        )
        if anew:
            batch.done[k] = open_game(batch.tables[0], held[0], batch.restart, batch.rewards[k])
        tell(batch, k, mine, bits, scratch)

    @cuda.jit
    def take_rows(batch: Any, rows: Any, kept: Any) -> None:
        n = cuda.grid(1)
        if n < rows.shape[0]:
            k = rows[n]
            for i in range(kept.games.shape[0]):
                kept.games[i, n] = batch.games[i, k]
            for seat in range(batch.rewards.shape[1]):
                kept.rewards[n, seat] = batch.rewards[k, seat]
            kept.rngs[n], kept.choosers[n] = batch.rngs[k], batch.choosers[k]
            kept.done[n], kept.illegal[n] = batch.done[k], batch.illegal[k]

    @device(device=True)
    def put(batch: Any, given: Any, k: Any, mine: Any, bits: Any, scratch: Any) -> None:
        kept, origins, whole = given
        n = origins[k]
        if n == NO_GAME:
            repeat(batch.marks, k, bits)
            return
        fetch(kept.games, n, mine)
        for seat in range(batch.rewards.shape[1]):
            batch.rewards[k, seat] = kept.rewards[n, seat]
        batch.done[k], batch.illegal[k] = kept.done[n], kept.illegal[n]
        if whole:
            batch.rngs[k], batch.choosers[k] = kept.rngs[n], kept.choosers[n]
        tell(batch, k, mine, bits, scratch)

    put_rows = lay_kernel(dtype, num_actions, block, put)
    return RowKernels(block, lay_rows(play), lay_rows(begin), lay_rows(roam), take_rows, put_rows)
