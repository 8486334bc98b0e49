"""Overlays drawn: what the last move was, what may be done, what counts, what an engine thinks."""

from collections.abc import Callable
from math import atan2, cos, hypot, pi, sin

from skerry.core import scene as marks
from skerry.core.scene import Arrow, Chain, Flag, Mark, Overlay, Piece, Side
from skerry.render.canvas import Canvas, away_from, lettering_style, middle_of
from skerry.render.layout import Place, step
from skerry.render.markup import circle, group, number, path, use

RING = 0.45
CASING = 0.05  # around lines and arrows, so that they show on everything
TEXT = 0.24
LEAST_HEAT, MORE_HEAT = 0.08, 0.57
STRIP = 1.05  # height of a row below the board
TALLY_WIDTH = 1.8
PAIR_WIDTH = 1.6  # of what beats something, the arrow, and a gap
FLAG_DISTANCE = 1.35
SIDE_DISTANCE = 0.62
Beats = tuple[tuple[str, tuple[str, ...]], ...]
BELOW = (marks.HEAT, marks.SELECTED, marks.CHANGED, marks.LAST)


def draw_below(canvas: Canvas) -> str:
    """What belongs under the pieces: whole cells."""
    return _draw_marks(canvas, "below", BELOW)


def draw_above(canvas: Canvas) -> str:
    """What belongs upon the pieces."""
    kinds = tuple(kind for kind in marks.MARKS if kind not in BELOW)
    overlay = canvas.scene.overlay
    chains = [_chain(canvas, chain) for chain in overlay.chains]
    arrows = [_arrow(canvas, arrow) for arrow in sorted(overlay.arrows, key=lambda a: a.weight)]
    return (
        group("lines", chains)
        + group("arrows", arrows)
        + _draw_marks(canvas, "above", kinds)
        + _write_marks(canvas)
    )


def draw_around(canvas: Canvas) -> str:
    """What belongs around the board: its sides and corners."""
    overlay = canvas.scene.overlay
    sides = [_side(canvas, side) for side in overlay.sides]
    flags = [_flag(canvas, flag) for flag in overlay.flags]
    return group("sides", sides) + group("flags", flags)


def _draw_marks(canvas: Canvas, name: str, kinds: tuple[str, ...]) -> str:
    shapes = [
        DRAWERS[kind](canvas, mark) for kind in kinds for mark in canvas.scene.marked(kind).values()
    ]
    return group(f"marks {name}", shapes, fill="none", stroke=canvas.theme.mark)


def _identity(canvas: Canvas, mark: Mark) -> dict[str, str]:
    return {"id": canvas.name(mark.kind, mark.cell), "class_": f"mark {mark.kind}"}


def _frame(width: float, dashes: str | None = None, size: float = 0.88) -> "Drawer":
    def draw(canvas: Canvas, mark: Mark) -> str:
        return path(
            [canvas.outline(mark.cell, size)],
            close=True,
            stroke_width=width,
            stroke_dasharray=dashes,
            **_identity(canvas, mark),
        )

    return draw


def _ring(width: float, dashes: str | None = None, size: float = RING) -> "Drawer":
    def draw(canvas: Canvas, mark: Mark) -> str:
        return circle(
            canvas.at(mark.cell),
            size,
            stroke_width=width,
            stroke_dasharray=dashes,
            **_identity(canvas, mark),
        )

    return draw


def _heat(canvas: Canvas, mark: Mark) -> str:
    return path(
        [canvas.outline(mark.cell, 0.94)],
        close=True,
        fill=canvas.theme.heat,
        fill_opacity=f"{LEAST_HEAT + MORE_HEAT * mark.weight:.2f}",
        stroke="none",
        **_identity(canvas, mark),
    )


def _selected(canvas: Canvas, mark: Mark) -> str:
    return path(
        [canvas.outline(mark.cell, 0.94)],
        close=True,
        fill=canvas.theme.mark,
        fill_opacity="0.22",
        stroke_width=0.06,
        **_identity(canvas, mark),
    )


def _target(canvas: Canvas, mark: Mark) -> str:
    if mark.cell in canvas.scene.pieces:
        return _ring(0.045, f"{number(0.1)} {number(0.09)}")(canvas, mark)
    return circle(
        canvas.at(mark.cell),
        0.11,
        fill=canvas.theme.mark,
        stroke=canvas.theme.page,
        stroke_width=0.03,
        **_identity(canvas, mark),
    )


def _counts(canvas: Canvas, mark: Mark) -> str:
    """A ring that shows on pieces of any colour."""
    casing = circle(canvas.at(mark.cell), RING, stroke=canvas.theme.page, stroke_width=0.12)
    return casing + _ring(0.06)(canvas, mark)


