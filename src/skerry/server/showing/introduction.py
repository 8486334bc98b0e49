"""What a newcomer to a game is told, in words and pictures of pieces."""

from functools import lru_cache
from typing import Any

from markupsafe import Markup

from skerry.core.game import Game
from skerry.core.scene import Piece
from skerry.render.token import draw_token
from skerry.server.languages.sentences import translate
from skerry.server.web.templates import draw_both

SHARED = 512  # games with their options


def introduce(game: Game) -> dict[str, Any]:
    """What a newcomer is told: what to play for, what the pieces are, and what marks mean."""
    drawn = _draw_pieces(game)
    return {
        **drawn,
        "goal": translate(game.view.goal),
        "signs": translate(game.view.signs),
        "legend": [(token, translate(words)) for token, words in drawn["legend"]],
    }


@lru_cache(maxsize=SHARED)
def _draw_pieces(game: Game) -> dict[str, Any]:
    return {
        "shape": game.board.shape,
        "tokens": [
            _draw(game, piece, f"seat{seat}") for seat, piece in enumerate(game.view.list_tokens())
        ],
        "legend": [
            (_draw(game, piece, f"legend{number}"), words)
            for number, (piece, words) in enumerate(game.view.legend())
        ],
    }


def _draw(game: Game, piece: Piece, name: str) -> dict[str, Markup]:
    return draw_both(lambda theme: draw_token(piece, game.seats, theme, f"{theme}-{name}-"))
