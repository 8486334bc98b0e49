"""Studies: kept, read, changed, and taken away in other forms; and their pages."""

import asyncio
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from pydantic import Field, StrictInt

from skerry.core.game import Game
from skerry.games import GAMES
from skerry.records import Record, write_json, write_text
from skerry.records.jsonform import FORMAT
from skerry.records.tree import find_start
from skerry.server.host import Host, Secrets
from skerry.server.play.boards import board
from skerry.server.play.routes import Body, Options, Seed, Text
from skerry.server.play.table import record
from skerry.server.positions.analysis import review_task
from skerry.server.positions.routes import read_options
from skerry.server.study.model import (
    LARGEST,
    TITLE_LENGTH,
    Study,
    document,
    edit,
    study_of,
    study_of_content,
)
from skerry.server.web.access import REFUSALS, Id, Shown, TheHost, Theme, Visitor
from skerry.server.web.answers import StudyConflict, StudyMade, StudyShown
from skerry.server.web.errors import Busy, Forbidden, Refusal, Stale
from skerry.server.web.pages import show_page
from skerry.server.web.secrets import conceal, new_id, new_secret
from skerry.server.web.templates import draw_both

router = APIRouter(responses=REFUSALS)

Title = Annotated[str, Field(max_length=4 * TITLE_LENGTH)]
AnyJson = dict[str, Any]


class Film(Response):
    media_type = "image/gif"


class RecordFile(Response):
    media_type = "application/json"


RECORD: dict[str, Any] = {
    "description": "A record, as docs/library/records.md describes it.",
    "content": {
        RecordFile.media_type: {
            "schema": {"type": "object", "properties": {"format": {"const": FORMAT}}}
        }
    },
}


class NewStudy(Body):
    """What a study is made from: a game here, another study, a record, or a position."""

    source: Id | None = Field(None, alias="from")
    study: Id | None = None
    record: Annotated[str, Field(max_length=LARGEST)] | AnyJson | None = None
    game: Text | None = None
    options: Options
    position: Text | None = None
    seed: Seed = None
    title: Title = ""


class Change(Body):
    version: StrictInt
    line: AnyJson
    title: Title | None = None


@router.post("/api/studies", status_code=201, response_model=StudyMade)
async def create_study(host: TheHost, visitor: Visitor, body: NewStudy) -> dict[str, str]:
    """A new study, with the secret that lets its maker change it."""
    host.limits.creates.spend(visitor)
    if body.record is not None:
        study = await asyncio.to_thread(study_of_content, body.record, body.title)
    elif body.study is not None:
        study = await host.shelf.find(body.study)
    else:
        study = await draft(
            host, body.source, body.game, body.options, body.position, body.seed, body.title
        )
    host.limits.studies.spend(visitor)
    secret, now = new_secret(), host.now()
    kept = replace(study, id=new_id(), secret=conceal(secret), version=0, created=now, updated=now)
    await host.shelf.add(kept)
    return {"id": str(kept.id), "url": f"/study/{kept.id}", "secret": secret}


async def draft(
    host: Host,
    source: str | None,
    name: str | None,
    options: dict[str, int],
    position: str | None = None,
    seed: int | None = None,
    title: str = "",
) -> Study:
    """A study that nobody has kept yet."""
    if source is not None:
        return study_of(record(await host.find(source)), title)
    if name is None:
        raise Refusal("say what to study: from a game's id, a record, or a game with a position")
    game = await host.rulebook.game(name, options)
    if seed is None and position is None and game.has_chance:
        seed = 0
    return study_of(Record(find_start(game, seed, position), seed=seed), title)


@router.get("/api/studies/{id}", response_model=StudyShown)
async def show_study(host: TheHost, visitor: Visitor, id: Id, secrets: Shown) -> JSONResponse:
    """A study as it stands."""
    host.limits.reads.spend(visitor)
    return await _answer(host, await host.shelf.find(id), secrets)


@router.put(
    "/api/studies/{id}", response_model=StudyShown, responses={409: {"model": StudyConflict}}
)
async def change_study(
    host: TheHost, visitor: Visitor, id: Id, secrets: Shown, body: Change
) -> JSONResponse:
    """Another line for a study, on the version it was made for."""
    host.limits.moves.spend(visitor)
    study = await host.shelf.find(id)
    if not _may_change(study, secrets):
        raise Forbidden("only whoever has the link for changes can change this study: keep a copy")
    try:
        after = await asyncio.to_thread(
            edit, study, body.version, body.line, body.title, host.now()
        )
        await host.shelf.replace(study, after)
    except Stale as error:
        study = await host.shelf.find(id)
        shown = document(study, await _game_of(host, study), _may_change(study, secrets))
        return JSONResponse({"error": str(error), "study": shown}, 409)
    return await _answer(host, after, secrets)


