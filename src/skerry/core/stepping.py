"""Batches: what happens to one game of many, and the drivers that do it on a CPU thread.

All is written against the generics, so that it is compiled per game, and the functions on one game
are what GPUs run too.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.bits import Word
from skerry.core.kernels import kernel
from skerry.core.random import advance, seeded
from skerry.core.rules import Actions, Codes, Record, States, Tables, TablesArray

NOBODY = -1
MOST_SHOWN = 255  # what a counter plane can tell

Words = NDArray[np.uint64]  # [games] generators
Seeds = NDArray[np.int64]  # [games]
Chosen = NDArray[Any]  # [games] actions, of any integer type
Mask = NDArray[np.bool_]  # [games, actions]
Seats = NDArray[np.int8]  # [games]
Rewards = NDArray[np.float32]  # [games, seats]
Flags = NDArray[np.bool_]  # [games]
Planes = NDArray[np.uint8]  # [games, planes, places]


@kernel
def forfeit(seat: int, rewards: Any) -> None:
    """Who tries what is illegal loses to all others, who share what it loses."""
    for other in range(len(rewards)):
        rewards[other] = 1.0 / (len(rewards) - 1)
    rewards[seat] = -1.0


@kernel
def begin(
    t: Tables, states: States, k: int, blank: States, rng: Word, restart: bool, rewards: Any
) -> tuple[bool, Word]:
    """Start game ``k``; returns whether it is over at once, and the generator's next state.

    Some deals leave no move. Where games restart, such a game ends with the first step.
    """
    states[k] = blank[0]
    rng = rules.reset(t, states[k], rng)
    for seat in range(len(rewards)):
        rewards[seat] = 0.0
    if restart or states[k].over == 0:
        return False, rng
    rules.returns(t, states[k], rewards)
    return True, rng


@kernel
def move_on(
    t: Tables,
    states: States,
    k: int,
    blank: States,
    action: int,
    allowed: bool,
    restart: bool,
    rng: Word,
    rewards: Any,
) -> tuple[bool, Word]:
    """Play in game ``k``; returns whether it is over, and the generator's next state.

    A game that was over before pays nothing, unless it restarts and its end was not told yet.
    """
    s = states[k]
    for seat in range(len(rewards)):
        rewards[seat] = 0.0
    if s.over != 0:
        if not restart:
            return True, rng
        rules.returns(t, s, rewards)
    elif allowed:
        rules.play(t, s, action)
        if s.over == 0:
            return False, rng
        rules.returns(t, s, rewards)
    else:
        forfeit(s.turn, rewards)
        s.over = 1
    if restart:
        states[k] = blank[0]
        rng = rules.reset(t, states[k], advance(rng))
    return True, rng


@kernel
def mark_legal(t: Tables, s: Record, mask: Any, scratch: Actions) -> int:
    """Set the legal actions in a clear mask; returns the seat to move, or NOBODY."""
    if s.over != 0:
        return NOBODY
    for n in range(rules.legal(t, s, scratch)):
        mask[scratch[n]] = True
    return np.int64(s.turn)  # type: ignore[return-value]


@kernel
def choose(t: Tables, s: Record, rng: Word) -> tuple[int, Word]:
    """A uniformly random legal action; 0 in a game that is over, where it does not matter."""
    return (0, rng) if s.over != 0 else rules.sample(t, s, rng)


@kernel
def show(
    t: Tables,
    s: Record,
    viewer: int,
    seats: int,
    plane_of: Any,
    place_of: Any,
    counter: int,
    cells: Codes,
    out: Any,
) -> None:
    """Write a game into clear planes [planes, places], seen by a seat, or NOBODY for the mover.

    ``plane_of`` [seats, codes] and ``place_of`` [cells] say where a code of a cell belongs. Behind
    the planes of pieces there is one for every seat but the first, filled if the viewer sits there,
    and then one with the counter if ``counter`` is not negative.
    """
    for cell in range(len(place_of)):
        cells[cell] = 0
    rest = rules.identify(t, s, cells)
    if viewer == NOBODY:
        viewer = np.int64(s.turn)  # type: ignore[assignment]
    for cell in range(len(place_of)):
        # Without branches: an empty cell writes the 0 that is there.
        out[plane_of[viewer, cells[cell]], place_of[cell]] = cells[cell] != 0
    if viewer > 0:
        seat_plane = out.shape[0] - (seats - 1) - (1 if counter >= 0 else 0) + viewer - 1
        for cell in range(len(place_of)):
            out[seat_plane, place_of[cell]] = 1
    count = min(rest // seats, MOST_SHOWN)
    if counter >= 0 and count > 0:
        for cell in range(len(place_of)):
            out[counter, place_of[cell]] = count


@kernel
def identify_one(tables: TablesArray, states: States, cells: Codes) -> int:
    """The codes of ``states[0]``."""
    return rules.identify(tables[0], states[0], cells)


@kernel
def reset_all(
    tables: TablesArray,
    states: States,
    blank: States,
    seeds: Seeds,
    restart: bool,
    rngs: Words,
    choosers: Words,
    legal: Mask,
    to_move: Seats,
    rewards: Rewards,
    done: Flags,
    illegal: Flags,
    scratch: Actions,
) -> None:
    """Start every game with its own seed."""
    t = tables[0]
    for k in range(len(states)):
        choosers[k] = seeded(~seeds[k])
        done[k], rngs[k] = begin(t, states, k, blank, seeded(seeds[k]), restart, rewards[k])
        illegal[k] = False
        legal[k] = False
        to_move[k] = mark_legal(t, states[k], legal[k], scratch)


@kernel
def step_all(
    tables: TablesArray,
    states: States,
    blank: States,
    actions: Chosen,
    restart: bool,
    rngs: Words,
    legal: Mask,
    to_move: Seats,
    rewards: Rewards,
    done: Flags,
    illegal: Flags,
    scratch: Actions,
) -> None:
    """Play an action in every game."""
    t = tables[0]
    for k in range(len(states)):
        action = actions[k]
        allowed = 0 <= action < legal.shape[1] and legal[k, action]
        illegal[k] = not allowed and states[k].over == 0
        done[k], rngs[k] = move_on(
            t, states, k, blank, action, allowed, restart, rngs[k], rewards[k]
        )
        legal[k] = False
        to_move[k] = mark_legal(t, states[k], legal[k], scratch)


@kernel
def choose_all(tables: TablesArray, states: States, choosers: Words, actions: Actions) -> None:
    """A random legal action for every game."""
    for k in range(len(states)):
        actions[k], choosers[k] = choose(tables[0], states[k], choosers[k])


@kernel
def show_all(
    tables: TablesArray,
    states: States,
    viewers: Seats,
    seats: int,
    plane_of: Any,
    place_of: Any,
    counter: int,
    cells: Codes,
    out: Planes,
) -> None:
    """The planes of every game."""
    for k in range(len(states)):
        out[k] = 0
        show(tables[0], states[k], viewers[k], seats, plane_of, place_of, counter, cells, out[k])
