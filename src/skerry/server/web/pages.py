"""Pages for people, which can be read without scripts."""

from mimetypes import guess_type
from typing import Any

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response
from markupsafe import Markup

from skerry.games import GAMES, kind, make
from skerry.server.learn.lessons import count_steps, outline
from skerry.server.play.boards import board
from skerry.server.play.views import describe_kind, describe_kinds
from skerry.server.web.access import Id, TheHost, Theme, Visitor
from skerry.server.web.errors import NotFound
from skerry.server.web.showcase import count_frames, draw_frame, path_to
from skerry.server.web.templates import (
    BRIEFLY,
    FOREVER,
    draw_both,
    fingerprint,
    render,
    static_files,
)

PLAYING_SHOWN = 8

router = APIRouter(include_in_schema=False)


def show_page(template: str, context: dict[str, Any], code: int = 200) -> HTMLResponse:
    """A page in the frame that all pages share."""
    content = render(template, kinds=describe_kinds(), **context)
    return HTMLResponse(content, code, headers={"cache-control": "no-cache"})


def _showcase(name: str, number: int, prefix: str = "") -> dict[str, Markup]:
    """A picture of a game that lives on its page."""
    return draw_both(lambda theme: draw_frame(name, number, theme, f"{prefix}{theme}-"))


def draw_start() -> dict[str, dict[str, Any]]:
    """What the start page shows of each game at first: the middle of one. Kept once drawn."""
    boards = {}
    for name in GAMES:
        frames = count_frames(name)
        at = frames // 2
        boards[name] = {"frames": frames, "at": at, **_showcase(name, at, f"{name}-")}
    return boards


@router.get("/")
async def show_start(host: TheHost, visitor: Visitor) -> HTMLResponse:
    """The games there are, each with a board in the middle of a game, and what is being played."""
    host.limits.reads.spend(visitor)
    playing = await host.store.list_games(True, PLAYING_SHOWN)
    titles = {name: kind(name).title for name in GAMES}
    lessons = {name: count_steps(name) for name in GAMES}
    shown = {"showcase": draw_start(), "playing": playing, "titles": titles, "lessons": lessons}
    return show_page("start.html", shown)


@router.get("/showcase/{name}/{number}.svg")
async def show_frame(
    host: TheHost, visitor: Visitor, name: str, number: int, theme: Theme
) -> Response:
    """A picture of the game that lives on the start page."""
    host.limits.reads.spend(visitor)
    if not 0 <= number < count_frames(name):
        raise NotFound("there is no such picture")
    return Response(
        draw_frame(name, number, theme, f"{name}-{theme}-"),
        media_type="image/svg+xml",
        headers={"cache-control": BRIEFLY, "x-path": ",".join(path_to(name, number))},
    )


@router.get("/g/{id}")
async def show_game(host: TheHost, visitor: Visitor, id: Id) -> HTMLResponse:
    """A game as a visitor without a seat sees it."""
    host.limits.reads.spend(visitor)
    table = await host.look(id)
    drawn = draw_both(lambda theme: board(table.course, theme, prefix=f"{theme}-"))
    return show_page("game.html", {"game": host.show(table, (), "light"), **drawn})


@router.get("/rules/{name}")
async def show_rules(name: str) -> HTMLResponse:
    """The rules of a game as its module states them, and as a course where it has one."""
    if name not in GAMES:
        raise NotFound(f"there are no rules of that game; the games are {', '.join(GAMES)}")
    drawn = _showcase(name, count_frames(name) // 2)
    context = {"kind": describe_kind(name), "course": outline(name), **drawn}
    return show_page("rules.html", {"clauses": make(name).list_clauses(), **context})


@router.get("/static/{print}/{name:path}")
async def show_static(print: str, name: str) -> Response:
    """A static file: kept for ever under the name of its content, asked for again otherwise."""
    file = static_files().get(name)
    if file is None:
        raise NotFound("there is no such file")
    kept = FOREVER if print == fingerprint() else BRIEFLY
    return FileResponse(
        file,
        media_type=guess_type(file.name)[0] or "application/octet-stream",
        headers={"cache-control": kept},
    )


def show_error(status: int, error: str) -> Response:
    return show_page("error.html", {"status": status, "error": error}, status)
