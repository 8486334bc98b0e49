"""The board itself: its plate, its cells or holes, coordinates, and the pieces upon it."""

from functools import lru_cache

from skerry.board import OFF_BOARD, Board
from skerry.core.scene import Piece
from skerry.render.canvas import Canvas, lettering_style
from skerry.render.layout import OUTLINES, Place, labels
from skerry.render.markup import circle, draw_to, element, group, path, use
from skerry.render.pieces import SHADOW_FALL
from skerry.render.themes import SHADED

LINE = 0.03
BORDER = 0.11  # of the plate around the cells
HOLE = 0.33
LABEL_SIZE = 0.27  # of boards that are no wider than this; letters of others grow with them
LABELLED_WIDTH, LARGEST_LABEL = 10.0, 0.36
BOND, BOND_RIM = 0.2, 0.28  # between neighbours of one seat


def draw_plate(canvas: Canvas) -> str:
    theme = canvas.theme
    colour = theme.cell if canvas.scene.surface == "holes" else theme.plate
    width = 2 * BORDER + (2 * LINE if canvas.scene.surface == "holes" else 0)
    hull = element(
        "path",
        d=plate_outline(canvas.board),
        class_="plate",
        fill=colour,
        stroke=colour,
        stroke_width=width,
        stroke_linejoin="round",
    )
    if canvas.scene.surface != "holes":
        return hull + "\n"
    rim = element(
        "path",
        d=plate_outline(canvas.board),
        class_="rim",
        fill="none",
        stroke=theme.plate,
        stroke_width=width + 4 * LINE,
        stroke_linejoin="round",
    )
    grid = element(
        "path", d=lattice(canvas.board), class_="grid", stroke=theme.plate, stroke_width=LINE
    )
    return f"{rim}\n{hull}\n{grid}\n"


def draw_cells(canvas: Canvas) -> str:
    """Cells filled by their zone, or holes for pegs with the cell around them to point at."""
    board, theme, scene = canvas.board, canvas.theme, canvas.scene
    definition = canvas.define("cell", lambda id: _draw_cell(canvas, id))
    shapes = []
    for cell in range(len(board)):
        zone = scene.zones.get(cell)
        fill = theme.zone if zone else None
        if board.shape == "square" and sum(board.points[cell]) % 2 == 0:
            fill = fill or theme.other_cell
        kind = f"cell zone-{zone}" if zone else "cell other" if fill else "cell"
        shapes.append(
            use(definition, canvas.at(cell), id=canvas.name("cell", cell), class_=kind, fill=fill)
        )
    return group("cells", shapes, fill=theme.cell, stroke=theme.line, stroke_width=LINE)


def _draw_cell(canvas: Canvas, id: str) -> str:
    outline, theme = [OUTLINES[canvas.board.shape]], canvas.theme
    if canvas.scene.surface != "holes":
        return path(outline, close=True, id=id)
    shape = path(outline, close=True, fill_opacity="0", stroke="none")
    hole = circle(
        (0.0, 0.0), HOLE, class_="hole", fill=theme.hole, fill_opacity="0.55", stroke=theme.plate
    )
    return element("g", shape, hole, id=id)


def draw_labels(canvas: Canvas) -> str:
    xs = [x for x, _ in canvas.board.drawn_at]
    growth = max(1.0, (max(xs) - min(xs)) / LABELLED_WIDTH)
    height = min(round(LABEL_SIZE * growth, 2), LARGEST_LABEL)
    shapes = [canvas.write(label.text, label.place, height) for label in labels(canvas.board)]
    return group("labels", shapes, **lettering_style(canvas.theme.label))


def draw_pieces(canvas: Canvas) -> str:
    """Shadows below bonds below pieces, so that chains of stones can be followed."""
    pieces = sorted(canvas.scene.pieces.items())
    shadows, shapes = [], []
    for cell, piece in pieces:
        place = canvas.at(cell)
        turn = 0.0 if piece.facing is None else canvas.turn(piece.facing)
        if piece.facing is not None and canvas.theme.depth >= SHADED:
            below = place[0] + SHADOW_FALL[0], place[1] + SHADOW_FALL[1]
            shadows.append(use(canvas.peg_shadow(), below, turn, id=canvas.name("shadow", cell)))
        shapes.append(
            use(
                canvas.piece(piece),
                place,
                turn,
                id=canvas.name("piece", cell),
                class_=f"piece {piece.kind} {_owner(piece)}",
                data_facing=piece.facing,
            )
        )
    return group("shadows", shadows) + _draw_bonds(canvas) + group("pieces", shapes)


def _owner(piece: Piece) -> str:
    return "nobody" if piece.seat is None else f"seat-{piece.seat}"


def _draw_bonds(canvas: Canvas) -> str:
    """Bars between neighbouring stones of one seat."""
    strokes: dict[int, list[tuple[Place, Place]]] = {}
    pieces, board = canvas.scene.pieces, canvas.board
    for cell, piece in pieces.items():
        if piece.kind != "stone" or piece.seat is None:
            continue
        for other in board.adjacent(cell):
            friend = pieces.get(other)
            if other > cell and friend is not None and friend.seat == piece.seat:
                strokes.setdefault(piece.seat, []).append((canvas.at(cell), canvas.at(other)))
    shapes = []
    for seat, found in sorted(strokes.items()):
        ink = canvas.ink(seat)
        for colour, width in ((ink.rim, BOND_RIM), (ink.body, BOND)):
            shapes.append(path(found, stroke=colour, stroke_width=width))
    return group("bonds", shapes)


@lru_cache
def lattice(board: Board) -> str:
    """Lines from neighbour to neighbour through all cells."""
    strokes = []
    for direction in range(len(board.steps) // 2):
        back = direction + len(board.steps) // 2
        for cell in range(len(board)):
            line = [cell, *board.ray(cell, direction)]
            if board.neighbours[cell, back] == OFF_BOARD and len(line) > 1:
                strokes.append((board.drawn_at[cell], board.drawn_at[line[-1]]))
    return draw_to(strokes)


@lru_cache
def plate_outline(board: Board) -> str:
    """The convex hull of all cells."""
    corners = OUTLINES[board.shape]
    places = sorted(
        {(round(x + dx, 6), round(y + dy, 6)) for x, y in board.drawn_at for dx, dy in corners}
    )
    hull: list[Place] = []
    for half in (places, places[::-1]):
        chain: list[Place] = []
        for place in half:
            while len(chain) > 1 and _turns_right(chain[-2], chain[-1], place):
                chain.pop()
            chain.append(place)
        hull += chain[:-1]
    return draw_to([hull], close=True)


def _turns_right(a: Place, b: Place, c: Place) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 1e-9
