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
def play_out(
    t: Tables,
    states: States,
    k: int,
    blank: States,
    restart: bool,
    rng: Word,
    chooser: Word,
    rewards: Any,
    scratch: Actions,
) -> tuple[int, Word, Word]:
    """Play game ``k`` to its end at random; returns the plies and the generators' next states."""
    s = states[k]
    for seat in range(len(rewards)):
        rewards[seat] = 0.0
    plies = 0
    if s.over != 0 and not restart:
        return plies, rng, chooser
    if s.over == 0:
        plies, chooser = rules.playout(t, s, chooser, scratch)
    rules.returns(t, s, rewards)
    if restart:
        states[k] = blank[0]
        rng = rules.reset(t, states[k], advance(rng))
    return plies, rng, chooser


@kernel
def take(states: States, k: int, copy: States) -> None:
    """A copy of game ``k``, which a GPU keeps at hand while it works on it."""
    copy[0] = states[k]


@kernel
def put_back(states: States, k: int, copy: States) -> None:
    """Let game ``k`` be what its copy has become."""
    states[k] = copy[0]


@kernel
def mark_legal(t: Tables, s: Record, mask: Any, scratch: Actions) -> int:
    """Set the legal actions in a clear mask; returns the seat to move, or NOBODY."""
    if s.over != 0:
        return NOBODY
    for n in range(rules.legal(t, s, scratch)):
        mask[scratch[n]] = True
    return np.int64(s.turn)  # type: ignore[return-value]


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


# What follows is done to game ``k`` of a batch, whose record is ``held[at]``: on a CPU in its place
# among the others, on a GPU a copy at hand. Where legal actions are marked, the mask is clear.


@kernel
def reset_game(
    t: Tables,
    held: States,
    at: int,
    blank: States,
    k: int,
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
    """Start with the game's own seed."""
    choosers[k] = seeded(~seeds[k])
    done[k], rngs[k] = begin(t, held, at, blank, seeded(seeds[k]), restart, rewards[k])
    illegal[k] = False
    to_move[k] = mark_legal(t, held[at], legal[k], scratch)


@kernel
def check_action(states: States, k: int, actions: Chosen, legal: Mask, illegal: Flags) -> None:
    """Note whether an action is illegal; where the game is over there is none to be it."""
    action = actions[k]
    allowed = 0 <= action < legal.shape[1] and legal[k, action]
    illegal[k] = not allowed and states[k].over == 0


@kernel
def step_game(
    t: Tables,
    held: States,
    at: int,
    blank: States,
    k: int,
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
    """Play an action that was checked."""
    done[k], rngs[k] = move_on(
        t, held, at, blank, actions[k], not illegal[k], restart, rngs[k], rewards[k]
    )
    to_move[k] = mark_legal(t, held[at], legal[k], scratch)


@kernel
def choose_action(t: Tables, s: Record, k: int, choosers: Words, actions: Actions) -> None:
    """A random legal action; 0 in a game that is over, where it does not matter."""
    if s.over != 0:
        actions[k] = 0
    else:
        actions[k], choosers[k] = rules.sample(t, s, choosers[k])


@kernel
def play_out_game(
    t: Tables,
    held: States,
    at: int,
    blank: States,
    k: int,
    restart: bool,
    rngs: Words,
    choosers: Words,
    legal: Mask,
    to_move: Seats,
    rewards: Rewards,
    done: Flags,
    illegal: Flags,
    scratch: Actions,
    plies: Actions,
) -> None:
    """Play to the end at random."""
    plies[k], rngs[k], choosers[k] = play_out(
        t, held, at, blank, restart, rngs[k], choosers[k], rewards[k], scratch
    )
    done[k] = True
    illegal[k] = False
    to_move[k] = mark_legal(t, held[at], legal[k], scratch)


# The same for all games of a slice, on a CPU.


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
    """Start every game."""
    for k in range(len(states)):
        legal[k] = False
        reset_game(
            tables[0],
            states,
            k,
            blank,
            k,
            seeds,
            restart,
            rngs,
            choosers,
            legal,
            to_move,
            rewards,
            done,
            illegal,
            scratch,
        )


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
    for k in range(len(states)):
        check_action(states, k, actions, legal, illegal)
        legal[k] = False
        step_game(
            tables[0],
            states,
            k,
            blank,
            k,
            actions,
            restart,
            rngs,
            legal,
            to_move,
            rewards,
            done,
            illegal,
            scratch,
        )


@kernel
def choose_all(tables: TablesArray, states: States, choosers: Words, actions: Actions) -> None:
    """A random legal action for every game."""
    for k in range(len(states)):
        choose_action(tables[0], states[k], k, choosers, actions)


@kernel
def play_out_all(
    tables: TablesArray,
    states: States,
    blank: States,
    restart: bool,
    rngs: Words,
    choosers: Words,
    legal: Mask,
    to_move: Seats,
    rewards: Rewards,
    done: Flags,
    illegal: Flags,
    scratch: Actions,
    plies: Actions,
) -> None:
    """Play every game to its end at random."""
    for k in range(len(states)):
        legal[k] = False
        play_out_game(
            tables[0],
            states,
            k,
            blank,
            k,
            restart,
            rngs,
            choosers,
            legal,
            to_move,
            rewards,
            done,
            illegal,
            scratch,
            plies,
        )


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
