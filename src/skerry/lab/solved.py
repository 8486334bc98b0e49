"""Boards that have been solved exactly, as ``tools/solved.py`` has written them down."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from skerry.core.scene import HEAT, Arrow, Mark, Overlay
from skerry.games import make

if TYPE_CHECKING:
    from skerry.core.state import State
    from skerry.search.solver import Solution

FILE = Path(__file__).with_name("solved.json")

Row = tuple[str, dict[str, int], int | None]  # game, options, and the seed where there is a deal


@dataclass(frozen=True)
class SolvedBoard:
    """A board, and what best play comes to on it.

    ``seed`` is that of the deal; games without one have None. ``optimal`` are the first moves that
    keep the value, of ``moves`` in all. Nodes depend on the ``entries`` of the table alone.
    """

    game: str
    options: dict[str, int]
    seed: int | None
    returns: tuple[float, ...]
    forceable: tuple[bool, ...]
    optimal: tuple[str, ...]
    moves: int
    entries: int
    nodes: int
    seconds: float  # of one core

    @property
    def row(self) -> Row:
        return self.game, self.options, self.seed

    @property
    def winner(self) -> int | None:
        """The seat that wins under best play; nobody in a draw."""
        best = max(self.returns)
        return self.returns.index(best) if best > 0 else None

    @property
    def forcing(self) -> int | None:
        """The seat that wins even if all others play against it."""
        return self.forceable.index(True) if any(self.forceable) else None

    @property
    def is_any_move_optimal(self) -> bool:
        return len(self.optimal) == self.moves

    def name(self) -> str:
        """The board in words: options, and the deal where there is one."""
        text = " ".join(f"{option}={value}" for option, value in self.options.items())
        return f"{text} seed={self.seed}" if self.seed is not None else text

    def start(self) -> "State":
        """The position that was solved."""
        return make(self.game, **self.options).initial(self.seed or 0)


def record_solution(
    row: Row, found: "Solution", moves: int, entries: int, seconds: float
) -> SolvedBoard:
    """What the solver found on a board that has so many first moves."""
    return SolvedBoard(
        *row,
        returns=found.returns,
        forceable=found.forceable,
        optimal=tuple(map(str, found.optimal_moves)),
        moves=moves,
        entries=entries,
        nodes=found.nodes,
        seconds=round(seconds, 1),
    )


def write_solved(boards: Iterable[SolvedBoard], path: Path = FILE) -> None:
    """Write boards down, one on each line."""
    rows = [json.dumps(asdict(board), ensure_ascii=False) for board in boards]
    path.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


def read_solved(path: Path = FILE) -> tuple[SolvedBoard, ...]:
    """The boards of a file."""
    lists = "returns", "forceable", "optimal"
    return tuple(
        SolvedBoard(**row | {name: tuple(row[name]) for name in lists})
        for row in json.loads(path.read_text(encoding="utf-8"))
    )


@cache
def list_solved() -> tuple[SolvedBoard, ...]:
    """All boards that are known, game by game and from small to large."""
    return read_solved()


def mark_optimal(board: SolvedBoard, state: "State") -> Overlay:
    """The first moves that keep the value, on the board; where all do, only where they begin."""
    cells, seat = state.game.board.index, state.turn
    marks: dict[int, Mark] = {}
    arrows: dict[tuple[int, object], Arrow] = {}
    for move in state.legal_moves():
        if str(move) not in board.optimal:
            continue
        begin, *rest = state.path(move)
        cell = cells.get(begin, -1)
        if cell < 0:
            continue
        marks[cell] = Mark(cell, HEAT, seat, 1.0)
        if rest and not board.is_any_move_optimal:
            goal = cells.get(rest[0], rest[0])
            arrows[cell, goal] = Arrow(cell, goal, seat, 1.0)
    return Overlay(marks=tuple(marks.values()), arrows=tuple(arrows.values()))
