"""Observations: what one game of many shows, as bytes or as bits, and the driver for a CPU thread.

GPUs mark planes as bits, which fit into fast memory, and then write the bytes of many games
together.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.kernels import kernel
from skerry.core.rules import Codes, Marks, Raw, States, Tables, TablesArray
from skerry.rl.stepping import MARK_BITS, NOBODY, Seats

MOST_SHOWN = 255  # what a counter plane can tell
LOW = np.uint64(0xFFFF_FFFF)

Planes = NDArray[np.uint8]  # [games, planes, places]


@kernel
def look(t: Tables, s: Raw, viewer: int, cells: Codes) -> tuple[int, int]:
    """Identify all cells; returns who looks, the mover where that is NOBODY, and the rest."""
    for cell in range(len(cells)):
        cells[cell] = 0
    rest = rules.identify(t, s, cells)
    if viewer == NOBODY:
        viewer = np.int64(s.turn)  # type: ignore[assignment]
    return viewer, rest


@kernel
def fill(start: int, board: Any, value: int, out: Any) -> None:
    """Write a value into all cells of a plane; ``board`` [places] is 1 where there is one."""
    first = np.uint64(start)
    for place in range(len(board)):
        out[first + np.uint64(place)] = board[place] * value


@kernel
def show(
    t: Tables,
    s: Raw,
    viewer: int,
    seats: int,
    start_of: Any,
    place_of: Any,
    board: Any,
    counter: int,
    cells: Codes,
    out: Any,
) -> None:
    """Write a game into its clear planes, seen by a seat, or NOBODY for the mover.

    ``start_of`` [seats, codes + 1] says where a code's plane starts, by who looks, and ``place_of``
    [cells] where a cell is in it. Behind the planes of pieces there is one for every seat but the
    first, filled if the viewer sits there, whose start is in the last column of ``start_of``. The
    counter's plane starts at ``counter``, unless that is negative.
    """
    viewer, rest = look(t, s, viewer, cells)
    starts = start_of[viewer]
    for cell in range(len(place_of)):
        # Without branches: an empty cell writes the 0 that is there.
        code = cells[cell]
        out[starts[code] + place_of[cell]] = code != 0
    if viewer > 0:
        fill(starts[len(starts) - 1], board, 1, out)
    if counter >= 0 and rest >= seats:
        fill(counter, board, min(rest // seats, MOST_SHOWN), out)


def pack_board(board: Planes) -> NDArray[np.uint32]:
    """The cells of a plane [places] as words of bits."""
    packed = np.zeros(-(-len(board) // MARK_BITS) * MARK_BITS, np.uint8)
    packed[: len(board)] = board
    return np.packbits(packed, bitorder="little").view(np.uint32)


@kernel
def mark_board(start: int, board: Marks, marks: Marks) -> None:
    """Mark all cells of a plane; ``board`` is a packed one."""
    first, shift = np.uint64(start) >> np.uint64(5), np.uint64(start) & np.uint64(31)
    for w in range(len(board)):
        wide = np.uint64(board[w]) << shift
        marks[first + np.uint64(w)] |= np.uint32(wide & LOW)
        if wide > LOW:
            marks[first + np.uint64(w + 1)] |= np.uint32(wide >> np.uint64(MARK_BITS))


@kernel
def mark_seen(
    t: Tables,
    s: Raw,
    viewer: int,
    seats: int,
    start_of: Any,
    place_of: Any,
    board: Marks,
    counter: int,
    cells: Codes,
    marks: Marks,
) -> int:
    """Mark what ``show`` would write; returns the number that the counter's marks stand for."""
    for w in range(len(marks)):
        marks[w] = 0
    viewer, rest = look(t, s, viewer, cells)
    starts = start_of[viewer]
    for cell in range(len(place_of)):
        code = cells[cell]
        at = np.uint32(starts[code] + place_of[cell])
        marks[at >> np.uint32(5)] |= np.uint32(code != 0) << (at & np.uint32(31))
    if viewer > 0:
        mark_board(starts[len(starts) - 1], board, marks)
    if counter < 0 or rest < seats:
        return 0
    mark_board(counter, board, marks)
    return min(rest // seats, MOST_SHOWN)


@kernel
def show_all(
    tables: TablesArray,
    states: States,
    viewers: Seats,
    seats: int,
    start_of: Any,
    place_of: Any,
    board: Any,
    counter: int,
    cells: Codes,
    out: Planes,
) -> None:
    """The planes of every game."""
    for k in range(len(states)):
        out[k] = 0
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