def _capture(canvas: Canvas, mark: Mark) -> str:
    """A ring with four ticks, as through a sight."""
    x, y = canvas.at(mark.cell)
    ticks = [
        [(x + r * cos(a), y + r * sin(a)) for r in (0.34, 0.56)]
        for a in (pi / 4 + k * pi / 2 for k in range(4))
    ]
    return path(ticks, stroke=canvas.theme.danger, stroke_width=0.07) + circle(
        (x, y), RING, stroke=canvas.theme.danger, stroke_width=0.06, **_identity(canvas, mark)
    )


def _danger(canvas: Canvas, mark: Mark) -> str:
    """A warning triangle at the upper right of the cell."""
    x, y = canvas.at(mark.cell)
    x, y = x + 0.3, y + 0.3
    corners = [(x, y + 0.17), (x + 0.18, y - 0.13), (x - 0.18, y - 0.13)]
    theme = canvas.theme
    sign = path(
        [[(x, y + 0.06), (x, y - 0.02)], [(x, y - 0.08), (x, y - 0.081)]],
        stroke=theme.page,
        stroke_width=0.04,
        stroke_linecap="round",
    )
    triangle = path(
        [corners],
        close=True,
        fill=theme.danger,
        stroke=theme.page,
        stroke_width=0.04,
        stroke_linejoin="round",
        **_identity(canvas, mark),
    )
    return triangle + sign


def _step_disc(canvas: Canvas, mark: Mark) -> str:
    return circle(
        canvas.at(mark.cell),
        0.27,
        fill=canvas.theme.page,
        stroke_width=0.05,
        **_identity(canvas, mark),
    )


Drawer = Callable[[Canvas, Mark], str]
DRAWERS: dict[str, Drawer] = {
    marks.LAST: _frame(0.09),
    marks.CHANGED: _frame(0.05, f"{number(0.12)} {number(0.1)}"),
    marks.SELECTED: _selected,
    marks.TARGET: _target,
    marks.CAPTURE: _capture,
    marks.DANGER: _danger,
    marks.PASSED: _ring(0.05, f"{number(0.06)} {number(0.08)}"),
    marks.COUNTS: _counts,
    marks.HEAT: _heat,
    marks.STEP: _step_disc,
}


def _write_marks(canvas: Canvas) -> str:
    shapes = [
        canvas.write(mark.text, canvas.at(mark.cell), TEXT)
        for kind in (marks.HEAT, marks.STEP)
        for mark in canvas.scene.marked(kind).values()
        if mark.text and (kind == marks.STEP or mark.cell not in canvas.scene.pieces)
    ]
    return group("values", shapes, **lettering_style(canvas.theme.value))


def _chain(canvas: Canvas, chain: Chain) -> str:
    places = [canvas.at(cell) for cell in chain.cells]
    if not chain.leads:
        return _cased(canvas, [places], 0.1)
    if len(places) == 2:
        # Between two pieces, both of which are to be seen.
        start, goal = places
        places = [_towards(start, goal, 0.4), _towards(start, goal, 0.8)]
        return _cased(canvas, [_shortened(places, 0.2)], 0.07) + _head(canvas, places, 0.22)
    return _cased(canvas, [_shortened(places, 0.3)], 0.08) + _head(canvas, places, 0.2)


def _arrow(canvas: Canvas, arrow: Arrow) -> str:
    start = canvas.at(arrow.cell)
    if isinstance(arrow.to, int):
        goal = canvas.at(arrow.to)
        start = _towards(start, goal, 0.4 / hypot(goal[0] - start[0], goal[1] - start[1]))
    else:
        # Several may start here: they leave the middle free and stay near their cell.
        (x, y), (dx, dy) = start, step(canvas.board, arrow.to)
        start, goal = (x + 0.22 * dx, y + 0.22 * dy), (x + 0.62 * dx, y + 0.62 * dy)
    drawn = _cased(canvas, [_shortened([start, goal], 0.2)], 0.04 + 0.06 * arrow.weight)
    return drawn + _head(canvas, [start, goal], 0.22)


def _cased(canvas: Canvas, strokes: list[list[Place]], width: float) -> str:
    colours = ((canvas.theme.page, width + 2 * CASING), (canvas.theme.mark, width))
    return "".join(
        path(
            strokes,
            fill="none",
            stroke=colour,
            stroke_width=wide,
            stroke_linecap="round",
            stroke_linejoin="round",
        )
        for colour, wide in colours
    )


def _towards(start: Place, goal: Place, share: float) -> Place:
    return start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1])


def _shortened(places: list[Place], by: float) -> list[Place]:
    """A line that ends before its last place, where the head of an arrow begins."""
    (x, y), (to_x, to_y) = places[-2:]
    angle = atan2(to_y - y, to_x - x)
    return [*places[:-1], (to_x - by * cos(angle), to_y - by * sin(angle))]


