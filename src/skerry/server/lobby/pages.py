"""The page of the lobby."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from skerry.games import GAMES
from skerry.lab.openings.books import Books
from skerry.search.strengths import summarise_levels
from skerry.server.learn.showcase import count_frames
from skerry.server.lobby.presets import PRESETS
from skerry.server.lobby.store import ChallengeStore
from skerry.server.lobby.views import describe_lobby
from skerry.server.settings import Settings
from skerry.server.showing.books import list_even_boards
from skerry.server.web.limits import spend
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part

router = APIRouter(include_in_schema=False)


@router.get("/lobby", dependencies=[spend("reads", 3)])
async def show_lobby_page(
    store: Part[ChallengeStore], settings: Part[Settings], books: Part[Books]
) -> HTMLResponse:
    """Who looks for a game, and how to."""
    shown: dict[str, Any] = {
        "lobby": describe_lobby(await store.list_open()),
        "presets": PRESETS,
        "frames": {name: count_frames(name) // 2 for name in GAMES},
        "even": {name: list_even_boards(books, name) for name in GAMES},
        "top_level": settings.top_level,
        "levels": summarise_levels(next(iter(GAMES)), settings.top_level),
    }
    return show_page("lobby.html", shown)
