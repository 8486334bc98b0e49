"""Text boards read back: what ``render.text`` draws is a position again.

Marks and legends do not matter, nor does a common indent, so boards can stand in tests and mails.
"""

from textwrap import dedent

from skerry.core.errors import PositionError, shorten
from skerry.core.game import Game
from skerry.core.state import State
from skerry.render.text import FANCY, FREE, PLAIN, Glyphs, draw, glyph_of, spots


def read(game: Game, drawing: str, tail: str | None = None) -> State:
    """The state of a drawn board; ``tail`` is the rest of its position text (seat, counters).

    Without it the first seat is to move, with the counters of a new game.
    """
    start = game.position(game.initial().position)
    if tail is None:
        tail = start.position.partition(" ")[2]
    shape = start.scene()
    lines = dedent(drawing.expandtabs().strip("\n")).splitlines()
    top, left, places = spots(shape)
    if len(lines) < len(draw(shape, legend=False).splitlines()):
        raise PositionError(f"the drawing has {len(lines)} lines, too few for this board")
    fancy = any(sign in drawing for sign in FANCY.seats + FANCY.nobody + FANCY.empty)
    signs = _signs(game, FANCY if fancy else PLAIN)
    letters = []
    for name, (line, column) in zip(game.board.names, places, strict=True):
        found = lines[top - line].ljust(column - left + 2)[column - left - 1 : column - left + 2]
        if found.strip() not in signs:
            raise PositionError(f"{shorten(found)} on {name} is not a piece of this game")
        letters.append(signs[found.strip()])
    return game.position(f"{game.board.write_rows(letters)} {tail}")


def _signs(game: Game, glyphs: Glyphs) -> dict[str, str]:
    """What can stand on a cell, and the letter of it in position text."""
    signs = dict.fromkeys(("", FREE, glyphs.empty, glyphs.zone), ".")
    return signs | {glyph_of(game.piece(letter), glyphs).strip(): letter for letter in game.letters}
