"""A scene as a self-contained SVG picture.

Everything on a cell has a stable id (``cell-e5``, ``piece-e5``, ``last-e5``) for scripts and style
sheets, a piece that leans says where to (``data-facing``), and pieces are placed by ``transform``
alone: a picture can be moved to the next one by CSS transitions. Colours are attributes, not style
rules, and text is drawn, so that a picture looks the same everywhere; ``prefix`` keeps the ids of
several pictures on one page apart.
"""

import re
from dataclasses import replace
from functools import lru_cache

from skerry.board import Board
from skerry.core.errors import OptionsError, shorten
from skerry.core.scene import Overlay, Scene
from skerry.render.canvas import Canvas, away_from
from skerry.render.explain import (
    FLAG_DISTANCE,
    STRIP,
    draw_above,
    draw_around,
    draw_below,
    draw_strips,
    strip_width,
    strips,
)
from skerry.render.layout import OUTLINES, Place, labels, turn
from skerry.render.markup import element, number, words
from skerry.render.surface import draw_cells, draw_labels, draw_pieces, draw_plate
from skerry.render.themes import theme_named

MARGIN = 0.35  # around the labels
PREFIX = re.compile(r"([A-Za-z][\w-]*)?")


def draw(
    scene: Scene,
    *,
    theme: str = "light",
    title: str | None = None,
    prefix: str = "",
    room: Overlay | None = None,
    turned: bool = False,
) -> str:
    """The picture; ``title`` is what screen readers and tooltips say.

    With ``room`` there is space for that overlay too, so that pictures can have one size. A
    ``turned`` board is seen from the other side.
    """
    if not isinstance(prefix, str) or not PREFIX.fullmatch(prefix):
        raise OptionsError(f"{shorten(prefix)} cannot begin an id: use letters, digits, - and _")
    if turned:
        scene = replace(scene, board=turn(scene.board))
    canvas = Canvas(scene, theme_named(theme), prefix)
    widest = scene.overlay + (room or Overlay())
    left, top, width, height = extent(canvas, widest)
    strips_top = top + height - MARGIN / 2 - strips(widest) * STRIP
    page = element(
        "rect", class_="page", x=left, y=top, width=width, height=height, rx=0.2,
        fill=canvas.theme.page,
    )  # fmt: skip
    drawn = [
        draw_plate(canvas),
        draw_cells(canvas),
        draw_around(canvas),
        draw_labels(canvas),
        draw_below(canvas),
        draw_pieces(canvas),
        draw_above(canvas),
        draw_strips(canvas, left + width / 2, -strips_top),
    ]
    described = [words("title", title or describe(scene))]
    if scene.overlay.words:
        described.append(words("desc", ". ".join(scene.overlay.words) + "."))
    return element(
        "svg",
        "\n",
        "".join(described),
        "\n",
        element("defs", "\n", "\n".join(canvas.definitions.values()), "\n"),
        "\n",
        page,
        "\n",
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(map(number, (left, top, width, height))),
        width=width,
        height=height,
        role="img",
    )


def extent(canvas: Canvas, overlay: Overlay) -> tuple[float, float, float, float]:
    """Left, top, width and height of the picture."""
    board = canvas.board
    places = [*_corners(board)]
    for flag in overlay.flags:
        places.append(away_from(board, canvas.at(flag.cell), FLAG_DISTANCE + 0.3))
    xs, ys = [x for x, _ in places], [-y for _, y in places]
    top, width = min(ys) - MARGIN, max(max(xs) - min(xs), strip_width(overlay)) + 2 * MARGIN
    height = max(ys) + MARGIN - top + strips(overlay) * STRIP
    return (min(xs) + max(xs) - width) / 2, top, width, height


def measure(board: Board) -> tuple[float, float]:
    """Width and height of a picture that shows nothing beside the board."""
    (left, bottom), (right, top) = _corners(board)
    return right - left + 2 * MARGIN, top - bottom + 2 * MARGIN


@lru_cache
def _corners(board: Board) -> tuple[Place, Place]:
    """The lower left and the upper right corner of a board with its labels."""
    outline = OUTLINES[board.shape]
    places = [(x + dx, y + dy) for x, y in board.drawn_at for dx, dy in outline]
    xs, ys = zip(*places, *(label.place for label in labels(board)), strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def describe(scene: Scene) -> str:
    """How many pieces each seat has on the board."""
    counts = [
        f"{name} {sum(piece.seat == seat for piece in scene.pieces.values())}"
        for seat, name in enumerate(scene.seats)
    ]
    return f"{scene.board.shape} board; pieces: {', '.join(counts)}"
