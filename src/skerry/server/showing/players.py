"""Who plays with which piece, for pictures that are shown elsewhere."""

from collections.abc import Sequence
from functools import lru_cache

from skerry.core.game import Game
from skerry.render.card import make_legible
from skerry.render.token import draw_token

SHARED = 512  # games with their options


def list_players(game: Game, names: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """The pieces of the seats with who plays them; a name that cannot be written is left out."""
    known = map(make_legible, names or [""] * game.num_seats)
    return tuple(
        (token, f"{title}: {name}" if name else title)
        for token, title, name in zip(_draw_tokens(game), game.seats, known, strict=True)
    )


@lru_cache(maxsize=SHARED)
def _draw_tokens(game: Game) -> list[str]:
    return [
        draw_token(piece, game.seats, "light", f"{seat}-")
        for seat, piece in enumerate(game.view.list_tokens())
    ]