def _head(canvas: Canvas, places: list[Place], size: float) -> str:
    (x, y), (to_x, to_y) = places[-2:]
    angle = atan2(to_y - y, to_x - x)
    tip = to_x - 0.08 * cos(angle), to_y - 0.08 * sin(angle)
    wings = [
        (tip[0] - size * cos(angle + turn), tip[1] - size * sin(angle + turn))
        for turn in (0.5, -0.5)
    ]
    return path(
        [[wings[0], tip, wings[1]]],
        close=True,
        fill=canvas.theme.mark,
        stroke=canvas.theme.page,
        stroke_width=CASING,
        stroke_linejoin="round",
    )


def _side(canvas: Canvas, side: Side) -> str:
    """A bar along a side of the board, in the colours of a seat."""
    (ax, ay), (bx, by) = canvas.at(side.first), canvas.at(side.last)
    mid_x, mid_y = middle_of(canvas.board)
    angle = atan2(by - ay, bx - ax) + pi / 2
    out = cos(angle), sin(angle)
    if out[0] * ((ax + bx) / 2 - mid_x) + out[1] * ((ay + by) / 2 - mid_y) < 0:
        out = -out[0], -out[1]
    ends = [
        (x + SIDE_DISTANCE * out[0], y + SIDE_DISTANCE * out[1]) for x, y in ((ax, ay), (bx, by))
    ]
    ink = canvas.ink(side.seat)
    return "".join(
        path([ends], stroke=colour, stroke_width=width, stroke_linecap="round")
        for colour, width in ((ink.rim, 0.14), (ink.body, 0.08))
    )


def _flag(canvas: Canvas, flag: Flag) -> str:
    """A stone beside a corner; a ring around it says that nobody can take it any more."""
    place = away_from(canvas.board, canvas.at(flag.cell), FLAG_DISTANCE)
    stone = use(canvas.piece(Piece(flag.seat, "stone", "")), place)
    style: dict[str, str | float] = {"fill": "none", "stroke": canvas.theme.label}
    if flag.final:
        return stone + circle(place, 0.5, stroke_width=0.07, **style)
    dashes = f"{number(0.1)} {number(0.12)}"
    return stone + circle(place, 0.5, stroke_width=0.04, stroke_dasharray=dashes, **style)


def strips(overlay: Overlay) -> int:
    """How many rows an overlay needs below the board."""
    return bool(overlay.tally) + 2 * bool(overlay.beats)


def strip_width(overlay: Overlay) -> float:
    """How wide the widest row below the board is."""
    return max(
        TALLY_WIDTH * len(overlay.tally),
        *(_row_width(row) for row in _rows_of_beats(overlay)),
    )


def _rows_of_beats(overlay: Overlay) -> tuple[Beats, Beats]:
    """Two rows: what beats everything comes last, and has one for itself."""
    return overlay.beats[:-1], overlay.beats[-1:]


def _row_width(row: Beats) -> float:
    return sum(len(losers) + PAIR_WIDTH for _, losers in row)


def draw_strips(canvas: Canvas, middle: float, top: float) -> str:
    """Rows below the board: what each seat has, and which kind of piece beats which."""
    overlay, shapes, written = canvas.scene.overlay, [], []
    y = top - STRIP / 2
    if overlay.tally:
        x = middle - (len(overlay.tally) - 1) * TALLY_WIDTH / 2
        for seat, count in enumerate(overlay.tally):
            shapes.append(use(canvas.piece(_token_of(canvas, seat)), (x - 0.4, y)))
            written.append(canvas.write(str(count), (x + 0.35, y), 0.36))
            x += TALLY_WIDTH
        y -= STRIP
    for row in _rows_of_beats(overlay):
        x = middle - _row_width(row) / 2 + 0.6
        for winner, losers in row:
            shapes.append(use(canvas.piece(Piece(0, winner, "")), (x, y)))
            shapes.append(_arrow_between(canvas, (x + 0.52, y), (x + 0.98, y)))
            for place, loser in enumerate(losers):
                shapes.append(use(canvas.piece(Piece(1, loser, "")), (x + 1.4 + place, y)))
            x += len(losers) + PAIR_WIDTH
        y -= STRIP if row else 0
    style = lettering_style(canvas.theme.label)
    return group("strips", shapes) + group("counts", written, **style)


def _arrow_between(canvas: Canvas, start: Place, goal: Place) -> str:
    shaft = path(
        [[start, _shortened([start, goal], 0.2)[1]]], stroke=canvas.theme.mark, stroke_width=0.08
    )
    return shaft + _head(canvas, [start, goal], 0.26)


def _token_of(canvas: Canvas, seat: int) -> Piece:
    """A piece of a seat as it looks on the board; leaning pieces lean east."""
    for piece in canvas.scene.pieces.values():
        if piece.seat == seat:
            facing = piece.facing and canvas.board.direction_names[0]
            return Piece(seat, piece.kind, piece.letter, facing)
    return Piece(seat, "stone", "")
