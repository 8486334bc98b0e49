"""Marks that help a player: what the last move did and where the next one may go."""

import re
from collections.abc import Iterable
from dataclasses import replace

from skerry.board import Board
from skerry.core.scene import Scene

LAST = "last"  # a cell that the last move names
CHANGED = "changed"  # another cell that looks different since
TARGET = "target"  # an empty cell where a piece may be placed

CELL_NAME = re.compile(r"[a-z]\d+")


def named_cells(board: Board, move: str) -> list[int]:
    """The cells that a move's notation names, in its order."""
    names = CELL_NAME.findall(move)
    return [board.index[name] for name in names if name in board.index]


def mark_last(scene: Scene, move: str, before: Scene | None = None) -> Scene:
    """The scene with the last move marked, and what else it changed."""
    marks = dict(scene.marks)
    if before is not None:
        for cell in range(len(scene.board)):
            if scene.pieces.get(cell) != before.pieces.get(cell):
                marks[cell] = CHANGED
    marks.update(dict.fromkeys(named_cells(scene.board, move), LAST))
    return replace(scene, marks=marks)


def mark_targets(scene: Scene, moves: Iterable[str]) -> Scene:
    """The scene with the cells marked where a piece may be placed.

    Moves that name two cells start from a piece and are no placements. Where every empty cell is
    a target there is nothing to point out.
    """
    named = [named_cells(scene.board, move) for move in moves]
    targets = {cells[0] for cells in named if len(cells) == 1}
    empty = {cell for cell in range(len(scene.board)) if cell not in scene.pieces}
    if targets == empty:
        return scene
    marks = dict.fromkeys(sorted(targets & empty), TARGET)
    return replace(scene, marks={**marks, **scene.marks})
