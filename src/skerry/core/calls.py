"""Rules called from Python, one position at a time, as quickly as that can be done.

Two things would take longer than the rules themselves: Numba, which looks at the types of all
arguments on every call, and NumPy, which copies records field by field. So a ``State`` keeps its
record in a buffer of bytes, which Python copies at once, and what it asks of the rules is found
once for each game and called without looking at types again.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.kernels import kernel
from skerry.core.rules import Actions, States, TablesArray

Bytes = Any  # a bytearray that holds one record
ILLEGAL = -1  # what play_in says of an action that cannot be played


def _find_record(context: Any, data: Any, like: Any) -> Any:
    """Where the record lies that is in a buffer, for Numba."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        buffer = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.bitcast(buffer.data, context.get_value_type(signature.return_type))

    return like.dtype(data, like), build


record_in: Any = intrinsic(_find_record)  # (data, like): the record in a buffer, of like's type


@kernel(brief=True)
def play_in(tables: TablesArray, like: States, most: int, data: Bytes, action: int) -> int:
    """Play an action in ``data``; twice the turn plus whether the game is over, or ILLEGAL.

    ``like`` says what the record is, ``most`` how many actions there are. After an illegal action
    the field ``work`` is not what it was.
    """
    t, s = tables[0], record_in(data, like)
    if s.over != 0 or action < 0 or action >= most:
        return ILLEGAL
    found = np.empty(most, np.int32)
    low, high = 0, rules.legal(t, s, found)
    while low < high:
        middle = (low + high) // 2
        if found[middle] == action:
            rules.play(t, s, action)
            return int(2 * s.turn + s.over)
        if found[middle] < action:
            low = middle + 1
        else:
            high = middle
    return ILLEGAL


@kernel(brief=True)
def list_in(tables: TablesArray, like: States, data: Bytes, out: Actions) -> int:
    """Write the legal actions of ``data`` into ``out``; returns how many there are."""
    t, s = tables[0], record_in(data, like)
    return 0 if s.over != 0 else rules.legal(t, s, out)


def find_player(
    tables: TablesArray, dtype: np.dtype[np.void], most: int
) -> Callable[[bytearray, int], int]:
    """``play_in`` for the records of one game."""
    return _find(play_in, (tables, np.zeros(1, dtype), most), bytearray(), 0)


def find_lister(
    tables: TablesArray, dtype: np.dtype[np.void]
) -> Callable[[bytearray, NDArray[np.int32]], int]:
    """``list_in`` for the records of one game."""
    return _find(list_in, (tables, np.zeros(1, dtype)), bytearray(), np.empty(0, np.int32))


def _find(compiled: Any, first: tuple[Any, ...], *others: Any) -> Callable[..., int]:
    """A kernel compiled for such arguments, of which the first are settled."""
    typeof: Any = numba.typeof
    entry = compiled.compile(tuple(typeof(argument) for argument in (*first, *others)))
    return partial(entry, *first)
