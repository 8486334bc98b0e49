"""Convolutions of 3 by 3 in few products: tiles of 3 by 3 places, each from 25 products instead of
81 (Winograd's F(3x3, 3x3), interpolated at 0, 1, -1, 2 and infinity).

All arrays have their channels last, and every loop over them is inmost: the compiler turns those
into vector instructions. A board lies in a grid of whole tiles with a rim of one place around it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.kernels import kernel

TILE = 3  # places that a tile gives, each way
WINDOW = TILE + 2  # places that it takes
PRODUCTS = WINDOW * WINDOW
POINTS = (0.0, 1.0, -1.0, 2.0)  # and infinity

Floats = NDArray[np.float32]


def spread(weights: Floats) -> Floats:
    """[25, inputs, outputs]: weights [outputs, inputs, 3, 3] as the products take them."""
    rows = [
        [a**k / np.prod([a - b for b in POINTS if b != a]) for k in range(TILE)] for a in POINTS
    ]
    g = np.array([*rows, [0.0, 0.0, 1.0]])
    spread = np.einsum("ik,ocky,jy->ijco", g, weights.astype(np.float64), g)
    return np.ascontiguousarray(spread.reshape(PRODUCTS, *spread.shape[2:]), np.float32)


@kernel
def _take(a: Any, b: Any, c: Any, d: Any, e: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Five neighbours as the products take them."""
    two = np.float32(2.0)
    return (
        two * (a - c) + d - b,
        d - c - two * b,
        d - c + two * (b - c),
        d - b,
        e - c + two * (b - d),
    )


@kernel
def _give(a: Any, b: Any, c: Any, d: Any, e: Any) -> tuple[Any, Any, Any]:
    """Three places of what the products give."""
    two, four = np.float32(2.0), np.float32(4.0)
    return a + b + c + d, b - c + two * d, b + c + four * d + e


@kernel(contracts=True)
def take_tiles(board: Floats, corners: NDArray[np.int32], taken: Floats, first: int) -> None:
    """Write the tiles of a board [height, width, channels], cut off at 0, as rows from ``first``
    of ``taken`` [25, rows, channels]."""
    zero = np.float32(0.0)
    for tile in range(len(corners)):
        y, x = corners[tile, 0], corners[tile, 1]
        row = first + tile
        for i in range(WINDOW):
            for c in range(board.shape[2]):
                p, q, r, s, t = _take(
                    max(board[y, x + i, c], zero),
                    max(board[y + 1, x + i, c], zero),
                    max(board[y + 2, x + i, c], zero),
                    max(board[y + 3, x + i, c], zero),
                    max(board[y + 4, x + i, c], zero),
                )
                taken[i, row, c] = p
                taken[5 + i, row, c] = q
                taken[10 + i, row, c] = r
                taken[15 + i, row, c] = s
                taken[20 + i, row, c] = t
        for i in range(WINDOW):
            k = WINDOW * i
            for c in range(board.shape[2]):
                p, q, r, s, t = _take(
                    taken[k, row, c],
                    taken[k + 1, row, c],
                    taken[k + 2, row, c],
                    taken[k + 3, row, c],
                    taken[k + 4, row, c],
                )
                taken[k, row, c] = p
                taken[k + 1, row, c] = q
                taken[k + 2, row, c] = r
                taken[k + 3, row, c] = s
                taken[k + 4, row, c] = t


@kernel(contracts=True)
def give_tile(given: Floats, row: int, inner: Floats) -> None:
    """Write what the products of a tile come to into ``inner`` [9, channels]."""
    # The first stage overwrites products that are not needed any more.
    for j in range(WINDOW):
        for c in range(given.shape[2]):
            p, q, r = _give(
                given[j, row, c],
                given[5 + j, row, c],
                given[10 + j, row, c],
                given[15 + j, row, c],
                given[20 + j, row, c],
            )
            given[j, row, c] = p
            given[5 + j, row, c] = q
            given[10 + j, row, c] = r
    for i in range(TILE):
        k = WINDOW * i
        for c in range(given.shape[2]):
            p, q, r = _give(
                given[k, row, c],
                given[k + 1, row, c],
                given[k + 2, row, c],
                given[k + 3, row, c],
                given[k + 4, row, c],
            )
            inner[TILE * i, c] = p
            inner[TILE * i + 1, c] = q
            inner[TILE * i + 2, c] = r
