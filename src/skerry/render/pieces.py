"""How each kind of piece is drawn. A seat shows by its shape or pattern as well as by its colour.

Pieces are definitions that a picture uses wherever one stands. A leaning peg is defined as leaning
east, and is turned; its shadow falls the same way for all of them and is a definition of its own.
"""

from math import cos, pi, sin

from skerry.core.scene import Piece
from skerry.render.markup import Attributes, Place, circle, element, number, path
from skerry.render.themes import Ink, Theme, mix

RIM = 0.04
STONE = 0.385
TOKEN = 0.425
RUNE = 0.64  # of the token's radius
FOOT, HEAD = -0.25, 0.23  # of a leaning peg, east of the middle of its hole
FOOT_WIDTH, HEAD_SIZE, CAP_SIZE = 0.06, 0.225, 0.165
CAP = HEAD + 0.035  # the top of the head leans farthest
UPRIGHT = 0.29
SHADOW_FALL = (0.035, -0.06)
SHADOW = {"fill": "#000000", "fill_opacity": "0.22"}

# Strokes on a square from -1 to 1, y downwards: crossed swords, the sign of Venus, a pitchfork.
RUNE_STROKES = {
    "god": "M-.8 .85L.78-.95M.8 .85L-.78-.95M-.95 .22L-.28 .8M.95 .22L.28 .8",
    "king": "M0-.02A.5 .5 0 1 1 0-1A.5 .5 0 1 1 0-.02V1M-.5 .5H.5",
    "serf": "M0-1V1M-.78-.9V-.45Q-.78 .2 0 .2Q.78 .2 .78-.45V-.9",
}
BOLT = ((0.28, 1.1), (-0.66, -0.14), (-0.08, -0.14), (-0.28, -1.1), (0.66, 0.2), (0.06, 0.2))


def kinds_of(piece: Piece) -> str:
    """The name of what a piece looks like: pieces of the same name share a definition."""
    owner = "nobody" if piece.seat is None else str(piece.seat)
    upright = "-upright" if piece.kind == "peg" and piece.facing is None else ""
    return f"{piece.kind}{upright}-{owner}"


def define(piece: Piece, ink: Ink, theme: Theme, name: str, light: str) -> str:
    """The definition of a piece; ``light`` is that of the light that falls on it, if any does.

    Light and shadow lie upon and below the piece as shapes of their own, of classes that style
    sheets can do without.
    """
    if piece.kind == "peg" and piece.facing is not None:
        shapes = _leaning_peg(piece, ink, light, theme)
    elif piece.kind == "peg":
        shapes = _disc(UPRIGHT, ink, light) + _pattern(0.0, UPRIGHT * 0.86, piece.seat, ink)
    elif piece.kind in RUNE_STROKES or piece.kind == "sun":
        shapes = _token(piece, ink, light)
    else:
        shapes = _shadow(STONE, light) + _disc(STONE, ink, light)
        shapes += _pattern(0.0, STONE, piece.seat, ink)
    return element("g", shapes, id=name)


def define_peg_shadow(name: str) -> str:
    """What a leaning peg casts, as seen if it leans east; it is turned with the peg."""
    return element("g", _shaft(**SHADOW), circle((HEAD, 0.0), HEAD_SIZE, **SHADOW), id=name)


def define_light(name: str) -> str:
    """Light from the upper left upon something round, whatever its colour."""
    stops = [
        element("stop", offset=at, stop_color=colour, stop_opacity=share)
        for at, colour, share in (
            ("0", "#ffffff", "0.34"),
            ("0.55", "#ffffff", "0"),
            ("0.55", "#000000", "0"),
            ("1", "#000000", "0.16"),
        )
    ]
    return element("radialGradient", *stops, id=name, cx="0.4", cy="0.34", r="0.72")


def _lit(light: str) -> dict[str, str]:
    """The attributes of the light upon a shape."""
    return {"class_": "light", "fill": f"url(#{light})"}


def _shadow(size: float, light: str) -> str:
    return circle(SHADOW_FALL, size, class_="shade", **SHADOW) if light else ""


def _disc(size: float, ink: Ink, light: str) -> str:
    disc = circle((0.0, 0.0), size, fill=ink.body, stroke=ink.rim, stroke_width=RIM)
    return disc + (circle((0.0, 0.0), size - RIM / 2, **_lit(light)) if light else "")


def _shaft(**attributes: Attributes) -> str:
    """A peg gets wider towards its head, which is nearer to the eye."""
    wide = HEAD_SIZE * 0.72
    return path(
        [((FOOT, FOOT_WIDTH), (HEAD, wide), (HEAD, -wide), (FOOT, -FOOT_WIDTH))],
        close=True,
        stroke_linejoin="round",
        **attributes,
    )


def _leaning_peg(piece: Piece, ink: Ink, light: str, theme: Theme) -> str:
    side = mix(ink.body, "#000000", 0.28) if theme.depth else ink.body
    shaft = _shaft(fill=side, stroke=ink.rim, stroke_width=RIM)
    head = circle((HEAD, 0.0), HEAD_SIZE, fill=side, stroke=ink.rim, stroke_width=RIM)
    cap = circle((CAP, 0.0), CAP_SIZE, fill=ink.body)
    if light:
        cap += circle((CAP, 0.0), CAP_SIZE, **_lit(light))
    return shaft + head + cap + _pattern(CAP, CAP_SIZE, piece.seat, ink)


def _token(piece: Piece, ink: Ink, light: str) -> str:
    """A stone with a rune: round for every first seat, eight-cornered for every second one."""
    if piece.seat == 1:
        corners = _eight_corners(TOKEN)
        dropped = [(x + SHADOW_FALL[0], y + SHADOW_FALL[1]) for x, y in corners]
        shapes = path([dropped], close=True, class_="shade", **SHADOW) if light else ""
        shapes += path([corners], close=True, fill=ink.body, stroke=ink.rim, stroke_width=RIM)
        if light:
            shapes += path([_eight_corners(TOKEN - RIM / 2)], close=True, **_lit(light))
    else:
        shapes = _shadow(TOKEN, light) + _disc(TOKEN, ink, light)
    return shapes + rune(piece.kind, TOKEN * RUNE, ink.pattern)


def _eight_corners(size: float) -> list[Place]:
    angles = [pi / 8 + k * pi / 4 for k in range(8)]
    return [(size * cos(a), size * sin(a)) for a in angles]


def rune(kind: str, size: float, colour: str) -> str:
    """The sign of a kind of pawn around the origin."""
    if kind == "sun":
        return path([[(size * x, size * y) for x, y in BOLT]], close=True, fill=colour)
    return element(
        "path",
        d=RUNE_STROKES[kind],
        transform=f"scale({number(size)})",
        fill="none",
        stroke=colour,
        stroke_width="0.25",
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def _pattern(x: float, radius: float, seat: int | None, ink: Ink) -> str:
    """Seat 0 a ring, seat 1 a dot, seat 2 a cross; a piece of nobody has both ring and dot."""
    shapes = ""
    if seat in (0, None):
        width = 0.17 * radius
        shapes += circle(
            (x, 0.0), 0.55 * radius, fill="none", stroke=ink.pattern, stroke_width=width
        )
    if seat in (1, None):
        shapes += circle((x, 0.0), (0.36 if seat == 1 else 0.2) * radius, fill=ink.pattern)
    if seat == 2:
        reach = 0.42 * radius
        strokes = [[(x - reach, -s * reach), (x + reach, s * reach)] for s in (1, -1)]
        shapes += path(
            strokes, stroke=ink.pattern, stroke_width=0.22 * radius, stroke_linecap="round"
        )
    return shapes
