"""A scene as lines of characters, laid out as the board lies on the page.

A cell is three characters wide: a glyph for the seat in the middle, and beside it the side a peg
leans to or the letter of a pawn. The characters around a cell carry the marks. Seats differ by
glyph, never by colour alone; a caller who has colours passes ``paint``.
"""

from collections.abc import Callable
from dataclasses import dataclass

from skerry.core.scene import (
    CAPTURE,
    CHANGED,
    COUNTS,
    DANGER,
    LAST,
    PASSED,
    SELECTED,
    TARGET,
    Piece,
    Scene,
)
from skerry.render.layout import Place, labels

Paint = Callable[[str, str], str]  # characters and their role -> the same, coloured

# Columns and lines per unit of the page; a character is about twice as high as it is wide.
SCALES = {
    "hexagon": (4.0, 2 / 3**0.5),
    "rhombus": (6 / 3**0.5, 2.0),
    "square": (4.0, 2.0),
}
SINGLE_KINDS = ("peg", "stone")  # kinds that need no letter: the glyph says it all


@dataclass(frozen=True)
class Glyphs:
    """The characters of one alphabet."""

    seats: str
    nobody: str
    empty: str
    zone: str
    leans: dict[str, str]  # by direction: on which side of the peg the head is, and its sign
    lines: dict[str, str]  # lines between squares, by the ways they lead: up, down, left, right


PLAIN = Glyphs(
    seats="o#x",
    nobody="*",
    empty=".",
    zone=":",
    leans={"e": " >", "ne": " '", "nw": "' ", "w": "< ", "sw": ", ", "se": " ,"},
    lines={"lr": "-", "ud": "|"},
)
FANCY = Glyphs(
    seats="○●▲",
    nobody="★",
    empty="·",
    zone=":",
    leans={"e": " →", "ne": " ↗", "nw": "↖ ", "w": "← ", "sw": "↙ ", "se": " ↘"},
    lines={
        **{"lr": "─", "ud": "│", "udlr": "┼"},
        **{"dr": "┌", "dlr": "┬", "dl": "┐", "ur": "└", "ulr": "┴", "ul": "┘"},
        **{"udr": "├", "udl": "┤"},
    },
)
CROSSING = "+"  # where an alphabet has no sign for lines that meet
# What stands around a marked cell, the most important first, and what it means.
BRACKETS = {
    SELECTED: ("<>", "chosen"),
    CAPTURE: ("!!", "may be taken"),
    DANGER: ("!!", "in danger"),
    LAST: ("[]", "last move"),
    COUNTS: ("{}", "counts"),
    CHANGED: ("()", "changed by it"),
    PASSED: ("()", "passed over"),
}
FREE = "+"

SHARED_BRACKET = "|"  # between two marked cells


class CharacterGrid:
    """Characters with roles at any line and column; lines count upwards."""

    def __init__(self) -> None:
        self.spots: dict[tuple[int, int], tuple[str, str]] = {}

    def write(self, line: int, column: int, text: str, role: str) -> None:
        for offset, character in enumerate(text):
            self.spots[line, column + offset] = character, role

    def rows(self, paint: Paint | None) -> list[str]:
        """All lines from the top, runs of one role painted together."""
        left = min(column for _, column in self.spots)
        lines = [line for line, _ in self.spots]
        return [
            self._row(line, left, paint or _unpainted)
            for line in range(max(lines), min(lines) - 1, -1)
        ]

    def _row(self, line: int, left: int, paint: Paint) -> str:
        columns = [column for at, column in self.spots if at == line]
        runs: list[tuple[str, str]] = []
        for column in range(left, max(columns, default=left - 1) + 1):
            character, role = self.spots.get((line, column), (" ", ""))
            if runs and runs[-1][1] == role:
                runs[-1] = runs[-1][0] + character, role
            else:
                runs.append((character, role))
        return "".join(paint(text, role) if role else text for text, role in runs).rstrip()


def _unpainted(text: str, role: str) -> str:
    return text


def draw(
    scene: Scene, *, ascii: bool = False, paint: Paint | None = None, legend: bool = True
) -> str:
    """The board with its coordinates, and below it what the glyphs mean."""
    glyphs = PLAIN if ascii else FANCY
    grid = CharacterGrid()
    if scene.board.shape == "square":
        _draw_lines(grid, scene, glyphs)
    for label in labels(scene.board):
        line, column = _spot(scene, label.place)
        grid.write(line, column, label.text, "label")
    targets = scene.marked(TARGET)
    for cell, place in enumerate(scene.board.drawn_at):
        line, column = _spot(scene, place)
        content, role = _content(scene, cell, cell in targets, glyphs)
        grid.write(line, column - 1, content, role)
    _draw_brackets(grid, scene)
    rows = grid.rows(paint)
    if legend:
        rows += ["", _legend(scene, glyphs, paint or _unpainted)]
    return "\n".join(rows)


