"""Reports of the laboratory: the list of all, each as a page, and what these pages fetch."""

import asyncio
import hashlib
import re
from pathlib import Path as FilePath
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import FileResponse, Response
from markupsafe import Markup

from skerry.core.errors import OptionsError
from skerry.games import kind
from skerry.lab.report.page.texts import say_board
from skerry.lab.report.shipped import find_path, list_shipped, name_boards
from skerry.server.reports.commissions import NAME, Commissions
from skerry.server.reports.drawing import (
    BODY,
    COLOURS,
    FOLDER,
    Files,
    print_covers,
    print_game,
    print_list,
    print_pictures,
    print_report,
)
from skerry.server.reports.press import Press
from skerry.server.web.access import Theme
from skerry.server.web.errors import NotFound
from skerry.server.web.limits import spend
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part
from skerry.server.web.responses import Picture, RecordFile, attachment
from skerry.server.web.templates import BRIEFLY

router = APIRouter(prefix=FOLDER, include_in_schema=False)
MOST_GAMES = 99  # in a report


class StyleSheet(Response):
    media_type = "text/css"


class Filed(NamedTuple):
    """A report that there is."""

    name: str
    path: FilePath
    is_own: bool


async def _file(commissions: Part[Commissions], report: str) -> Filed:
    if re.fullmatch(NAME, report):
        return Filed(report, await asyncio.to_thread(commissions.find_report, report), True)
    try:
        return Filed(report, find_path(report), False)
    except OptionsError:
        raise NotFound("there is no such report; all reports are listed at /reports") from None


File = Annotated[Filed, Depends(_file)]


@router.get("", dependencies=[spend("reads")])
async def show_list(press: Part[Press], request: Request) -> Response:
    """All reports by game, with what a newcomer asks first."""
    files = await press.fetch(print_list)
    return _show(request, "reports.html", files, {})


@router.get("/colours.css", dependencies=[spend("reads")])
async def show_list_colours(press: Part[Press], request: Request) -> Response:
    """What the list is painted with."""
    return answer(request, StyleSheet(_find(await press.fetch(print_list), COLOURS)))


@router.get("/{report}.json", dependencies=[spend("reads")])
async def show_figures(report: File) -> Response:
    """A report for programs."""
    headers = {"cache-control": BRIEFLY, **attachment(f"{report.name}.json")}
    return FileResponse(report.path, media_type="application/json", headers=headers)


@router.get("/{report}", dependencies=[spend("reads")])
async def show_report(
    press: Part[Press], commissions: Part[Commissions], report: File, request: Request
) -> Response:
    """A report."""
    files = await press.fetch(print_report, report.name, report.path)
    if report.is_own:
        one = commissions.find(report.name)
        described = _describe(one.game, report.name, say_board(one.options))
    else:
        game = next(game for game, names in list_shipped().items() if report.name in names)
        described = _describe(game, report.name, name_boards(game)[report.name])
    return _show(request, "report.html", files, described)


@router.get("/{report}/colours.css", dependencies=[spend("reads")])
async def show_colours(press: Part[Press], report: File, request: Request) -> Response:
    """What a report is painted with."""
    files = await press.fetch(print_report, report.name, report.path)
    return answer(request, StyleSheet(_find(files, COLOURS)))


@router.get("/{report}/thumb.svg", dependencies=[spend("previews")])
async def show_cover(press: Part[Press], report: File, theme: Theme, request: Request) -> Response:
    """The board beside a report in the list."""
    return answer(request, Picture(_find(await press.fetch(print_covers, theme), report.name)))


@router.get("/{report}/game-{number}.json", dependencies=[spend("previews")])
async def show_boards(
    press: Part[Press],
    report: File,
    number: Annotated[int, Path(ge=1, le=MOST_GAMES)],
    theme: Theme,
    request: Request,
) -> Response:
    """All boards of a game in a report."""
    files = await press.fetch(print_game, report.path, number, theme)
    return answer(request, RecordFile(_find(files, f"game-{number}.json")))


@router.get("/{report}/{picture}.svg", dependencies=[spend("previews")])
async def show_picture(
    press: Part[Press], report: File, picture: str, theme: Theme, request: Request
) -> Response:
    """A board on the page of a report."""
    files = await press.fetch(print_pictures, report.path, theme)
    return answer(request, Picture(_find(files, f"{picture}.svg")))


def answer(request: Request, response: Response) -> Response:
    """A response, or that it is still the one that is known."""
    tag = f'"{hashlib.sha256(response.body).hexdigest()[:24]}"'
    headers = {"etag": tag, "cache-control": BRIEFLY}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return response


def _show(request: Request, template: str, files: Files, context: dict[str, Any]) -> Response:
    body = Markup(_find(files, BODY).decode())  # noqa: S704 - by a template that escapes
    return answer(request, show_page(template, {"body": body, **context}))


def _find(files: Files, name: str) -> bytes:
    if name not in files:
        raise NotFound("there is no such file beside this report")
    return files[name]


def _describe(game: str, name: str, board: str) -> dict[str, Any]:
    """Whose report this is, and which others there are of the game."""
    return {"name": name, "game": kind(game), "board": board, "others": name_boards(game)}
