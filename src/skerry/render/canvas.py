"""What all parts of a picture share: its scene, its colours, and the definitions it needs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from math import atan2, hypot

from skerry.board import Board
from skerry.core.scene import Piece, Scene
from skerry.render import lettering
from skerry.render.layout import OUTLINES, Place, step
from skerry.render.markup import UNIT, element, use
from skerry.render.pieces import define, define_light, define_peg_shadow, kinds_of
from skerry.render.themes import SHADED, Ink, Theme, ink_of

LETTER_STROKE = 1.15  # of a glyph that is 9 high


@dataclass
class Canvas:
    """A scene about to be drawn in a theme; ``prefix`` keeps ids of several pictures apart."""

    scene: Scene
    theme: Theme
    prefix: str = ""
    definitions: dict[str, str] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        return self.scene.board

    def name(self, kind: str, cell: int) -> str:
        """The id of what belongs to a cell."""
        return f"{self.prefix}{kind}-{self.board.names[cell]}"

    def at(self, cell: int) -> Place:
        return self.board.drawn_at[cell]

    def outline(self, cell: int, size: float = 1.0) -> list[Place]:
        x, y = self.at(cell)
        return [(x + size * dx, y + size * dy) for dx, dy in OUTLINES[self.board.shape]]

    def ink(self, seat: int | None) -> Ink:
        return ink_of(self.theme, seat, self.scene.seats)

    def turn(self, direction: str) -> float:
        dx, dy = step(self.board, direction)
        return atan2(dy, dx)

    def define(self, name: str, draw: Callable[[str], str]) -> str:
        """The id of a definition, which is drawn under that id when it is first needed."""
        full = self.prefix + name
        if full not in self.definitions:
            self.definitions[full] = draw(full)
        return full

    def piece(self, piece: Piece) -> str:
        """The definition of what a piece looks like."""
        ink = self.ink(piece.seat)
        light = self.define("light", define_light) if self.theme.depth >= SHADED else ""
        return self.define(kinds_of(piece), lambda id: define(piece, ink, self.theme, id, light))

    def peg_shadow(self) -> str:
        return self.define("peg-shadow", define_peg_shadow)

    def write(self, text: str, middle: Place, height: float) -> str:
        """A few letters or digits around a place, ``height`` high; drawn in the group's stroke."""
        scale = height / lettering.HEIGHT
        x, y = middle
        shapes = []
        for letter, left in lettering.place(text):
            name = f"glyph-{height:g}-{letter}".replace(".", "")
            glyph = self.define(name, partial(_draw_glyph, letter, scale))
            # Small letters without a tail sit as high as the eye expects them to.
            base = height / 3 if text.isalpha() else height / 2
            shapes.append(use(glyph, (x + left * scale, y - base)))
        return "".join(shapes)


def _draw_glyph(letter: str, scale: float, id: str) -> str:
    size = f"scale({scale * UNIT:.3g})"
    return element("path", id=id, d=lettering.GLYPHS[letter][1], transform=size)


def lettering_style(colour: str) -> dict[str, str]:
    """The attributes of a group of written text."""
    return {
        "fill": "none",
        "stroke": colour,
        "stroke_width": f"{LETTER_STROKE:g}",
        "stroke_linecap": "round",
        "stroke_linejoin": "round",
    }


@lru_cache
def middle_of(board: Board) -> Place:
    """The middle of a board on the page."""
    xs, ys = zip(*board.drawn_at, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def away_from(board: Board, place: Place, distance: float) -> Place:
    """A place moved away from the middle of the board."""
    (x, y), (mid_x, mid_y) = place, middle_of(board)
    length = hypot(x - mid_x, y - mid_y) or 1.0
    return x + (x - mid_x) / length * distance, y + (y - mid_y) / length * distance