def _spot(scene: Scene, place: Place) -> tuple[int, int]:
    """Line and column of a place."""
    across, up = SCALES[scene.board.shape]
    return round(place[1] * up), round(place[0] * across)


def spots(scene: Scene) -> tuple[int, int, list[tuple[int, int]]]:
    """The top line and the left column of a drawn board, and line and column of every cell."""
    cells = [_spot(scene, place) for place in scene.board.drawn_at]
    around = [_spot(scene, label.place) for label in labels(scene.board)]
    # A square has a rim of lines around it; cells are three characters wide.
    rim, side = (1, 2) if scene.board.shape == "square" else (0, 1)
    top = max([line + rim for line, _ in cells] + [line for line, _ in around])
    left = min([column - side for _, column in cells] + [column for _, column in around])
    return top, left, cells


def _content(scene: Scene, cell: int, is_target: bool, glyphs: Glyphs) -> tuple[str, str]:
    """The three characters of a cell, and their role."""
    piece = scene.pieces.get(cell)
    if piece is None:
        if is_target:
            return f" {FREE} ", "target"
        blank = " " if scene.board.shape == "square" else glyphs.empty
        return f" {glyphs.zone if cell in scene.zones else blank} ", "empty"
    if piece.seat is None:
        return glyph_of(piece, glyphs), "nobody"
    return glyph_of(piece, glyphs), f"seat-{piece.seat}"


def glyph_of(piece: Piece, glyphs: Glyphs) -> str:
    """The three characters of a piece."""
    if piece.seat is None:
        return f" {glyphs.nobody} "
    glyph = glyphs.seats[piece.seat]
    if piece.facing is not None:
        lean = glyphs.leans[piece.facing]
        return lean[0] + glyph + lean[1]
    if piece.kind in SINGLE_KINDS:
        return f" {glyph} "
    return f"{glyph}{piece.letter.upper()} "


def _draw_lines(grid: CharacterGrid, scene: Scene, glyphs: Glyphs) -> None:
    """The lines around squares: every square says which ways they lead from its rim."""
    ways: dict[tuple[int, int], set[str]] = {}
    for line, column in (_spot(scene, place) for place in scene.board.drawn_at):
        for up in (-1, 1):
            for right in range(-2, 3):
                led = ways.setdefault((line + up, column + right), set())
                led.update({-2: "r", 2: "l"}.get(right, "lr"))
                if abs(right) == 2:
                    led.add("d" if up > 0 else "u")
                    ways.setdefault((line, column + right), set()).update("ud")
    for (line, column), led in ways.items():
        sign = glyphs.lines.get("".join(way for way in "udlr" if way in led), CROSSING)
        grid.write(line, column, sign, "label")


def _draw_brackets(grid: CharacterGrid, scene: Scene) -> None:
    """Brackets around marked cells; two marked neighbours share the one between them."""
    around = {
        cell: brackets
        for kind, (brackets, _) in reversed(BRACKETS.items())
        for cell in scene.marked(kind)
    }
    closed = set()
    for cell, (line, column) in enumerate(_spot(scene, place) for place in scene.board.drawn_at):
        brackets = around.get(cell)
        if brackets is None:
            continue
        shared = (line, column - 2) in closed
        grid.write(line, column - 2, SHARED_BRACKET if shared else brackets[0], "mark")
        grid.write(line, column + 2, brackets[1], "mark")
        closed.add((line, column + 2))


def _legend(scene: Scene, glyphs: Glyphs, paint: Paint) -> str:
    """Which glyph is whose, and which letter is which kind."""
    entries = [
        paint(f"{glyphs.seats[seat]} {name}", f"seat-{seat}")
        for seat, name in enumerate(scene.seats)
    ]
    kinds = {
        piece.letter.upper(): piece.kind
        for piece in scene.pieces.values()
        if piece.kind not in SINGLE_KINDS
    }
    entries += [f"{letter} {kind}" for letter, kind in sorted(kinds.items())]
    for kind, (brackets, meaning) in BRACKETS.items():
        if scene.marked(kind):
            entries.append(f"{brackets[0]} {brackets[1]} {meaning}")
    if any(cell not in scene.pieces for cell in scene.marked(TARGET)):
        entries.append(f"{FREE} free to place")
    return "   ".join(entries)
