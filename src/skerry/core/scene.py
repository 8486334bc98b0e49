"""A scene: what there is to see in a position, said without colours or shapes.

Games emit scenes and renderers draw them; neither knows the other. What explains a position is an
``Overlay``: overlays can be added up and laid upon any scene of the same board. A renderer
registers itself under the name of its face (``text``, ``svg``), so that states can be asked for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skerry.board import Board

# What a mark says about its cell.
LAST = "last"  # the last move names it
CHANGED = "changed"  # it looks different since the last move
SELECTED = "selected"  # it is chosen
TARGET = "target"  # a piece may come here
CAPTURE = "capture"  # a piece here may be taken
DANGER = "danger"  # the other seats may take what stands here
PASSED = "passed"  # a move leads over it
COUNTS = "counts"  # what stands here counts for its seat
HEAT = "heat"  # how much somebody thought of a move here, and what of it
STEP = "step"  # where a line of moves goes, by number
MARKS = (LAST, CHANGED, SELECTED, TARGET, CAPTURE, DANGER, PASSED, COUNTS, HEAT, STEP)


@dataclass(frozen=True)
class Piece:
    """Something standing on a cell. ``seat`` is None for a piece that belongs to nobody."""

    seat: int | None
    kind: str
    letter: str  # as in the position text
    facing: str | None = None  # name of a direction of the board

    def in_words(self, seats: Sequence[str]) -> str:
        """``First peg leaning ne``, or ``neutral peg``."""
        owner = "neutral" if self.seat is None else seats[self.seat]
        return f"{owner} {self.kind}{f' leaning {self.facing}' if self.facing else ''}"


@dataclass(frozen=True)
class Mark:
    """Something to point out about a cell; ``weight`` is from 0 to 1, ``text`` a few digits."""

    cell: int
    kind: str
    seat: int | None = None
    weight: float = 1.0
    text: str = ""


@dataclass(frozen=True)
class Chain:
    """Cells that belong together: a line through their centres, with a head if it leads on."""

    cells: tuple[int, ...]
    seat: int | None = None
    leads: bool = False


@dataclass(frozen=True)
class Arrow:
    """A move from a cell, to another one or one step in a direction of the board."""

    cell: int
    to: int | str
    seat: int | None = None
    weight: float = 1.0


@dataclass(frozen=True)
class Side:
    """A side of the board, by its first and last cell, that a seat has to do with."""

    first: int
    last: int
    seat: int | None


@dataclass(frozen=True)
class Flag:
    """A corner of the board that a seat owns, for good or as it stands."""

    cell: int
    seat: int | None
    final: bool


@dataclass(frozen=True)
class Overlay:
    """What explains a position; ``words`` say it to those who do not see it."""

    marks: tuple[Mark, ...] = ()
    chains: tuple[Chain, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    sides: tuple[Side, ...] = ()
    flags: tuple[Flag, ...] = ()
    tally: tuple[int, ...] = ()  # what each seat has
    beats: tuple[tuple[str, tuple[str, ...]], ...] = ()  # kinds of pieces, and what they beat
    words: tuple[str, ...] = ()

    def __add__(self, other: "Overlay") -> "Overlay":
        """Both; there is one tally and one guide, and the later one counts."""
        return Overlay(
            self.marks + other.marks,
            self.chains + other.chains,
            self.arrows + other.arrows,
            self.sides + other.sides,
            self.flags + other.flags,
            other.tally or self.tally,
            other.beats or self.beats,
            self.words + other.words,
        )


@dataclass(frozen=True)
class Scene:
    """A board with its pieces; ``zones`` names special cells, ``surface`` what cells are."""

    board: "Board"
    seats: tuple[str, ...]
    pieces: Mapping[int, Piece]
    zones: Mapping[int, str] = field(default_factory=dict)
    surface: str = "cells"  # or "holes"
    overlay: Overlay = Overlay()

    def under(self, overlay: Overlay) -> "Scene":
        """The scene with an overlay laid upon what it has already."""
        return replace(self, overlay=self.overlay + overlay)

    def marked(self, kind: str) -> dict[int, Mark]:
        """The marks of one kind by their cells; the last one of a cell counts."""
        return {mark.cell: mark for mark in self.overlay.marks if mark.kind == kind}


FACES: dict[str, Callable[..., str]] = {}
