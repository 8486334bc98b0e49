"""The three shapes our games are played on, at any size."""

from functools import lru_cache

from skerry.board.geometry import LETTERS, Board, Point

HEX_DIRECTIONS = ("e", "ne", "nw", "w", "sw", "se")
HEX_STEPS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
HEX_ROW_HEIGHT = 3**0.5 / 2

RHOMBUS_DIRECTIONS = ("letter+", "number+", "up", "letter-", "number-", "down")
RHOMBUS_STEPS = ((1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1))

# Each direction is followed by its opposite; the first of a pair leads to higher cell numbers.
SQUARE_DIRECTIONS = ("n", "s", "e", "w", "ne", "sw", "nw", "se")
SQUARE_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (-1, 1), (1, -1))


@lru_cache
def hexagon(side: int) -> Board:
    """A regular hexagon in horizontal rows; points are (half steps east, rows north).

    Row ``a`` is the bottom row. The symmetries are the six rotations by 60 degrees, each plain
    and mirrored.
    """
    middle = side - 1
    rows: list[range] = []
    names: list[str] = []
    points: list[Point] = []
    for row in range(2 * side - 1):
        indent = abs(row - middle)
        length = 2 * side - 1 - indent
        rows.append(range(len(points), len(points) + length))
        names += [f"{LETTERS[row]}{i + 1}" for i in range(length)]
        points += [(indent + 2 * i, row) for i in range(length)]

    def rotated(point: Point, sixths: int, mirrored: bool) -> Point:
        u, v = point[0] - 2 * middle, point[1] - middle
        if mirrored:
            v = -v
        for _ in range(sixths):
            u, v = (u - 3 * v) // 2, (u + v) // 2
        return u + 2 * middle, v + middle

    def symmetry(sixths: int, mirrored: bool):  # type: ignore[no-untyped-def]
        return lambda point: rotated(point, sixths, mirrored)

    return Board(
        shape="hexagon",
        rows=tuple(rows),
        names=tuple(names),
        points=tuple(points),
        direction_names=HEX_DIRECTIONS,
        steps=HEX_STEPS,
        symmetry_maps=tuple(symmetry(k, m) for m in (False, True) for k in range(6)),
        drawn_at=tuple((x / 2, y * HEX_ROW_HEIGHT) for x, y in points),
    )


def hexagon_sides(board: Board) -> tuple[tuple[int, ...], ...]:
    """The six sides of a hexagon in cyclic order, each with both of its corners."""
    bottom = board.rows[0]
    return tuple(
        tuple(int(cell) for cell in board.symmetries[turn].cells[list(bottom)]) for turn in range(6)
    )


@lru_cache
def rhombus(size: int) -> Board:
    """A wide diamond of hexes; points are (letter, number) from 0.

    ``a1`` is the left corner, the last letter with 1 the top, the last of both the right corner.
    """
    last = size - 1
    points = tuple((letter, number) for letter in range(size) for number in range(size))
    return Board(
        shape="rhombus",
        rows=tuple(range(row * size, (row + 1) * size) for row in range(size)),
        names=tuple(f"{LETTERS[letter]}{number + 1}" for letter, number in points),
        points=points,
        direction_names=RHOMBUS_DIRECTIONS,
        steps=RHOMBUS_STEPS,
        symmetry_maps=(
            lambda p: p,
            lambda p: (p[1], p[0]),
            lambda p: (last - p[0], last - p[1]),
            lambda p: (last - p[1], last - p[0]),
        ),
        # Flat-topped hexes: (letter + 1, number - 1) is straight above.
        drawn_at=tuple(((n + m) * HEX_ROW_HEIGHT, (n - m) / 2) for n, m in points),
    )


@lru_cache
def square(width: int, height: int) -> Board:
    """Squares with chess names; points are (column, row) from 0.

    The symmetries are the mirrors that keep columns columns: none, left-right, up-down, both.
    """
    points = tuple((column, row) for row in range(height) for column in range(width))
    right, top = width - 1, height - 1
    return Board(
        shape="square",
        rows=tuple(range(row * width, (row + 1) * width) for row in range(height)),
        names=tuple(f"{LETTERS[column]}{row + 1}" for column, row in points),
        points=points,
        direction_names=SQUARE_DIRECTIONS,
        steps=SQUARE_STEPS,
        symmetry_maps=(
            lambda p: p,
            lambda p: (right - p[0], p[1]),
            lambda p: (p[0], top - p[1]),
            lambda p: (right - p[0], top - p[1]),
        ),
        drawn_at=tuple((float(x), float(y)) for x, y in points),
    )
