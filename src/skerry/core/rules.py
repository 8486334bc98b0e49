"""The generics that a game implements, and the drivers compiled from them.

Conventions shared by all games:

- ``t`` is the game's tables: one record holding geometry and options, first field the game's name.
- ``s`` is one record of the game's state dtype. Every state dtype has ``turn`` (uint8, the seat
  whose turn it is or would be) and ``over`` (uint8, 1 once the game has ended). A last field named
  ``work`` is scratch space, whose content is forgotten between calls.
- An action is an integer from 0 to ``num_actions - 1``.
- ``play`` is unchecked: the caller passes a legal action of a game that is not over.
- Defaults are for games of stones on cells. Their records have ``stones`` [seats, words] and
  ``empty`` [words], their tables ``board`` [words]; with two seats, ``winner`` says who has won.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.bits import ONE, Word, list_all, put_marks, signed, write_code
from skerry.core.kernels import generic, kernel
from skerry.core.random import advance, below, seeded

Tables = Any  # one record made by core.kernels.tables
TablesArray = NDArray[np.void]  # [1] of such a record
Raw = Any  # one element of an array of the game's state dtype
Actions = NDArray[np.int32]
Returns = NDArray[np.float64]
Points = NDArray[np.int64]  # [seats]
States = NDArray[np.void]  # [n] of the game's state dtype
Marks = NDArray[np.uint32]  # [words] a bit for every action
Codes = NDArray[np.uint8]  # [cells] what stands on every cell

REST_BITS = 20  # bits of what identify says beside the cells


@generic(default=True)
def reset(t: Tables, s: Raw, rng: Word) -> Word:
    """Make ``s`` (all zeros) the start of the game; returns the generator's next state.

    By default the whole board is empty.
    """
    for w in range(s.empty.shape[0]):
        s.empty[w] = t.board[w]
    return rng


@generic(default=True)
def legal(t: Tables, s: Raw, out: Actions) -> int:
    """Write the legal actions in ascending order into ``out`` and return how many there are.

    By default these are the empty cells. The field ``work`` may be written to.
    """
    return list_all(s.empty, out)


@generic()
def play(t: Tables, s: Raw, action: int) -> None:
    """Apply a legal action."""
    raise NotImplementedError


@generic()
def restore(t: Tables, s: Raw, cells: Codes, rest: int) -> bool:
    """Make ``s`` (all zeros) the position that ``identify`` tells so; whether the game is over too.

    False if no game can come to this, for example because more than one seat would have won.
    """
    raise NotImplementedError


@generic(default=True)
def returns(t: Tables, s: Raw, out: Returns) -> None:
    """Write the return of every seat of a finished game into ``out`` [seats].

    By default those of two seats, of which ``s.winner`` has won; a negative one is a draw. The
    field ``work`` may be written to.
    """
    for seat in range(2):
        out[seat] = 0.0 if s.winner < 0 else (1.0 if s.winner == seat else -1.0)


@generic(default=True)
def identify(t: Tables, s: Raw, cells: Codes) -> int:
    """Tell a position from all others, whatever way led to it.

    Writes a code for every cell into ``cells`` [cells], which comes filled with zeros: 0 for an
    empty cell, else 1 + the place of its piece in ``Game.pieces``. Codes from there up to
    ``Game.num_codes`` are the game's own, for cells that are special at the moment. Returns a
    number of at most REST_BITS bits for all else: a counter times the number of seats, plus the
    seat to move. By default there are stones of every seat and no counter.
    """
    for seat in range(s.stones.shape[0]):
        write_code(s.stones[seat], 1 + seat, cells)
    return signed(s.turn)


@generic(default=True)
def score(t: Tables, s: Raw, out: Points) -> bool:
    """Write what every seat of a finished game has scored into ``out`` [seats].

    False in games that count nothing. The field ``work`` may be written to.
    """
    return False


@generic(default=True)
def sample(t: Tables, s: Raw, rng: Word, scratch: Actions) -> tuple[int, Word]:
    """A uniformly random legal action, and the generator's next state.

    ``scratch`` [num_actions] is room to list them; a game that need not is faster.
    """
    rng = advance(rng)
    return signed(scratch[below(rng, legal(t, s, scratch))]), rng


@generic(default=True)
def playout(t: Tables, s: Raw, rng: Word, scratch: Actions) -> tuple[int, Word]:
    """Play uniformly random actions to the end; returns the plies and the generator's state.

    ``scratch`` [num_actions] is room for a game that has a faster way than one action at a time.
    """
    plies = 0
    while s.over == 0:
        action, rng = sample(t, s, rng, scratch)
        play(t, s, action)
        plies += 1
    return plies, rng


@generic(default=True)
def finish(t: Tables, s: Raw, rng: Word, scratch: Actions) -> Word:
    """Play uniformly random actions to the end; returns the generator's next state.

    Engines ask only who wins. A game that can tell without knowing when it was over may go on
    beyond that.
    """
    _, rng = playout(t, s, rng, scratch)
    return rng


@generic(default=True)
def imagine(t: Tables, s: Raw, rng: Word, scratch: Actions) -> Word:
    """Play on to an end that games of players may well have; returns the generator's next state.

    Uniformly random games, in games that know no better.
    """
    return finish(t, s, rng, scratch)


@generic(default=True)
def mark(t: Tables, s: Raw, marks: Marks, scratch: Actions) -> None:
    """Set the bits of the legal actions in ``marks``, which comes filled with zeros.

    GPUs ask for this, where a game that need not list its actions first in ``scratch`` is faster.
    """
    for n in range(legal(t, s, scratch)):
        put_marks(marks, signed(scratch[n]), ONE)


@generic(default=True)
def judge(t: Tables, s: Raw, out: Returns) -> bool:
    """Write what a game that is not over will come to, as far as one look at it can tell.

    False in games that bring no such knowledge: engines then play random games instead.
    """
    return False


@generic(default=True)
def countdown(t: Tables, s: Raw) -> int:
    """How many actions are left until a count makes the game a draw; 0 if there is no such count.

    For games of two seats whose counter (see ``identify``) is that and nothing else: every action
    takes one off what is left or else sets it to the most there is, the game is a draw when nothing
    is left unless that action has won it, and otherwise no rule looks at it. Then whoever can win
    can also do so with more left, and the exact solver need not solve a position count by count.
    """
    return 0


@generic(default=True)
def made(t: Tables, s: Raw, seat: int, out: Actions) -> int:
    """Write the actions that a finished game shows a seat to have made; returns how many.

    Only for games in which an action means much the same early or late, such as placing a stone.
    """
    return 0


@kernel
def start(tables: TablesArray, states: States, seed: int) -> None:
    """Make ``states[0]`` the start of the game."""
    reset(tables[0], states[0], seeded(seed))


@kernel
def complete(tables: TablesArray, states: States, cells: Codes, rest: int) -> bool:
    """Make ``states[0]`` the position that is told by codes; False if no game can come to it."""
    return restore(tables[0], states[0], cells, rest)


@kernel
def identify_first(tables: TablesArray, states: States, cells: Codes) -> int:
    """The codes of ``states[0]`` in ``cells``, and the number for the rest."""
    return identify(tables[0], states[0], cells)


@kernel
def count_score(tables: TablesArray, states: States, out: Points) -> bool:
    """What every seat has scored in ``states[0]``, a finished game; False if nothing counts."""
    return score(tables[0], states[0], out)


@kernel
def final_returns(tables: TablesArray, states: States, out: Returns) -> None:
    """The returns of ``states[0]``, a finished game."""
    returns(tables[0], states[0], out)


@kernel
def count_sequences(tables: TablesArray, states: States, actions: Actions, depth: int) -> int:
    """How many sequences of exactly ``depth`` actions start at ``states[0]``.

    ``states`` [depth + 1] is the stack of positions and ``actions`` [depth, num_actions] the
    stack of their legal actions. At the last level the actions are counted, not played.
    """
    t = tables[0]
    todo = np.zeros(depth, np.int64)
    total = 0
    level = 0
    todo[0] = legal(t, states[0], actions[0]) if states[0].over == 0 else 0
    while level >= 0:
        if level == depth - 1:
            total += todo[level]
            level -= 1
        elif todo[level] == 0:
            level -= 1
        else:
            todo[level] -= 1
            states[level + 1] = states[level]
            child = states[level + 1]
            play(t, child, actions[level, todo[level]])
            level += 1
            todo[level] = legal(t, child, actions[level]) if child.over == 0 else 0
    return total


@kernel
def run_playouts(
    tables: TablesArray,
    origin: States,
    fresh: bool,
    games: int,
    seed: int,
    totals: Returns,
    scratch: Actions,
) -> tuple[int, int]:
    """Play random games one after the other; returns the plies and the number of draws.

    Each game starts at ``origin[0]``, or with ``fresh`` at a new start (and a new deal, in games
    that have one). ``totals`` [seats] receives the sum of the returns. ``origin[1]`` is scratch.
    """
    t = tables[0]
    outcome = np.zeros_like(totals)
    blank = np.zeros_like(origin)
    s = origin[1]
    plies = 0
    draws = 0
    rng = seeded(seed)
    for _ in range(games):
        if fresh:
            origin[1] = blank[0]
            rng = reset(t, s, advance(rng))
        else:
            origin[1] = origin[0]
        length, rng = playout(t, s, rng, scratch)
        plies += length
        returns(t, s, outcome)
        totals += outcome
        if outcome.max() <= 0.0:
            draws += 1
    return plies, draws
