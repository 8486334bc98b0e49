"""Boards that other sites show within their pages: to look at and to step through, no more.

Such a page may be framed by anybody, so nothing can be done on it: no seat is known there, and
its only link leads out of the frame.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import Depends, Query
from fastapi.responses import HTMLResponse

from skerry.core.game import Game
from skerry.server.languages.choice import pgettext
from skerry.server.showing.introduction import introduce
from skerry.server.web.pages import show_framed


class _Embedding:
    """Whether a page is asked for as a board for others, and in which theme."""

    def __init__(
        self,
        embed: Annotated[str | None, Query(max_length=10)] = None,
        theme: Annotated[Literal["system", "light", "dark"], Query()] = "system",
    ) -> None:
        self.wanted = embed is not None
        self.theme = theme


Embedding = Annotated[_Embedding, Depends()]


def show_embed(
    embedding: Embedding,
    game: Game,
    seats: Sequence[tuple[str, str]],
    words: str,
    drawn: Mapping[str, Any],
    document: Mapping[str, Any],
    title: str | None = None,
    call: str | None = None,
) -> HTMLResponse:
    """A board with who plays, how it stands, and what its scripts go through."""
    context = {
        "theme": embedding.theme,
        "title": title or game.title,
        "call": call or pgettext("a link", "Open"),
        "seats": seats,
        "words": words,
        "tokens": introduce(game)["tokens"],
        "document": dict(document),
    }
    return show_framed("embed.html", context | dict(drawn))
