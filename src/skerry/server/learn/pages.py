"""Where newcomers begin: the start page, and the rules of each game."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from skerry.games import GAMES, kind, make
from skerry.lab.openings.books import Books
from skerry.lab.report.shipped import name_boards
from skerry.search.strengths import summarise_levels
from skerry.server.learn.outlines import count_steps, outline
from skerry.server.learn.showcase import count_frames, draw_frame, path_to
from skerry.server.play.store import Store
from skerry.server.play.table import name_engine
from skerry.server.settings import Settings
from skerry.server.showing.books import has_first_moves, list_even_boards
from skerry.server.showing.seekers import Seekers, tell_seekers
from skerry.server.web.access import Theme
from skerry.server.web.errors import NotFound
from skerry.server.web.kinds import describe_kind, list_clauses
from skerry.server.web.limits import spend
from skerry.server.web.pages import Keeping, show_page
from skerry.server.web.parts import Part
from skerry.server.web.responses import Picture
from skerry.server.web.templates import BRIEFLY, draw_both
from skerry.study import puzzles
from skerry.study.daily import choose_daily

PLAYING_SHOWN = 6

router = APIRouter(include_in_schema=False)


def draw_start() -> dict[str, dict[str, Any]]:
    """What the start page shows of each game at first: the middle of one. Kept once drawn."""
    return {name: _draw_living(name) for name in GAMES}


def _draw_living(name: str) -> dict[str, Any]:
    frames = count_frames(name)
    at = frames // 2
    return {"frames": frames, "at": at, **_draw_showcase(name, at, f"{name}-")}


def _draw_showcase(name: str, number: int, prefix: str = "") -> dict[str, Markup]:
    """A picture of a game that lives on its page."""
    return draw_both(lambda theme: draw_frame(name, number, theme, f"{prefix}{theme}-"))


@router.get("/", dependencies=[spend("reads", 3)])
async def show_start(
    store: Part[Store], settings: Part[Settings], books: Part[Books], seekers: Part[Seekers]
) -> HTMLResponse:
    """The games there are, each with a board in the middle of a game, and what is being played."""
    playing = await store.list_games(True, PLAYING_SHOWN)
    engines = tuple(settings.named_engines)
    choices = {name: _list_choices(name, settings.top_level, engines, books) for name in GAMES}
    shown = {"showcase": draw_start(), "playing": playing, "shown": PLAYING_SHOWN}
    shown["seekers"] = tell_seekers(await seekers.count_people())
    daily = choose_daily(datetime.now(UTC).date())
    return show_page("start.html", {**shown, "choices": choices, "daily": daily})


@cache
def _list_choices(
    name: str, top_level: int, engines: tuple[str, ...], books: Books
) -> dict[str, Any]:
    """What the form for new games says about a game, beside its options."""
    return {
        "cells": len(make(name).board),
        "unit": next((option.unit for option in kind(name).option_specs), "cells"),
        "levels": summarise_levels(name, top_level),
        "engines": {engine: name_engine(engine) for engine in engines},
        "steps": count_steps(name),
        "even": list_even_boards(books, name),
    }


@router.get("/yours", dependencies=[spend("reads")])
async def show_yours() -> HTMLResponse:
    """The games of this browser, which alone knows them: its scripts fill the page."""
    return show_page("yours.html", {})


@router.get("/games/{name}")
async def show_kind(
    settings: Part[Settings], books: Part[Books], keeping: Keeping, name: str
) -> HTMLResponse:
    """All there is about a game: to play, to learn, to solve, to study, to look up."""
    if name not in GAMES:
        raise NotFound(f"there is no such game; the games are {', '.join(GAMES)}")
    return keeping.show(
        "kind.html",
        lambda: {
            "kind": describe_kind(name),
            "showcase": _draw_living(name),
            "choices": _list_choices(
                name, settings.top_level, tuple(settings.named_engines), books
            ),
            "puzzles": len(puzzles.load(name)) if name in puzzles.list_games() else 0,
            "reports": name_boards(name),
            "first_moves": has_first_moves(books, name),
        },
    )


@router.get("/showcase/{name}/{number}.svg", dependencies=[spend("reads")])
async def show_frame(name: str, number: int, theme: Theme) -> Response:
    """A picture of the game that lives on the start page."""
    if not 0 <= number < count_frames(name):
        raise NotFound("there is no such picture")
    return Picture(
        draw_frame(name, number, theme, f"{name}-{theme}-"),
        headers={"cache-control": BRIEFLY, "x-path": ",".join(path_to(name, number))},
    )


@router.get("/rules/{name}")
async def show_rules(keeping: Keeping, name: str) -> HTMLResponse:
    """The rules of a game as its module states them, and as a course where it has one."""
    if name not in GAMES:
        raise NotFound(f"there are no rules for that game; the games are {', '.join(GAMES)}")
    return keeping.show("rules.html", lambda: list_rules(name))


def list_rules(name: str) -> dict[str, Any]:
    """What the page of a game's rules is made of."""
    drawn = _draw_showcase(name, count_frames(name) // 2)
    context = {"kind": describe_kind(name), "course": outline(name), **drawn}
    return {"clauses": list_clauses(make(name)), **context}
