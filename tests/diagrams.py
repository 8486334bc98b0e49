"""Boards in tests are drawn: one letter per cell, rows from the top, spaces and indents at will."""

import skerry


def position(game: skerry.Game, drawing: str, *tail: object) -> skerry.State:
    """The state of a drawing; ``tail`` is the rest of the position text (seat, counters).

    Every line is a row of cells as in position text, ``.`` for empty, with spaces between them.
    """
    rows = ["".join(line.split()) for line in drawing.strip().splitlines()]
    return game.position(" ".join(["/".join(rows), *map(str, tail)]))


def drawing(state: skerry.State) -> str:
    """The drawing of a state without indents, to compare with: rows of letters from the top."""
    cells = state.game.write_cells(state.record)
    rows = reversed(state.game.board.rows)
    return "\n".join(" ".join(cells[cell] for cell in row) for row in rows)


def tidy(text: str) -> str:
    """A drawing without its indents."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
