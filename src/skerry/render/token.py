"""One piece as a picture of its own, for lists of seats and legends."""

from math import atan2

from skerry.board import Board
from skerry.core.scene import Piece
from skerry.render.layout import step
from skerry.render.markup import element, use
from skerry.render.pieces import define, define_light
from skerry.render.themes import SHADED, ink_of, theme_named


def draw_token(
    piece: Piece, seats: tuple[str, ...], theme: str, prefix: str, board: Board | None = None
) -> str:
    """The piece on a square of one cell; what leans does so to the right, or as on a board.

    ``prefix`` keeps the ids of several pictures on one page apart. It says nothing to those who do
    not see it: the words beside it do.
    """
    colours, name = theme_named(theme), f"{prefix}token"
    light = f"{prefix}light" if colours.depth >= SHADED else ""
    definition = define(piece, ink_of(colours, piece.seat, seats), colours, name, light)
    if light:
        definition = define_light(light) + definition
    dx, dy = (1.0, 0.0)
    if board is not None and piece.facing is not None:
        dx, dy = step(board, piece.facing)
    return element(
        "svg",
        element("defs", definition),
        use(name, (0.0, 0.0), atan2(dy, dx)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox="-20 -20 40 40",
        width="40",
        height="40",
        aria_hidden="true",
    )
