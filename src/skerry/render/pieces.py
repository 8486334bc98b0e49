"""How each kind of piece is drawn. A seat shows by its pattern as well as by its colour."""

from collections.abc import Sequence

from skerry.board import Board
from skerry.core.scene import Piece
from skerry.render.layout import Place, step
from skerry.render.markup import circle, path
from skerry.render.themes import Ink, Theme

RIM = 0.045
PEG_HEAD, PEG_SHAFT, PEG_HOLE = 0.22, 0.18, 0.12
PEG_REACH, PEG_BACK = 0.24, 0.27  # from the cell's centre to the head and to the hole
STONE = 0.37
TOKEN = 0.4
RUNE = 0.62  # of the token's radius

# Strokes on a square from -1 to 1: crossed swords, the sign of Venus, a pitchfork, lightning.
RUNES: dict[str, tuple[tuple[Place, ...], ...]] = {
    "god": (
        ((-0.75, -0.9), (0.75, 0.9)),
        ((0.75, -0.9), (-0.75, 0.9)),
        ((-0.85, -0.3), (-0.2, -0.75)),
        ((0.85, -0.3), (0.2, -0.75)),
    ),
    "king": (
        ((0.0, 1.0), (0.5, 0.45), (0.0, -0.1), (-0.5, 0.45), (0.0, 1.0)),
        ((0.0, -0.1), (0.0, -1.0)),
        ((-0.5, -0.55), (0.5, -0.55)),
    ),
    "serf": (
        ((0.0, -1.0), (0.0, 1.0)),
        ((-0.7, 0.9), (-0.7, 0.35), (0.0, -0.2), (0.7, 0.35), (0.7, 0.9)),
    ),
    "sun": (((0.3, 1.05), (-0.5, -0.05), (0.45, 0.1), (-0.3, -1.05)),),
}


def draw_piece(board: Board, cell: int, piece: Piece, ink: Ink, theme: Theme) -> str:
    """The shapes of one piece."""
    place = board.drawn_at[cell]
    if piece.kind == "peg":
        return _peg(board, place, piece, ink, theme)
    if piece.kind in RUNES:
        return _token(place, piece, ink)
    return _stone(place, piece.seat, ink)


def _peg(board: Board, place: Place, piece: Piece, ink: Ink, theme: Theme) -> str:
    """A peg leans out of its hole towards the next one; one without a lean stands upright."""
    if piece.facing is None:
        rim = circle(place, STONE, fill=ink.body, stroke=ink.rim, stroke_width=RIM)
        return rim + _pattern(place, STONE, piece.seat, ink)
    (x, y), (dx, dy) = place, step(board, piece.facing)
    head = x + PEG_REACH * dx, y + PEG_REACH * dy
    # The hole is drawn off the centre, so that the whole lean fits into the cell.
    foot = x - PEG_BACK * dx, y - PEG_BACK * dy
    hole = circle(foot, PEG_HOLE, fill=theme.hole)
    shaft = [
        path([(foot, head)], stroke=colour, stroke_width=width, stroke_linecap="round")
        for colour, width in ((ink.rim, PEG_SHAFT), (ink.body, PEG_SHAFT - 2 * RIM))
    ]
    top = circle(head, PEG_HEAD, fill=ink.body, stroke=ink.rim, stroke_width=RIM)
    return hole + "".join(shaft) + top + _pattern(head, PEG_HEAD, piece.seat, ink)


def _stone(place: Place, seat: int | None, ink: Ink) -> str:
    body = circle(place, STONE, fill=ink.body, stroke=ink.rim, stroke_width=RIM)
    return body + _pattern(place, STONE, seat, ink)


def _token(place: Place, piece: Piece, ink: Ink) -> str:
    """A disc with a rune; the discs of every second seat have a ring along the rim."""
    shapes = circle(place, TOKEN, fill=ink.body, stroke=ink.rim, stroke_width=RIM)
    if piece.seat == 1:
        ring = TOKEN - 1.7 * RIM
        shapes += circle(place, ring, fill="none", stroke=ink.pattern, stroke_width=RIM / 2)
    size = TOKEN * RUNE
    centre_x, centre_y = place
    strokes = [
        [(centre_x + size * x, centre_y + size * y) for x, y in stroke]
        for stroke in RUNES[piece.kind]
    ]
    return shapes + _ink_strokes(strokes, 0.07, ink)


def _pattern(place: Place, radius: float, seat: int | None, ink: Ink) -> str:
    """Seat 0 a ring, seat 1 a dot, seat 2 a cross; a piece of nobody has both ring and dot."""
    shapes = ""
    if seat in (0, None):
        width = 0.17 * radius
        shapes += circle(place, 0.55 * radius, fill="none", stroke=ink.pattern, stroke_width=width)
    if seat in (1, None):
        shapes += circle(place, (0.36 if seat == 1 else 0.2) * radius, fill=ink.pattern)
    if seat == 2:
        reach, (x, y) = 0.42 * radius, place
        strokes = [[(x - reach, y - s * reach), (x + reach, y + s * reach)] for s in (1, -1)]
        shapes += _ink_strokes(strokes, 0.22 * radius, ink)
    return shapes


def _ink_strokes(strokes: Sequence[Sequence[Place]], width: float, ink: Ink) -> str:
    return path(
        strokes,
        fill="none",
        stroke=ink.pattern,
        stroke_width=width,
        stroke_linecap="round",
        stroke_linejoin="round",
    )