@router.get("/api/studies/{id}/record", response_class=PlainTextResponse)
async def show_text(host: TheHost, visitor: Visitor, id: Id) -> Response:
    """The record of a study as text."""
    host.limits.reads.spend(visitor)
    study = await host.shelf.find(id)
    text = await asyncio.to_thread(lambda: write_text(study.record))
    return PlainTextResponse(text, headers=_to_keep(study, "skr"))


@router.get("/api/studies/{id}/record.json", response_class=RecordFile, responses={200: RECORD})
async def show_json(host: TheHost, visitor: Visitor, id: Id) -> Response:
    """The record of a study as JSON."""
    host.limits.reads.spend(visitor)
    study = await host.shelf.find(id)
    text = await asyncio.to_thread(lambda: write_json(study.record))
    return RecordFile(text, headers=_to_keep(study, "json"))


@router.get("/api/studies/{id}/film.{ending}", response_class=Film)
async def show_film(
    host: TheHost,
    visitor: Visitor,
    id: Id,
    ending: Literal["gif", "webp"],
    theme: Theme,
    width: Annotated[int, Query(ge=100, le=640)] = 400,
) -> Response:
    """The main line of a study as a film."""
    host.limits.creates.spend(visitor)
    study = await host.shelf.find(id)
    task = review_task(study) | {"theme": theme, "width": width, "ending": f".{ending}"}
    with host.analyses.begin(None, "film", task) as job:
        async for content in job:
            kept = _to_keep(study, ending)
            return Film(content, media_type=f"image/{ending}", headers=kept)
    raise Busy("the film was not made; try again")


def _to_keep(study: Study, ending: str) -> dict[str, str]:
    name = f"{study.frame['game']}-{study.id}.{ending}"
    return {"content-disposition": f'attachment; filename="{name}"'}


def _may_change(study: Study, secrets: Secrets) -> bool:
    return study.secret in {conceal(secret) for secret in secrets}


async def _game_of(host: Host, study: Study) -> Game:
    return await host.rulebook.game(study.frame["game"], study.frame["options"])


async def _answer(host: Host, study: Study, secrets: Secrets) -> JSONResponse:
    shown = document(study, await _game_of(host, study), _may_change(study, secrets))
    return JSONResponse(shown, headers={"cache-control": "no-store"})


@router.get("/study", include_in_schema=False)
async def show_form(
    host: TheHost, visitor: Visitor, game: Annotated[str, Query(max_length=40)] = ""
) -> HTMLResponse:
    """Where a study begins: a game, a record, or a position set up by hand."""
    host.limits.reads.spend(visitor)
    return show_page("studies.html", {"chosen": game})


@router.get("/study/new", include_in_schema=False)
async def show_draft(
    host: TheHost,
    visitor: Visitor,
    request: Request,
    source: Annotated[str | None, Query(alias="from", pattern=r"^[A-Za-z0-9_-]{1,32}$")] = None,
    game: Annotated[str | None, Query(max_length=40)] = None,
    options: Annotated[str, Query(max_length=200)] = "",
    position: Annotated[str | None, Query(max_length=2000)] = None,
) -> HTMLResponse:
    """A study that is kept as soon as somebody changes or shares it."""
    host.limits.reads.spend(visitor)
    chosen = read_options(options) if game in GAMES else {}
    study = await draft(host, source, game, chosen, position or None)
    origin = {"from": source} if source else {"game": game, "options": chosen}
    if position and not source:
        origin["position"] = position
    return await _show(host, study, origin)


@router.get("/study/{id}", include_in_schema=False)
async def show_reader(host: TheHost, visitor: Visitor, id: Id) -> HTMLResponse:
    """A study as everybody reads it."""
    host.limits.reads.spend(visitor)
    return await _show(host, await host.shelf.find(id))


async def _show(host: Host, study: Study, origin: AnyJson | None = None) -> HTMLResponse:
    game = await _game_of(host, study)
    host.analyses.warm_up(game)
    course = host.courses.find(study.start(game), study.moves)
    drawn = draw_both(lambda theme: board(course, theme, prefix=f"{theme}-"))
    shown = document(study, game, yours=False, origin=origin)
    return show_page("study.html", {"study": shown, **drawn})
