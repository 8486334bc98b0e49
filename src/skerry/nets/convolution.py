"""Convolutions of 3 by 3 in few products, by tiles (Winograd's F(m x m, 3 x 3)).

A tile of 3 by 3 places comes of 25 products instead of 81, one of 4 by 4 of 36 instead of 144, and
one of 5 by 5 of 49 instead of 225; a board is laid out in whichever fit it best. All arrays have
their channels last. A board lies in a grid of whole tiles with a rim of one place around it.
"""

from itertools import pairwise

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import NDArray

from skerry.core.kernels import kernel
from skerry.nets.vectors import transformer

REACH = 3  # places of the weights, each way
# By how many places a tile gives each way: where polynomials are interpolated, and at infinity.
POINTS = {
    3: (1.0, -1.0, 0.0, 2.0),
    4: (1.0, -1.0, 2.0, -2.0, 0.0),
    5: (1.0, -1.0, 2.0, -2.0, 0.5, -0.5),
}

Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]


def choose_size(places: NDArray[np.int64]) -> int:
    """The tiles for which a board with these places [places, 2] needs the least work."""

    def measure(size: int) -> float:
        return len(np.unique(places // size, axis=0)) * (size + REACH - 1) ** 2

    return min(POINTS, key=measure)


def spread(weights: Floats, size: int) -> Floats:
    """[products, inputs, outputs]: weights [outputs, inputs, 3, 3] as the products take them."""
    points = POINTS[size]
    rows = [
        [a**k / np.prod([a - b for b in points if b != a]) for k in range(REACH)] for a in points
    ]
    g = np.array([*rows, [0.0, 0.0, 1.0]])
    spread = np.einsum("ik,ocky,jy->ijco", g, weights.astype(np.float64), g)
    return np.ascontiguousarray(spread.reshape(-1, *spread.shape[2:]), np.float32)


def pair_points(size: int) -> Matrix:
    """Adds to what comes of a point what comes of its negative, and takes that from it."""
    points = (*POINTS[size], np.inf)
    pairs = np.eye(len(points))
    for n, (one, other) in enumerate(pairwise(points)):
        if one == -other:
            pairs[n : n + 2, n : n + 2] = [[1, 1], [1, -1]]
    return pairs


def list_taking(size: int) -> tuple[Matrix, Matrix]:
    """Of neighbours what the products take: even and odd powers by themselves, then their sums."""
    points, pairs = POINTS[size], pair_points(size)
    taken = np.zeros((len(points) + 1, len(points) + 1))
    for n, point in enumerate(points):
        taken[n, :-1] = polynomial.polyfromroots([b for b in points if b != point])
    taken[-1] = polynomial.polyfromroots(points)
    return np.linalg.inv(pairs) @ taken, pairs


def list_giving(size: int) -> tuple[Matrix, Matrix]:
    """Of products the places of a tile, in two steps likewise."""
    points, pairs = POINTS[size], pair_points(size)
    given = np.zeros((size, len(points) + 1))
    given[:, :-1] = np.power.outer(np.array(points), np.arange(size)).T
    given[-1, -1] = 1
    return pairs, given @ np.linalg.inv(pairs)


cut_three, cut_four, cut_five = (transformer(*list_taking(size), cuts=True) for size in POINTS)
take_three, take_four, take_five = (transformer(*list_taking(size)) for size in POINTS)
give_three, give_four, give_five = (transformer(*list_giving(size)) for size in POINTS)


@kernel(contracts=True)
def take_tiles(
    board: Floats, corners: NDArray[np.int32], size: int, taken: Floats, first: int
) -> None:
    """Write the tiles of a board [height, width, channels], cut off at 0, as rows from ``first``
    of ``taken`` [products, rows, channels]."""
    _, width, n = board.shape
    down, window = width * n, size + 2
    apart = taken.shape[1] * n
    for tile in range(len(corners)):
        y, x = corners[tile, 0], corners[tile, 1]
        row = (first + tile) * n
        for i in range(window):
            start, out = (y * width + x + i) * n, i * apart + row
            if size == 3:
                cut_three(board, start, down, taken, out, window * apart, n)
            elif size == 4:
                cut_four(board, start, down, taken, out, window * apart, n)
            else:
                cut_five(board, start, down, taken, out, window * apart, n)
        for i in range(window):
            start = i * window * apart + row
            if size == 3:
                take_three(taken, start, apart, taken, start, apart, n)
            elif size == 4:
                take_four(taken, start, apart, taken, start, apart, n)
            else:
                take_five(taken, start, apart, taken, start, apart, n)


@kernel
def _give(
    size: int, given: Floats, start: int, apart: int, out: Floats, first: int, between: int, n: int
) -> None:
    if size == 3:
        give_three(given, start, apart, out, first, between, n)
    elif size == 4:
        give_four(given, start, apart, out, first, between, n)
    else:
        give_five(given, start, apart, out, first, between, n)


@kernel(contracts=True)
def give_tile(given: Floats, row: int, size: int, inner: Floats) -> None:
    """Write what the products of a tile come to into ``inner`` [size * size, channels]."""
    n, window = given.shape[2], size + 2
    apart = given.shape[1] * n
    # The first stage overwrites products that are not needed any more.
    for j in range(window):
        start = j * apart + row * n
        _give(size, given, start, window * apart, given, start, window * apart, n)
    for i in range(size):
        _give(size, given, i * window * apart + row * n, apart, inner, i * size * n, n, n)
