"""The position editor: positions set up by hand, shown whether or not they can be played yet."""

from functools import lru_cache
from typing import Any

from skerry.core.errors import PositionError, SkerryError, shorten
from skerry.core.game import Game
from skerry.core.texts import N_
from skerry.render.svg import draw
from skerry.render.themes import ink_of, theme_named
from skerry.render.token import draw_token
from skerry.server.play.boards import SHARED
from skerry.server.workers.warm import room_for

EMPTY = "."


@lru_cache(maxsize=SHARED)
def palette(game: Game, theme: str) -> list[dict[str, str | None]]:
    """What can stand on a cell: in words, its colour, and as it looks there."""
    empty = {"letter": EMPTY, "words": N_("Empty"), "colour": None, "svg": None}
    found: list[dict[str, str | None]] = [empty]
    for number, letter in enumerate(game.letters):
        piece = game.piece(letter)
        words = piece.in_words(game.seats)
        ink = ink_of(theme_named(theme), piece.seat, game.seats)
        found.append(
            {
                "letter": letter,
                "words": words[:1].upper() + words[1:],
                "colour": ink.body,
                "svg": draw_token(piece, game.seats, theme, f"palette{number}-", game.board),
            }
        )
    return found


@lru_cache(maxsize=SHARED)
def _draw_seats(game: Game, theme: str) -> list[str]:
    return [
        draw_token(piece, game.seats, theme, f"seat{seat}-")
        for seat, piece in enumerate(game.view.list_tokens())
    ]


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
    wrong, holdings = None, ("",) * game.num_seats
    try:
        state = game.position(text)
        holdings = game.view.holdings(state)
        if state.outcome is not None:
            wrong = N_(f"the game is over in this position: {state.outcome.reason}")
    except SkerryError as error:
        wrong = str(error)
    return {
        "position": text,
        "empty": " ".join([game.board.write_rows([EMPTY] * len(cells)), *fields[1:]]),
        "error": wrong,
        "svg": draw(scene, theme=theme, room=room_for(game)),
        "palette": palette(game, theme),
        "seats": [
            {"letter": letter, "title": title, "svg": svg, "holding": holding}
            for letter, title, svg, holding in zip(
                game.seat_letters, game.seats, _draw_seats(game, theme), holdings, strict=True
            )
        ],
    }
