"""Batches: what happens to one game of many, and the drivers that do it on a CPU thread.

All is written against the generics, so that it is compiled per game, and the functions on one game
are what GPUs run too.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core import bits, rules
from skerry.core.bits import Word
from skerry.core.kernels import kernel
from skerry.core.random import advance, below, seeded
from skerry.core.rules import Actions, Marks, Raw, States, Tables, TablesArray

NOBODY = -1
MARK_BITS = 32  # actions that a word of marks tells of
OPENINGS_TRIED = 100  # random ones, in search of one that leaves a move
# Eight bits become eight bytes.
ONES = np.uint64(0x0101_0101_0101_0101)
DIAGONAL = np.uint64(0x8040_2010_0804_0201)
BELOW_TOP = np.uint64(0x7F7F_7F7F_7F7F_7F7F)  # lifts any other bit of a byte to its top
TOP_BIT = np.uint64(7)

Words = NDArray[np.uint64]
Seeds = NDArray[np.int64]  # [games]
Chosen = NDArray[np.int64]  # [games] actions
AllMarks = NDArray[np.uint32]  # [games, words] a bit for every legal action
Masks = NDArray[np.uint64]  # [games, words] a byte for every action
Seats = NDArray[np.int8]  # [games]
Rewards = NDArray[np.float32]  # [games, seats]
Flags = NDArray[np.bool_]  # [games]
# What is told of games: marks, masks, to_move, rewards, done, illegal. It is a plain tuple since
# Numba takes longer, at every call, to find the type of one with names.
Told = tuple[AllMarks, Masks, Seats, Rewards, Flags, Flags]


@kernel
def pay_nothing(rewards: Any) -> None:
    for seat in range(len(rewards)):
        rewards[seat] = 0.0


@kernel
def forfeit(seat: int, rewards: Any) -> None:
    """Who tries what is illegal loses to all others, who share what it loses."""
    for other in range(len(rewards)):
        rewards[other] = 1.0 / (len(rewards) - 1)
    rewards[seat] = -1.0


@kernel
def open_game(t: Tables, s: Raw, restart: bool, rewards: Any) -> bool:
    """Whether a game that begins is told to be over; it then pays.

    Some deals leave no move. Where games restart, such a game ends with the first step.
    """
    pay_nothing(rewards)
    if restart or s.over == 0:
        return False
    rules.returns(t, s, rewards)
    return True


@kernel
def begin(
    t: Tables, states: States, k: int, blank: States, seed: int, restart: bool, rewards: Any
) -> tuple[bool, Word]:
    """Start game ``k``; returns whether it is over at once, and the generator's next state."""
    states[k] = blank[0]
    rng = rules.reset(t, states[k], seeded(seed))
    return open_game(t, states[k], restart, rewards), rng


@kernel
def wander(
    t: Tables,
    states: States,
    k: int,
    blank: States,
    least: int,
    most: int,
    rng: Word,
    scratch: Actions,
) -> Word:
    """Play random actions in game ``k``, which begins; returns the generator's next state.

    Their number is drawn anew whenever they end the game, which then begins anew: with another deal
    where there is one, and after a while without any actions.
    """
    for _ in range(OPENINGS_TRIED):
        plies = least
        if most > least:
            rng = advance(rng)
            plies += below(rng, most - least + 1)
        for _ in range(plies):
            if states[k].over == 0:
                action, rng = rules.sample(t, states[k], rng, scratch)
                rules.play(t, states[k], action)
        if states[k].over == 0:
            break
        states[k] = blank[0]
        rng = rules.reset(t, states[k], advance(rng))
    return rng


@kernel
def choosing(seed: int) -> Word:
    """The generator of random actions, far from the one of deals."""
    return seeded(~seed)


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
    pay_nothing(rewards)
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
    pay_nothing(rewards)
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
def mark_legal(t: Tables, s: Raw, marks: Marks, scratch: Actions) -> int:
    """Mark the legal actions of a game; returns the seat to move, or NOBODY."""
    for w in range(len(marks)):
        marks[w] = 0
    if s.over != 0:
        return NOBODY
    rules.mark(t, s, marks, scratch)
    return np.int64(s.turn)  # type: ignore[return-value]


@kernel
def is_marked(marks: Marks, action: int) -> bool:
    """Whether an action, which may be any number, is legal."""
    if not 0 <= action < len(marks) * MARK_BITS:
        return False
    return (bits.unsigned(marks[action >> 5]) >> np.uint64(action & 31)) & bits.ONE != bits.NONE


@kernel
def is_refused(s: Raw, allowed: bool) -> bool:
    """Whether an action is an illegal one; where the game is over there is none to be it."""
    return not allowed and s.over == 0


