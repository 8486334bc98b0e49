"""A scene as a self-contained SVG picture.

Every cell and piece has a stable id (``cell-e5``, ``piece-e5``) for scripts and style sheets.
Colours are attributes, not style rules, so that several pictures can share a page.
"""

from dataclasses import dataclass
from xml.sax.saxutils import escape

from skerry.core.scene import Scene
from skerry.render.layout import OUTLINES, Place, labels
from skerry.render.marks import LAST, TARGET
from skerry.render.markup import circle, element, number, path, text
from skerry.render.pieces import draw_piece
from skerry.render.themes import Theme, ink_of, theme_named

MARGIN = 0.35  # around the labels
LABEL_SIZE = 0.38
LINE = 0.03


@dataclass(frozen=True)
class Picture:
    """A scene about to be drawn in a theme."""

    scene: Scene
    theme: Theme

    def cells(self) -> str:
        board = self.scene.board
        shapes = []
        for cell, name in enumerate(board.names):
            zone = self.scene.zones.get(cell)
            fill = self.theme.zone if zone else None
            if board.shape == "square" and sum(board.points[cell]) % 2 == 0:
                fill = fill or self.theme.other_cell
            shapes.append(
                path(
                    [self.outline(cell, 1.0)],
                    close=True,
                    id=f"cell-{name}",
                    class_=f"cell zone-{zone}" if zone else "cell",
                    fill=fill,
                )
            )
        theme = self.theme
        return _group("cells", shapes, fill=theme.cell, stroke=theme.line, stroke_width=LINE)

    def outline(self, cell: int, size: float) -> list[Place]:
        x, y = self.scene.board.drawn_at[cell]
        corners = OUTLINES[self.scene.board.shape]
        return [(x + size * dx, y + size * dy) for dx, dy in corners]

    def labels(self) -> str:
        shapes = [
            text(label.text, x=label.place[0], y=0.36 * LABEL_SIZE - label.place[1])
            for label in labels(self.scene.board)
        ]
        return _group(
            "labels",
            shapes,
            fill=self.theme.label,
            font_family="Helvetica, Arial, sans-serif",
            font_size=LABEL_SIZE,
            text_anchor="middle",
        )

    def marks(self) -> str:
        """The last move in a bold frame, what it changed in a dashed one, targets as dots."""
        shapes = []
        for cell, mark in sorted(self.scene.marks.items()):
            name = self.scene.board.names[cell]
            identity = {"id": f"mark-{name}", "class_": f"mark mark-{mark}"}
            if mark == TARGET:
                place = self.scene.board.drawn_at[cell]
                shapes.append(circle(place, 0.1, fill=self.theme.mark, stroke="none", **identity))
                continue
            frame = [self.outline(cell, 0.9)]
            dashes = None if mark == LAST else f"{number(0.12)} {number(0.1)}"
            width = 0.09 if mark == LAST else 0.05
            shapes.append(
                path(frame, close=True, stroke_width=width, stroke_dasharray=dashes, **identity)
            )
        return _group("marks", shapes, fill="none", stroke=self.theme.mark) if shapes else ""

    def pieces(self) -> str:
        scene, shapes = self.scene, []
        for cell, piece in sorted(scene.pieces.items()):
            if piece.seat is None:
                ink = self.theme.nobody
            else:
                ink = ink_of(piece.seat, scene.seats[piece.seat])
            owner = "nobody" if piece.seat is None else f"seat-{piece.seat}"
            drawn = draw_piece(scene.board, cell, piece, ink, self.theme)
            name = scene.board.names[cell]
            shapes.append(
                element("g", drawn, id=f"piece-{name}", class_=f"piece {piece.kind} {owner}")
            )
        return _group("pieces", shapes)

    def extent(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the picture."""
        corners = [c for cell in range(len(self.scene.board)) for c in self.outline(cell, 1.0)]
        places = corners + [label.place for label in labels(self.scene.board)]
        xs, ys = [x for x, _ in places], [-y for _, y in places]
        left, top = min(xs) - MARGIN, min(ys) - MARGIN
        return left, top, max(xs) + MARGIN - left, max(ys) + MARGIN - top


def _group(name: str, shapes: list[str], **attributes: str | float | None) -> str:
    # One shape per line: pictures are kept in repositories and compared by people.
    return element("g", "\n", "\n".join(shapes), "\n", class_=name, **attributes) + "\n"


def draw(scene: Scene, *, theme: str = "light", title: str | None = None) -> str:
    """The picture; ``title`` is what screen readers and tooltips say."""
    picture = Picture(scene, theme_named(theme))
    left, top, width, height = picture.extent()
    said = title or _describe(scene)
    return element(
        "svg",
        "\n",
        element("title", escape(said)),
        "\n",
        element(
            "rect",
            class_="page",
            x=left,
            y=top,
            width=width,
            height=height,
            rx=0.2,
            fill=picture.theme.page,
        ),
        "\n",
        picture.cells(),
        picture.labels(),
        picture.marks(),
        picture.pieces(),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(map(number, (left, top, width, height))),
        width=width,
        height=height,
        role="img",
    )


def _describe(scene: Scene) -> str:
    """How many pieces each seat has on the board."""
    counts = [
        f"{name} {sum(piece.seat == seat for piece in scene.pieces.values())}"
        for seat, name in enumerate(scene.seats)
    ]
    return f"{scene.board.shape} board; pieces: {', '.join(counts)}"
