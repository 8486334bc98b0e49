"""Connections on a board: what hangs together, and short lines through it."""

from collections import deque
from collections.abc import Collection, Sequence

from skerry.board.geometry import Board

NOWHERE = -1


def groups(board: Board, cells: Collection[int]) -> list[set[int]]:
    """The cells in groups of neighbours."""
    left, found = set(cells), []
    while left:
        group = set(_search(board, left, [min(left)]))
        found.append(group)
        left -= group
    return found


def joining_lines(
    board: Board, cells: Collection[int], ends: Sequence[Collection[int]]
) -> tuple[tuple[int, ...], ...]:
    """Short lines through ``cells`` that join all ends, each given as the cells it may be.

    They meet in the cell that is nearest to all ends together; two ends are joined by one line.
    There are none where the cells do not join the ends.
    """
    allowed = set(cells)
    ways = [_search(board, allowed, sorted(allowed.intersection(end))) for end in ends]
    common = sorted(set.intersection(*map(set, ways))) if ways else []
    if not common:
        return ()
    hub = min(common, key=lambda cell: sum(len(_follow(way, cell)) for way in ways))
    lines = [_follow(way, hub) for way in ways]
    if len(lines) == 2:
        return ((*reversed(lines[0]), *lines[1][1:]),)
    return tuple(tuple(line) for line in lines)


def _search(board: Board, cells: set[int], starts: Sequence[int]) -> dict[int, int]:
    """From every cell that can be reached, the next one on a shortest way back to the starts."""
    back = dict.fromkeys(starts, NOWHERE)
    queue = deque(starts)
    while queue:
        cell = queue.popleft()
        for other in board.adjacent(cell):
            if other in cells and other not in back:
                back[other] = cell
                queue.append(other)
    return back


def _follow(back: dict[int, int], cell: int) -> list[int]:
    line = [cell]
    while (cell := back[cell]) != NOWHERE:
        line.append(cell)
    return line