@kernel
def choose(marks: Marks, rng: Word) -> tuple[int, Word]:
    """A uniformly random legal action; 0 in a game that is over, where it does not matter."""
    total = 0
    for w in range(len(marks)):
        total += bits.count(bits.unsigned(marks[w]))
    if total == 0:
        return 0, rng
    rng = advance(rng)
    n = below(rng, total)
    w = 0
    here = bits.count(bits.unsigned(marks[w]))
    while n >= here:
        n -= here
        w += 1
        here = bits.count(bits.unsigned(marks[w]))
    return w * MARK_BITS + bits.nth(bits.unsigned(marks[w]), n), rng


@kernel
def unpack(eights: Any, mask: Words) -> None:
    """Write marks, read as bytes, as a mask: a byte for every bit, eight at a time."""
    for i in range(len(mask)):
        spread = (bits.unsigned(eights[i]) * ONES) & DIAGONAL  # byte k keeps bit k
        mask[i] = ((spread + BELOW_TOP) >> TOP_BIT) & ONES


@kernel
def reset_all(
    tables: TablesArray,
    states: States,
    blank: States,
    seeds: Seeds,
    restart: bool,
    rngs: Words,
    choosers: Words,
    told: Told,
    scratch: Actions,
) -> None:
    """Start every game with its own seed."""
    t = tables[0]
    marks, masks, to_move, rewards, done, illegal = told
    eights = marks.view(np.uint8)
    for k in range(len(states)):
        choosers[k] = choosing(seeds[k])
        done[k], rngs[k] = begin(t, states, k, blank, seeds[k], restart, rewards[k])
        illegal[k] = False
        to_move[k] = mark_legal(t, states[k], marks[k], scratch)
        unpack(eights[k], masks[k])


@kernel
def start_all(
    tables: TablesArray,
    states: States,
    seeds: Seeds,
    restart: bool,
    rngs: Words,
    choosers: Words,
    rewards: Rewards,
    done: Flags,
    illegal: Flags,
) -> None:
    """Games that begin where they are."""
    for k in range(len(states)):
        choosers[k], rngs[k] = choosing(seeds[k]), seeded(seeds[k])
        done[k] = open_game(tables[0], states[k], restart, rewards[k])
        illegal[k] = False


@kernel
def tell_all(tables: TablesArray, states: States, told: Told, scratch: Actions) -> None:
    """What is legal in games that were put there, and who is to move."""
    marks, masks, to_move = told[:3]
    eights = marks.view(np.uint8)
    for k in range(len(states)):
        to_move[k] = mark_legal(tables[0], states[k], marks[k], scratch)
        unpack(eights[k], masks[k])


@kernel
def wander_all(
    tables: TablesArray,
    states: States,
    blank: States,
    least: int,
    most: int,
    anew: bool,
    restart: bool,
    rngs: Words,
    told: Told,
    scratch: Actions,
) -> None:
    """Play random actions in games that begin: all of them, or those that a step has ended."""
    t = tables[0]
    marks, masks, to_move, rewards, done = told[:5]
    eights = marks.view(np.uint8)
    for k in range(len(states)):
        if anew or done[k]:
            rngs[k] = wander(t, states, k, blank, least, most, rngs[k], scratch)
            if anew:
                done[k] = open_game(t, states[k], restart, rewards[k])
            to_move[k] = mark_legal(t, states[k], marks[k], scratch)
            unpack(eights[k], masks[k])


@kernel
def step_all(
    tables: TablesArray,
    states: States,
    blank: States,
    actions: Chosen,
    restart: bool,
    rngs: Words,
    told: Told,
    scratch: Actions,
) -> None:
    """Play an action in every game."""
    t = tables[0]
    marks, masks, to_move, rewards, done, illegal = told
    eights = marks.view(np.uint8)
    for k in range(len(states)):
        action = actions[k]
        allowed = is_marked(marks[k], action)
        illegal[k] = is_refused(states[k], allowed)
        done[k], rngs[k] = move_on(
            t, states, k, blank, action, allowed, restart, rngs[k], rewards[k]
        )
        to_move[k] = mark_legal(t, states[k], marks[k], scratch)
        unpack(eights[k], masks[k])


@kernel
def choose_all(marks: AllMarks, choosers: Words, actions: Actions) -> None:
    """A random legal action for every game."""
    for k in range(len(marks)):
        actions[k], choosers[k] = choose(marks[k], choosers[k])


@kernel
def play_out_all(
    tables: TablesArray,
    states: States,
    blank: States,
    restart: bool,
    rngs: Words,
    choosers: Words,
    told: Told,
    scratch: Actions,
    plies: Actions,
) -> None:
    """Play every game to its end at random."""
    t = tables[0]
    marks, masks, to_move, rewards, done, illegal = told
    eights = marks.view(np.uint8)
    for k in range(len(states)):
        plies[k], rngs[k], choosers[k] = play_out(
            t, states, k, blank, restart, rngs[k], choosers[k], rewards[k], scratch
        )
        done[k] = True
        illegal[k] = False
        to_move[k] = mark_legal(t, states[k], marks[k], scratch)
        unpack(eights[k], masks[k])
