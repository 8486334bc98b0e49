"""Kernels for some games of a batch: those that are chosen are changed, and all others stay.

A word of masks may reach into the next game, so that the masks of all games are written again
wherever any is.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import cuda

from skerry.rl import stepping
from skerry.rl.gpu import (
    as_callable,
    find_room,
    lay_play,
    lay_records,
    mark_words,
    record_bytes,
    short_of,
)
from skerry.rl.rows import NO_GAME
from skerry.rl.spread import lay_masks
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
def build_rows(  # noqa: PLR0915  # kernels are closures over the sizes
    dtype: np.dtype[np.void], num_actions: int
) -> RowKernels:
    """The kernels; what they keep at hand has to have a fixed size."""
    words, word, fetch, store = lay_records(dtype)
    marked = mark_words(num_actions)
    block, _ = find_room(record_bytes(dtype), marked * MARK_BITS // 8)
    short = short_of(num_actions)
    begin, choosing = as_callable(stepping.begin), as_callable(stepping.choosing)
    open_game, wander = as_callable(stepping.open_game), as_callable(stepping.wander)
    mark_legal = as_callable(stepping.mark_legal)
    play, write_masks = lay_play(dtype, num_actions), lay_masks(block, num_actions)
    device: Any = cuda.jit

    @device(device=True)
    def tell(tables: Any, held: Any, marks: Any, to_move: Any, k: Any, bits: Any) -> None:
        """What is legal in a game, and who is to move."""
        scratch = cuda.local.array(num_actions, short)
        to_move[k] = mark_legal(tables[0], held[0], bits, scratch)
        for i in range(marked):
            marks[i, k] = bits[i]

    @device(device=True)
    def repeat(marks: Any, k: Any, bits: Any) -> None:
        """What was legal in a game that stays as it is."""
        for i in range(marked):
            bits[i] = marks[i, k]

    @cuda.jit
    def step_rows(
        tables: Any,
        games: Any,
        blank: Any,
        actions: Any,
        restart: Any,
        rngs: Any,
        marks: Any,
        masks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
        chosen: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, marked), numba.uint32)
        if k < games.shape[1]:
            if chosen[k]:
                mine = cuda.local.array(words, word)
                scratch = cuda.local.array(num_actions, short)
                play(
                    tables,
                    games,
                    blank,
                    actions,
                    restart,
                    rngs,
                    marks,
                    to_move,
                    rewards,
                    done,
                    illegal,
                    k,
                    mine,
                    bits[thread],
                    scratch,
                )
            else:
                repeat(marks, k, bits[thread])
        cuda.syncthreads()
        write_masks(bits, cuda.blockIdx.x, thread, games.shape[1], masks)

    @cuda.jit
    def reset_rows(
        tables: Any,
        games: Any,
        blank: Any,
        seeds: Any,
        restart: Any,
        rngs: Any,
        choosers: Any,
        marks: Any,
        masks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
        chosen: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, marked), numba.uint32)
        if k < games.shape[1]:
            if chosen[k]:
                mine = cuda.local.array(words, word)
                held = mine.view(dtype)
                choosers[k] = choosing(seeds[k])
                done[k], rngs[k] = begin(tables[0], held, 0, blank, seeds[k], restart, rewards[k])
                illegal[k] = False
                store(games, k, mine)
                tell(tables, held, marks, to_move, k, bits[thread])
            else:
                repeat(marks, k, bits[thread])
        cuda.syncthreads()
        write_masks(bits, cuda.blockIdx.x, thread, games.shape[1], masks)

    @cuda.jit
    def wander_rows(
        tables: Any,
        games: Any,
        blank: Any,
        least: Any,
        most: Any,
        anew: Any,
        restart: Any,
        rngs: Any,
        marks: Any,
        masks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        chosen: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, marked), numba.uint32)
        if k < games.shape[1]:
            if chosen[k] and (anew or done[k]):
                mine = cuda.local.array(words, word)
                scratch = cuda.local.array(num_actions, short)
                fetch(games, k, mine)
                held = mine.view(dtype)
                rngs[k] = wander(tables[0], held, 0, blank, least, most, rngs[k], scratch)
                if anew:
                    done[k] = open_game(tables[0], held[0], restart, rewards[k])
                store(games, k, mine)
                tell(tables, held, marks, to_move, k, bits[thread])
            else:
                repeat(marks, k, bits[thread])
        cuda.syncthreads()
        write_masks(bits, cuda.blockIdx.x, thread, games.shape[1], masks)

    @cuda.jit
    def take_rows(
        games: Any,
        rngs: Any,
        choosers: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
        rows: Any,
        kept: Any,
        kept_rngs: Any,
        kept_choosers: Any,
        kept_rewards: Any,
        kept_done: Any,
        kept_illegal: Any,
    ) -> None:
        n = cuda.grid(1)
        if n < rows.shape[0]:
            k = rows[n]
            for i in range(kept.shape[0]):
                kept[i, n] = games[i, k]
            for seat in range(rewards.shape[1]):
                kept_rewards[n, seat] = rewards[k, seat]
            kept_rngs[n], kept_choosers[n] = rngs[k], choosers[k]
            kept_done[n], kept_illegal[n] = done[k], illegal[k]

    @cuda.jit
    def put_rows(
        tables: Any,
        games: Any,
        rngs: Any,
        choosers: Any,
        marks: Any,
        masks: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
        kept: Any,
        kept_rngs: Any,
        kept_choosers: Any,
        kept_rewards: Any,
        kept_done: Any,
        kept_illegal: Any,
        origins: Any,
        whole: Any,
    ) -> None:
        k, thread = cuda.grid(1), cuda.threadIdx.x
        bits = cuda.shared.array((block, marked), numba.uint32)
        if k < games.shape[1]:
            n = origins[k]
            if n != NO_GAME:
                mine = cuda.local.array(words, word)
                fetch(kept, n, mine)
                store(games, k, mine)
                for seat in range(rewards.shape[1]):
                    rewards[k, seat] = kept_rewards[n, seat]
                done[k], illegal[k] = kept_done[n], kept_illegal[n]
                if whole:
                    rngs[k], choosers[k] = kept_rngs[n], kept_choosers[n]
                tell(tables, mine.view(dtype), marks, to_move, k, bits[thread])
            else:
                repeat(marks, k, bits[thread])
        cuda.syncthreads()
        write_masks(bits, cuda.blockIdx.x, thread, games.shape[1], masks)

    return RowKernels(block, step_rows, reset_rows, wander_rows, take_rows, put_rows)
