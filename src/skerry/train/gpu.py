"""Trees on a GPU: a thread for every game, running the functions of ``train.tree``."""

from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import cuda

from skerry.rl.gpu.kernels import as_callable, lay_records
from skerry.train import gumbel, tree

BLOCK = 64  # threads: games are fewer than a GPU has room for, so they are spread out
OVER = tree.OVER


class TreeKernels(NamedTuple):
    """What a GPU runs, compiled for games of one layout of records and number of actions."""

    begin: Any
    plant: Any
    simulate: Any
    conclude: Any
    foretell: Any
    play: Any


@lru_cache
def build_kernels(  # noqa: PLR0915  # kernels are closures over the sizes
    dtype: np.dtype[np.void], num_actions: int, seats_here: int
) -> TreeKernels:
    """The kernels; what they keep at hand has to have a fixed size."""
    words, word, fetch, store = lay_records(dtype)
    begin_game, open_node = as_callable(tree.begin_game), as_callable(tree.open_node)
    settle, tell = as_callable(tree.settle), as_callable(tree.tell)
    recall_pact = as_callable(tree.recall_pact)
    expand, back_up = as_callable(tree.expand), as_callable(tree.back_up)
    descend, step = as_callable(tree.descend), as_callable(tree.step)
    improve_policy, imagine_end = as_callable(tree.improve_policy), as_callable(tree.foretell)
    choose_best, play_on = as_callable(gumbel.choose_best), as_callable(tree.play_on)

    @cuda.jit
    def begin(tables: Any, games: Any, blank: Any, searches: Any, longest: Any) -> None:
        k = cuda.grid(1)
        if k < searches.shape[0]:
            mine = cuda.local.array(words, word)
            scratch = cuda.local.array(num_actions, numba.int16)
            held = mine.view(dtype)
            rng = searches[k].rng
            searches[k].rng = begin_game(tables[0], held, 0, blank, rng, longest, scratch)
            store(games, k, mine)

    @cuda.jit
    def plant(
        tables: Any,
        games: Any,
        nodes: Any,
        records: Any,
        searches: Any,
        cells: Any,
        seats: Any,
        counters: Any,
    ) -> None:
        k = cuda.grid(1)
        if k < searches.shape[0]:
            mine = cuda.local.array(words, word)
            returns = cuda.local.array(seats_here, numba.float32)
            fetch(games, k, mine)
            held = mine.view(dtype)
            open_node(nodes[k, 0], 0, 0)
            store(records, k, mine)
            settle(tables[0], held[0], nodes[k, 0], returns)
            recall_pact(searches[k], np.int64(nodes[k, 0].seat))
            searches[k].leaf = 0
            searches[k].grown = 1
            seats[k] = max(nodes[k, 0].seat, 0)
            counters[k] = tell(tables[0], held[0], seats_here, cells[:, k])

    @cuda.jit
    def simulate(
        tables: Any,
        nodes: Any,
        records: Any,
        searches: Any,
        logits: Any,
        outlooks: Any,
        plan: Any,
        number: Any,
        strangers: Any,
        cells: Any,
        seats: Any,
        counters: Any,
    ) -> None:
        k, batch = cuda.grid(1), searches.shape[0]
        if k < batch and nodes[k, 0].seat != OVER:
            mine = cuda.local.array(words, word)
            scratch = cuda.local.array(num_actions, numba.int16)
            returns = cuda.local.array(seats_here, numba.float32)
            held = mine.view(dtype)
            leaf = np.int64(searches[k].leaf)
            if nodes[k, leaf].seat != OVER:
                fetch(records, leaf * batch + k, mine)
                expand(
                    tables[0],
                    held[0],
                    nodes[k, leaf],
                    searches[k],
                    logits[k],
                    outlooks[k],
                    scratch,
                )
            back_up(nodes[k], leaf)
            if number < plan.shape[1]:
                visits = np.int64(plan[nodes[k, 0].width, number])
                known = np.int64(strangers[k])
                parent, slot, is_new = descend(nodes[k], searches[k], visits, known)
                if is_new:
                    at = np.int64(searches[k].grown)
                    fetch(records, parent * batch + k, mine)
                    step(tables[0], held[0], nodes[k], searches[k], parent, slot, returns)
                    store(records, at * batch + k, mine)
                    seats[k] = max(nodes[k, at].seat, 0)
                    counters[k] = tell(tables[0], held[0], seats_here, cells[:, k])
                else:  # the net may say what it likes of an end
                    searches[k].leaf = parent

    @cuda.jit
    def conclude(
        tables: Any,
        games: Any,
        nodes: Any,
        searches: Any,
        logits: Any,
        targets: Any,
        actions: Any,
        worths: Any,
    ) -> None:
        k = cuda.grid(1)
        if k < searches.shape[0] and nodes[k, 0].seat != OVER:
            mine = cuda.local.array(words, word)
            scratch = cuda.local.array(num_actions, numba.int16)
            fetch(games, k, mine)
            held = mine.view(dtype)
            improve_policy(tables[0], held[0], nodes[k, 0], logits[k], scratch, targets[k])
            actions[k], worths[k] = choose_best(nodes[k, 0], searches[k])

    @cuda.jit
    def foretell(tables: Any, games: Any, nodes: Any, searches: Any, foretold: Any) -> None:
        k = cuda.grid(1)
        if k < searches.shape[0] and nodes[k, 0].seat != OVER:
            mine = cuda.local.array(words, word)
            scratch = cuda.local.array(num_actions, numba.int16)
            returns = cuda.local.array(seats_here, numba.float32)
            fetch(games, k, mine)
            held = mine.view(dtype)
            foretold[k] = imagine_end(tables[0], held[0], searches[k], scratch, returns)

    @cuda.jit
    def play(
        tables: Any,
        games: Any,
        blank: Any,
        searches: Any,
        actions: Any,
        longest: Any,
        restart: Any,
        outcomes: Any,
        cells: Any,
    ) -> None:
        k = cuda.grid(1)
        if k < searches.shape[0]:
            mine = cuda.local.array(words, word)
            scratch = cuda.local.array(num_actions, numba.int16)
            returns = cuda.local.array(seats_here, numba.float32)
            fetch(games, k, mine)
            held = mine.view(dtype)
            outcomes[k] = play_on(
                tables[0],
                held,
                0,
                blank,
                searches[k],
                actions[k],
                longest,
                restart,
                cells[:, k],
                scratch,
                returns,
            )
            store(games, k, mine)

    return TreeKernels(begin, plant, simulate, conclude, foretell, play)
