"""A scene: what there is to see in a position, said without colours or shapes.

Games emit scenes and renderers draw them; neither knows the other. A renderer registers itself
under the name of its face (``text``, ``svg``), so that states can be asked for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skerry.board import Board


@dataclass(frozen=True)
class Piece:
    """Something standing on a cell. ``seat`` is None for a piece that belongs to nobody."""

    seat: int | None
    kind: str
    letter: str  # as in the position text
    facing: str | None = None  # name of a direction of the board


@dataclass(frozen=True)
class Scene:
    """A board with its pieces; ``zones`` names special cells and ``marks`` those to point out."""

    board: "Board"
    seats: tuple[str, ...]
    pieces: Mapping[int, Piece]
    zones: Mapping[int, str] = field(default_factory=dict)
    marks: Mapping[int, str] = field(default_factory=dict)


FACES: dict[str, Callable[..., str]] = {}
