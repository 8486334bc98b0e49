"""A net at work on a CPU: what it says of positions.

The same sums as ``train.net``'s, in kernels that need nothing but Numba. Positions go through the
net some at a time, since reading its weights takes as long as using them for a few.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.nets.convolution import REACH, choose_size, give_tile, spread, take_tiles
from skerry.nets.file import Net
from skerry.nets.matrices import COLUMNS, ROWS, Floats, multiply, pack
from skerry.nets.shape import HEAD, hears
from skerry.nets.sight import look_at

AT_ONCE = 8  # positions that go through the net together

Codes = NDArray[np.uint8]
Numbers = NDArray[np.int64]


class Weights(NamedTuple):
    """The weights of a net as kernels take them."""

    enter: Floats  # [9, kinds + 1, channels] of a neighbour, by what stands there
    enter_bias: Floats
    told: Floats  # [facts, channels]
    inner: Floats  # [convolutions, products of a tile, packed]
    inner_bias: Floats  # [convolutions, channels]
    hears: Floats  # [blocks, 2 * channels, channels]
    hears_bias: Floats  # [blocks, channels]
    listens: NDArray[np.bool_]  # [blocks]
    heads: Floats  # packed [channels, 2 * HEAD] policy first, then outlook
    heads_bias: Floats
    policy_hears: Floats
    policy_hears_bias: Floats
    policy_out: Floats  # [HEAD, ways]
    policy_out_bias: Floats
    policy_extras: Floats  # [2 * HEAD, extras]
    policy_extras_bias: Floats
    outlook_inner: Floats
    outlook_inner_bias: Floats
    outlook_out: Floats
    outlook_out_bias: Floats


class Ground(NamedTuple):
    """The board as kernels take it."""

    labels: Numbers  # [seats, codes]
    places: Numbers  # [cells, 2] where a cell is on the grid with a rim
    near: Numbers  # [cells, 9] the cells around a cell, or -1
    size: int  # of a tile, each way
    corners: NDArray[np.int32]  # [tiles, 2]
    tiled: Numbers  # [tiles, size * size] the cells of a tile, or -1
    options: Floats


class Desk(NamedTuple):
    """Room for positions on their way through a net; each thread has its own."""

    stream: Floats  # [AT_ONCE, height, width, channels] on a grid with a rim
    branch: Floats  # the same, inside a block
    taken: Floats  # [products, rows, channels]
    given: Floats
    tile: Floats  # [size * size, channels]
    heard: Floats  # [2 * channels]
    shift: Floats  # [channels]
    facts: Floats
    flat: Floats  # [cells, channels]
    head: Floats  # [cells, 2 * HEAD]


def unpack(net: Net, size: int) -> Weights:
    """The weights of a net as kernels take them for tiles of a size; channels are filled up to
    whole vectors."""
    w, shape = net.weights, net.shape
    width = -(-shape.channels // COLUMNS) * COLUMNS
    kinds = shape.planes

    def wide(array: Floats, *axes: int) -> Floats:
        """With channels of zeros at the end of some axes."""
        more = [(0, width - shape.channels if axis in axes else 0) for axis in range(array.ndim)]
        return np.ascontiguousarray(np.pad(array, more))

    def turned(name: str) -> Floats:
        """[inputs, outputs]"""
        return np.ascontiguousarray(w[name].reshape(len(w[name]), -1).T)

    def halves(name: str) -> Floats:
        """What hears of means and of squares has inputs for both."""
        both = turned(name)
        half = len(both) // 2
        return np.concatenate([wide(both[:half], 0, 1), wide(both[half:], 0, 1)])

    planes = w["enter.weight"].transpose(2, 3, 1, 0).reshape(9, -1, shape.channels)
    board = planes[:, kinds : kinds + 1]
    enter = np.concatenate([board, planes[:, :kinds] + board], 1)
    inner, inner_bias = [], []
    for number in range(shape.blocks):
        for part in ("first", "second"):
            name = f"blocks.{number}.{part}"
            products = wide(spread(w[f"{name}.weight"], size), 1, 2)
            inner.append([pack(each) for each in products])
            inner_bias.append(wide(w[f"{name}.bias"], 0))
    none = np.zeros((2 * width, width), np.float32), np.zeros(width, np.float32)
    heard = [
        (halves(f"blocks.{n}.hears.weight"), wide(w[f"blocks.{n}.hears.bias"], 0))
        if hears(n)
        else none
        for n in range(shape.blocks)
    ]
    heads = np.concatenate([turned("policy_in.weight"), turned("outlook_in.weight")], 1)
    return Weights(
        enter=wide(enter, 2),
        enter_bias=wide(w["enter.bias"] + w["told.bias"], 0),
        told=wide(turned("told.weight"), 1),
        inner=np.array(inner),
        inner_bias=np.array(inner_bias),
        hears=np.array([each for each, _ in heard]),
        hears_bias=np.array([each for _, each in heard]),
        listens=np.array([hears(n) for n in range(shape.blocks)]),
        heads=pack(wide(heads, 0)),
        heads_bias=np.concatenate([w["policy_in.bias"], w["outlook_in.bias"]]),
        policy_hears=turned("policy_hears.weight"),
        policy_hears_bias=w["policy_hears.bias"],
        policy_out=turned("policy_out.weight"),
        policy_out_bias=w["policy_out.bias"],
        policy_extras=turned("policy_extras.weight")[:, : shape.extras].copy(),
        policy_extras_bias=w["policy_extras.bias"][: shape.extras].copy(),
        outlook_inner=turned("outlook_inner.weight"),
        outlook_inner_bias=w["outlook_inner.bias"],
        outlook_out=turned("outlook_out.weight"),
        outlook_out_bias=w["outlook_out.bias"],
    )


def survey(game: Game) -> Ground:
    """The board of a game as kernels take it."""
    sight = look_at(game)
    size = choose_size(np.stack(np.divmod(sight.places, sight.width), 1))
    height, width = (-(-n // size) * size for n in (sight.height, sight.width))
    cell_at = np.full((height + 2, width + 2), -1, np.int64)
    places = np.stack(np.divmod(sight.places, sight.width), 1) + 1
    cell_at[places[:, 0], places[:, 1]] = np.arange(len(places))
    around = np.lib.stride_tricks.sliding_window_view(cell_at, (3, 3))
    windows = np.lib.stride_tricks.sliding_window_view(cell_at, (size, size))
    corners = [
        (y, x)
        for y in range(0, height, size)
        for x in range(0, width, size)
        if (windows[y + 1, x + 1] >= 0).any()
    ]
    return Ground(
        labels=sight.labels,
        places=places,
        near=np.array([around[y - 1, x - 1].ravel() for y, x in places]),
        size=size,
        corners=np.array(corners, np.int32),
        tiled=np.array([windows[y + 1, x + 1].ravel() for y, x in corners]),
        options=sight.options,
    )


def set_up(weights: Weights, ground: Ground) -> Desk:
    """Room for positions on their way through a net."""
    channels = weights.enter.shape[2]
    cells, tiles = len(ground.places), len(ground.corners)
    height, width = ground.corners.max(0) + ground.size + 2
    products = (ground.size + REACH - 1) ** 2
    # An odd number of rows, or many of them would share their places in the cache.
    rows = -(-AT_ONCE * tiles // ROWS) * ROWS | 1

    def room(*shape: int) -> Floats:
        return np.zeros(shape, np.float32)

    return Desk(
        stream=room(AT_ONCE, height, width, channels),
        branch=room(AT_ONCE, height, width, channels),
        taken=room(products, rows, channels),
        given=room(products, rows, channels),
        tile=room(ground.size * ground.size, channels),
        heard=room(2 * max(channels, HEAD)),
        shift=room(max(channels, 2 * HEAD)),
        facts=room(len(weights.told)),
        flat=room(-(-cells // ROWS) * ROWS, channels),
        head=room(-(-cells // ROWS) * ROWS, 2 * HEAD),
    )


@kernel(contracts=True)
def combine(inputs: Floats, weights: Floats, bias: Floats, out: Floats) -> None:
    """A linear layer for one vector."""
    for o in range(len(bias)):
        out[o] = bias[o]
    for i in range(len(weights)):
        for o in range(len(bias)):
            out[o] += inputs[i] * weights[i, o]


@kernel(contracts=True)
def enter_board(
    weights: Weights,
    ground: Ground,
    codes: Any,
    seat: int,
    counter: int,
    strangers: int,
    desk: Desk,
    k: int,
) -> None:
    """The first layer: what stands on and around each cell, and the facts."""
    facts, shift, stream = desk.facts, desk.shift, desk.stream
    seats = len(ground.labels)
    facts[:] = 0
    facts[seat] = 1
    facts[seats] = counter / 100
    facts[seats + 1] = min(counter, 1)
    for n in range(len(ground.options)):
        facts[seats + 2 + n] = ground.options[n]
    first = seats + 2 + len(ground.options)
    for place in range(len(facts) - first):  # none in nets that are not told
        facts[first + place] = strangers >> (seat + place) % seats & 1
    combine(facts, weights.told, weights.enter_bias, shift)
    channels = stream.shape[3]
    for cell in range(len(ground.places)):
        y, x = ground.places[cell, 0], ground.places[cell, 1]
        for c in range(channels):
            stream[k, y, x, c] = shift[c]
        for n in range(9):
            other = ground.near[cell, n]
            if other >= 0:
                label = ground.labels[seat, codes[other]]
                for c in range(channels):
                    stream[k, y, x, c] += weights.enter[n, label, c]


@kernel(contracts=True)
def convolve(
    ground: Ground,
    board: Floats,
    weights: Floats,
    bias: Floats,
    out: Floats,
    adds: bool,
    count: int,
    desk: Desk,
) -> None:
    """A convolution of what is above 0 on each board, written over ``out`` or added to it."""
    tiles, channels = len(ground.corners), board.shape[3]
    for k in range(count):
        take_tiles(board[k], ground.corners, ground.size, desk.taken, k * tiles)
    for n in range(len(weights)):
        multiply(desk.taken[n], weights[n], desk.given[n], count * tiles)
    tile = desk.tile
    for k in range(count):
        for number in range(tiles):
            give_tile(desk.given, k * tiles + number, ground.size, tile)
            for n in range(len(tile)):
                cell = ground.tiled[number, n]
                if cell >= 0:
                    y, x = ground.places[cell, 0], ground.places[cell, 1]
                    if adds:
                        for c in range(channels):
                            out[k, y, x, c] += tile[n, c] + bias[c]
                    else:
                        for c in range(channels):
                            out[k, y, x, c] = tile[n, c] + bias[c]


@kernel(contracts=True)
def pool(flat: Floats, cells: int, first: int, channels: int, heard: Floats) -> None:
    """Of each channel the mean and the root mean square, of values that are cut off at 0."""
    zero = np.float32(0.0)
    for c in range(2 * channels):
        heard[c] = 0
    for cell in range(cells):
        for c in range(channels):
            value = max(flat[cell, first + c], zero)
            heard[c] += value
            heard[channels + c] += value * value
    for c in range(channels):
        heard[c] /= cells
        heard[channels + c] = np.sqrt(heard[channels + c] / cells + np.float32(1e-4))


@kernel
def gather(ground: Ground, board: Floats, flat: Floats) -> None:
    """The cells of a board one after the other, cut off at 0."""
    for cell in range(len(ground.places)):
        y, x = ground.places[cell, 0], ground.places[cell, 1]
        for c in range(board.shape[2]):
            flat[cell, c] = max(board[y, x, c], np.float32(0.0))


@kernel(contracts=True)
def run_block(weights: Weights, ground: Ground, number: int, count: int, desk: Desk) -> None:
    """Two convolutions beside a shortcut; some hear of the whole board between them."""
    first, second = 2 * number, 2 * number + 1
    stream, branch, shift = desk.stream, desk.branch, desk.shift
    inner, bias = weights.inner, weights.inner_bias
    convolve(ground, stream, inner[first], bias[first], branch, False, count, desk)
    if weights.listens[number]:
        cells, channels = len(ground.places), stream.shape[3]
        for k in range(count):
            gather(ground, branch[k], desk.flat)
            pool(desk.flat, cells, 0, channels, desk.heard)
            combine(desk.heard, weights.hears[number], weights.hears_bias[number], shift)
            for cell in range(cells):
                y, x = ground.places[cell, 0], ground.places[cell, 1]
                for c in range(channels):
                    branch[k, y, x, c] += shift[c]
    convolve(ground, branch, inner[second], bias[second], stream, True, count, desk)


@kernel(contracts=True)
def speak(
    weights: Weights, ground: Ground, k: int, desk: Desk, logits: Floats, outlook: Floats
) -> None:
    """Logits of all actions, and the chances of the mover, the next seats, and a draw."""
    zero = np.float32(0.0)
    cells = len(ground.places)
    flat, head, heard, shift = desk.flat, desk.head, desk.heard, desk.shift
    gather(ground, desk.stream[k], flat)
    multiply(flat, weights.heads, head, cells)
    for cell in range(cells):
        for c in range(2 * HEAD):
            head[cell, c] = max(head[cell, c] + weights.heads_bias[c], zero)
    pool(head, cells, 0, HEAD, heard)
    ways = weights.policy_out.shape[1]
    for n in range(weights.policy_extras.shape[1]):
        total = weights.policy_extras_bias[n]
        for i in range(2 * HEAD):
            total += heard[i] * weights.policy_extras[i, n]
        logits[cells * ways + n] = total
    combine(heard, weights.policy_hears, weights.policy_hears_bias, shift)
    for cell in range(cells):
        at = cell * ways
        for way in range(ways):
            logits[at + way] = weights.policy_out_bias[way]
        for c in range(HEAD):
            value = max(head[cell, c] + shift[c], zero)
            for way in range(ways):
                logits[at + way] += value * weights.policy_out[c, way]
    pool(head, cells, HEAD, HEAD, heard)
    combine(heard, weights.outlook_inner, weights.outlook_inner_bias, shift)
    for c in range(2 * HEAD):
        shift[c] = max(shift[c], zero)
    combine(shift, weights.outlook_out, weights.outlook_out_bias, outlook)
    highest = outlook.max()
    for n in range(len(outlook)):
        outlook[n] = np.exp(outlook[n] - highest)
    total = outlook.sum()
    for n in range(len(outlook)):
        outlook[n] /= total


@kernel
def evaluate(
    weights: Weights,
    ground: Ground,
    desk: Desk,
    codes: Codes,
    seats: Numbers,
    counters: Numbers,
    strangers: Numbers,
    logits: Floats,
    outlooks: Floats,
) -> None:
    """What a net says of positions: [positions, actions] and [positions, seats + 1].

    ``strangers`` has a bit for every seat that others than the net are known to have.
    """
    for first in range(0, len(codes), AT_ONCE):
        count = min(AT_ONCE, len(codes) - first)
        for k in range(count):
            at = first + k
            enter_board(weights, ground, codes[at], seats[at], counters[at], strangers[at], desk, k)
        for number in range(len(weights.listens)):
            run_block(weights, ground, number, count, desk)
        for k in range(count):
            speak(weights, ground, k, desk, logits[first + k], outlooks[first + k])
