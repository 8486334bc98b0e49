"""Kernels for GPUs: one thread for every game, running the same functions as the CPU does.

With ``NUMBA_ENABLE_CUDASIM=1`` Numba simulates the GPU by Python threads, slowly. It cannot compile
there, so that its kernels call the functions as they are compiled for the CPU.
"""

import os
from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import cuda

from skerry.core import stepping

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


def bare(value: Any) -> Any:
    """The NumPy array inside what the simulator gives to kernels."""
    value = getattr(value, "_item", value)
    return getattr(value, "_ary", value)


def _callable(function: Any) -> Any:
    """A compiled function as kernels can call it."""
    if not SIMULATED:
        return function
    return lambda *args: function(*map(bare, args))


class Kernels(NamedTuple):
    """What a GPU runs, compiled for games of one layout of records and number of actions."""

    clear: Any
    reset: Any
    check: Any
    step: Any
    choose: Any
    play_out: Any
    show: Any


@lru_cache
def build_kernels(  # noqa: PLR0915  # kernels are closures over the sizes
    dtype: np.dtype[np.void], num_actions: int, num_cells: int
) -> Kernels:
    """The kernels; what they keep at hand has to have a fixed size."""
    record = dtype if SIMULATED else numba.from_dtype(dtype)
    take, put_back = _callable(stepping.take), _callable(stepping.put_back)
    begin, choosing = _callable(stepping.begin), _callable(stepping.choosing)
    move_on, play_out = _callable(stepping.move_on), _callable(stepping.play_out)
    mark_legal, choose = _callable(stepping.mark_legal), _callable(stepping.choose)
    show = _callable(stepping.show)

    @cuda.jit
    def clear(words: Any) -> None:
        k = cuda.grid(1)
        while k < words.shape[0]:
            words[k] = 0
            k += cuda.gridsize(1)

    @cuda.jit
    def reset(
        tables: Any,
        states: Any,
        blank: Any,
        seeds: Any,
        restart: Any,
        rngs: Any,
        choosers: Any,
        legal: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
    ) -> None:
        k = cuda.grid(1)
        if k < states.shape[0]:
            held = cuda.local.array(1, record)
            scratch = cuda.local.array(num_actions, numba.int32)
            choosers[k] = choosing(seeds[k])
            done[k], rngs[k] = begin(tables[0], held, 0, blank, seeds[k], restart, rewards[k])
            illegal[k] = False
            to_move[k] = mark_legal(tables[0], held[0], legal[k], scratch)
            put_back(states, k, held)

    @cuda.jit
    def check(states: Any, actions: Any, legal: Any, illegal: Any) -> None:
        k = cuda.grid(1)
        if k < states.shape[0]:
            action = actions[k]
            allowed = 0 <= action < legal.shape[1] and legal[k, action]
            illegal[k] = not allowed and states[k].over == 0

    @cuda.jit
    def step(
        tables: Any,
        states: Any,
        blank: Any,
        actions: Any,
        restart: Any,
        rngs: Any,
        legal: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
    ) -> None:
        k = cuda.grid(1)
        if k < states.shape[0]:
            held = cuda.local.array(1, record)
            scratch = cuda.local.array(num_actions, numba.int32)
            take(states, k, held)
            done[k], rngs[k] = move_on(
                tables[0],
                held,
                0,
                blank,
                actions[k],
                not illegal[k],
                restart,
                rngs[k],
                rewards[k],
            )
            to_move[k] = mark_legal(tables[0], held[0], legal[k], scratch)
            put_back(states, k, held)

    @cuda.jit
    def choose_actions(tables: Any, states: Any, choosers: Any, actions: Any) -> None:
        k = cuda.grid(1)
        if k < states.shape[0]:
            actions[k], choosers[k] = choose(tables[0], states[k], choosers[k])

    @cuda.jit
    def play_out_games(
        tables: Any,
        states: Any,
        blank: Any,
        restart: Any,
        rngs: Any,
        choosers: Any,
        legal: Any,
        to_move: Any,
        rewards: Any,
        done: Any,
        illegal: Any,
        plies: Any,
    ) -> None:
        k = cuda.grid(1)
        if k < states.shape[0]:
            held = cuda.local.array(1, record)
            scratch = cuda.local.array(num_actions, numba.int32)
            take(states, k, held)
            plies[k], rngs[k], choosers[k] = play_out(
                tables[0], held, 0, blank, restart, rngs[k], choosers[k], rewards[k], scratch
            )
            done[k] = True
            illegal[k] = False
            to_move[k] = mark_legal(tables[0], held[0], legal[k], scratch)
            put_back(states, k, held)

    @cuda.jit
    def show_planes(
        tables: Any,
        states: Any,
        viewers: Any,
        seats: Any,
        start_of: Any,
        place_of: Any,
        board: Any,
        counter: Any,
        out: Any,
    ) -> None:
        k = cuda.grid(1)
        if k < states.shape[0]:
            cells = cuda.local.array(num_cells, numba.uint8)
            show(
                tables[0],
                states[k],
                viewers[k],
                seats,
                start_of,
                place_of,
                board,
                counter,
                cells,
                out[k],
            )

    return Kernels(clear, reset, check, step, choose_actions, play_out_games, show_planes)
