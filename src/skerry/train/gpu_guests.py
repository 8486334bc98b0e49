"""Guests on a GPU: the threads of a block play the random games of one guest.

Random games in a row would take one thread longer than the net takes for all games together. There
is a block for every game of a batch; where no guest moves it has nothing to do.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import cuda

from skerry.rl.gpu.kernels import as_callable, lay_records
from skerry.train import guests as seated
from skerry.train.tree import UNTOLD

BLOCK = 64  # threads: the weakest guest keeps half of them busy, the strongest for 8 games each
SURE = np.float32(seated.SURE)
ONE = np.int32(1)


class GuestKernels(NamedTuple):
    """What a GPU runs, compiled for games of one layout of records and number of actions."""

    seat: Any  # a thread for every game
    move: Any  # a block for every game


@lru_cache
def build_guests(dtype: np.dtype[np.void], num_actions: int, seats_here: int) -> GuestKernels:
    """The kernels; what they keep at hand has to have a fixed size."""
    words, word, fetch, _ = lay_records(dtype)
    seat_guests, find_effort = as_callable(seated.seat_guests), as_callable(seated.find_effort)
    pick_first, try_out = as_callable(seated.pick_first), as_callable(seated.try_out)
    begin_move, pick_best = as_callable(seated.begin_move), as_callable(seated.pick_best)
    teach = as_callable(seated.teach)
    entries = num_actions + 1  # the last is of all games

    @cuda.jit
    def seat(
        guests: Any, share: Any, rivals: Any, outcomes: Any, strangers: Any, seats: Any
    ) -> None:
        k = cuda.grid(1)
        if k < guests.shape[0] and outcomes[k] != UNTOLD:
            strangers[k], seats[k] = seat_guests(guests[k], share, rivals)

    @cuda.jit
    def move(
        tables: Any, games: Any, guests: Any, strangers: Any, targets: Any, actions: Any
    ) -> None:
        k, thread = cuda.blockIdx.x, cuda.threadIdx.x
        sums = cuda.shared.array(entries, numba.float32)
        counts = cuda.shared.array(num_actions, numba.int32)
        legal = cuda.shared.array(num_actions, numba.int16)
        number = cuda.shared.array(1, numba.int32)
        mine = cuda.local.array(words, word)
        scratch = cuda.local.array(num_actions, numba.int16)
        returns = cuda.local.array(seats_here, numba.float32)
        fetch(games, k, mine)
        held = mine.view(dtype)
        effort = find_effort(held[0], guests[k])
        if effort > 0:
            if thread == 0:
                number[0] = begin_move(tables[0], held[0], guests[k], legal)
                sums[num_actions] = 0.0
            for i in range(thread, num_actions, BLOCK):
                sums[i] = 0.0
                counts[i] = 0
            cuda.syncthreads()
            count = np.int64(number[0])
            for n in range(thread, effort, BLOCK):
                fetch(games, k, mine)
                first = pick_first(guests[k], n, effort, legal, count)
                made, gain, is_sure = try_out(
                    tables[0], held[0], guests[k], n, first, returns, scratch
                )
                won = np.float32(gain)
                for i in range(made):
                    cuda.atomic.add(sums, scratch[i], won)
                    cuda.atomic.add(counts, scratch[i], ONE)
                cuda.atomic.add(sums, num_actions, won)
                if is_sure:
                    cuda.atomic.add(sums, first, SURE)
            cuda.syncthreads()
            if thread == 0:
                action = pick_best(guests[k], effort, legal, count, sums, counts)
                actions[k] = action
                fetch(games, k, mine)
                teach(held[0], strangers[k], targets[k], action)

    return GuestKernels(seat, move)
