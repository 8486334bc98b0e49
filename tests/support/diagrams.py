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
    return _in_rows(state, state.cells)


def marked(state: skerry.State) -> str:
    """The drawing with an ``o`` on every cell where the seat to move may place."""
    names = state.game.board.names
    targets = {str(move).partition("-")[0] for move in state.legal_moves()}
    cells = zip(names, state.cells, strict=True)
    return _in_rows(state, ["o" if name in targets else letter for name, letter in cells])


def _in_rows(state: skerry.State, letters: list[str]) -> str:
    rows = reversed(state.game.board.rows)
    return "\n".join(" ".join(letters[cell] for cell in row) for row in rows)


def tidy(text: str) -> str:
    """A drawing without its indents."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
