"""The position editor: positions set up by hand, shown whether or not they can be played yet."""

from typing import Any

from skerry.core.errors import PositionError, SkerryError, shorten
from skerry.core.game import Game
from skerry.render.svg import draw
from skerry.render.themes import ink_of, theme_named
from skerry.server.workers.warm import room_for

EMPTY = "."


def palette(game: Game, theme: str) -> list[dict[str, str | None]]:
    """What can stand on a cell, in words, and its colour."""
    found: list[dict[str, str | None]] = [{"letter": EMPTY, "words": "Empty", "colour": None}]
    for letter in game.letters:
        words = game.piece(letter).in_words(game.seats)
        ink = ink_of(theme_named(theme), game.piece(letter).seat, game.seats)
        words = words[:1].upper() + words[1:]
        found.append({"letter": letter, "words": words, "colour": ink.body})
    return found


def arrange(
    game: Game, position: str | None, put: tuple[str, str] | None, theme: str
) -> dict[str, Any]:
    """A position with something put on a cell: its text and picture, and what is wrong with it."""
    first = game.initial().position if position is None else position
    fields = first.split() or [""]
    cells = game.board.read_rows(fields[0], game.letters)
    if put is not None:
        name, letter = put
        if name not in game.board.index:
            raise PositionError(f"there is no cell {shorten(name)} on this board")
        if len(letter) != 1 or letter not in game.letters + EMPTY:
            raise PositionError(f"{shorten(letter)} cannot stand on a cell")
        cells[game.board.index[name]] = letter
        fields[0] = game.board.write_rows(cells)
    text = " ".join(fields)
    scene = game.scene_of(cells)
    wrong = None
    try:
        state = game.position(text)
        if state.outcome is not None:
            wrong = f"the game is over in this position: {state.outcome.reason}"
    except SkerryError as error:
        wrong = str(error)
    return {
        "position": text,
        "empty": " ".join([game.board.write_rows([EMPTY] * len(cells)), *fields[1:]]),
        "error": wrong,
        "svg": draw(scene, theme=theme, room=room_for(game)),
        "palette": palette(game, theme),
        "seats": [
            {"letter": letter, "title": title}
            for letter, title in zip(game.seat_letters, game.seats, strict=True)
        ],
    }
