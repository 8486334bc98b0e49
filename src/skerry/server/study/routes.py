"""Studies: kept, read, changed, and taken away in other forms."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import Field, StrictInt

from skerry.core.errors import SkerryError
from skerry.records.jsonform import FORMAT
from skerry.server.play.clocks import read_time
from skerry.server.study.answers import FilmProgress, StudyConflict, StudyMade, StudyShown
from skerry.server.study.drafts import Drafts
from skerry.server.study.films import FilmAsked, Films
from skerry.server.study.model import (
    LARGEST_STUDY,
    TITLE_LENGTH,
    Study,
    edit,
    expect,
    study_of,
    study_of_content,
)
from skerry.server.study.reading import describe_study, draft_position, write_study
from skerry.server.study.shelf import Shelf
from skerry.server.web.access import Id, Shown, Theme, Visitor
from skerry.server.web.answers import answered
from skerry.server.web.errors import Forbidden, Stale
from skerry.server.web.limits import Pay, creating, price_of, spend, spender
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS, explain
from skerry.server.web.requests import Body, Options, Seed, Text
from skerry.server.web.responses import (
    FRESH,
    UNCOMPRESSED,
    Film,
    JsonStream,
    RecordFile,
    attachment,
)
from skerry.server.web.secrets import Secrets, conceal, new_id, new_secret, opens
from skerry.server.workers.errands import Errands
from skerry.server.workers.lanes import BOARDS, SAVING

router = APIRouter(prefix="/api/studies", responses=REFUSALS, tags=["studies"])

PayReads = Annotated[Pay, spender("reads")]
Title = Annotated[str, Field(max_length=4 * TITLE_LENGTH)]
AnyJson = dict[str, Any]
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
    record: Annotated[str, Field(max_length=LARGEST_STUDY)] | AnyJson | None = None
    game: Text | None = None
    options: Options
    position: Text | None = None
    seed: Seed = None
    title: Title = ""


class StudyChange(Body):
    version: StrictInt
    line: AnyJson
    title: Title | None = None


@router.post("", status_code=201, response_model=StudyMade, dependencies=creating("studies"))
async def create_study(
    drafts: Part[Drafts], shelf: Part[Shelf], errands: Errands, pay: PayReads, body: NewStudy
) -> dict[str, str]:
    """A new study, with the secret that lets its maker change it."""
    if body.record is not None:
        study = await errands.run(SAVING, study_of_content, body.record, body.title)
    elif body.study is not None:
        study = await shelf.find(body.study)
    elif body.source is not None:
        record = await drafts.find_record(body.source, pay)
        study = await errands.run(SAVING, study_of, record, body.title)
    else:
        order = drafts.name_game(body.game, body.options), body.position, body.seed, body.title
        study = await errands.run(SAVING, draft_position, *order)
    secret, now = new_secret(), read_time()
    kept = replace(study, id=new_id(), secret=conceal(secret), version=0, created=now, updated=now)
    await shelf.add(kept)
    return {"id": str(kept.id), "url": f"/study/{kept.id}", "secret": secret}


@router.get("/{id}", responses=answered(StudyShown))
async def show_study(
    shelf: Part[Shelf], errands: Errands, pay: PayReads, id: Id, credentials: Shown
) -> JSONResponse:
    """A study as it stands."""
    study = await shelf.find(id)
    pay(price_of(study.length))
    return await _answer(errands, study, credentials.secrets)


@router.put(
    "/{id}",
    responses=answered(StudyShown, StudyConflict),
)
async def change_study(
    shelf: Part[Shelf],
    errands: Errands,
    pay: Annotated[Pay, spender("moves")],
    id: Id,
    credentials: Shown,
    body: StudyChange,
) -> JSONResponse:
    """Another line for a study, on the version it was made for."""
    study = await shelf.find(id)
    pay(price_of(study.length) // 4 + 1)
    if not opens(credentials.secrets, study.secret):
        raise Forbidden("only whoever has the link for changes can change this study: keep a copy")
    try:
        expect(study, body.version)
        order = study, body.version, body.line, body.title, read_time()
        after = await errands.run(SAVING, edit, *order)
        await shelf.replace(study, after)
    except Stale as error:
        shown = await _show(errands, await shelf.find(id), credentials.secrets)
        return JSONResponse({"error": explain(error), "study": shown}, 409)
    return await _answer(errands, after, credentials.secrets)


@router.get("/{id}/record", response_class=PlainTextResponse)
async def show_text(shelf: Part[Shelf], errands: Errands, pay: PayReads, id: Id) -> Response:
    """The record of a study as text."""
    study = await shelf.find(id)
    pay(3 * price_of(study.length))
    text = await errands.run(SAVING, write_study, study, "skr")
    return PlainTextResponse(text, headers=_to_keep(study, "skr"))


@router.get(
    "/{id}/record.json",
    response_class=RecordFile,
    responses={200: RECORD},
)
async def show_json(shelf: Part[Shelf], errands: Errands, pay: PayReads, id: Id) -> Response:
    """The record of a study as JSON."""
    study = await shelf.find(id)
    pay(3 * price_of(study.length))
    text = await errands.run(SAVING, write_study, study, "json")
    return RecordFile(text, headers=_to_keep(study, "json"))


async def _film(
    shelf: Part[Shelf],
    id: Id,
    ending: Literal["gif", "webp"],
    theme: Theme,
    width: Annotated[int, Query(ge=100, le=640)] = 400,
) -> tuple[Study, FilmAsked]:
    study = await shelf.find(id)
    return study, FilmAsked(id, study.version, theme, ending, width)


FilmWanted = Annotated[tuple[Study, FilmAsked], Depends(_film)]


@router.get("/{id}/film.{ending}", response_class=Film, dependencies=[spend("creates")])
async def show_film(films: Part[Films], errands: Errands, wanted: FilmWanted) -> Response:
    """The main line of a study as a film."""
    study, asked = wanted
    content = await errands.stay(films.fetch(study, asked, errands.visitor))
    kept = _to_keep(study, asked.ending)
    return Film(content, media_type=f"image/{asked.ending}", headers=kept)


@router.post(
    "/{id}/film.{ending}",
    response_class=JsonStream,
    responses=answered(FilmProgress),
    dependencies=[spend("creates")],
)
async def prepare_film(films: Part[Films], visitor: Visitor, wanted: FilmWanted) -> JsonStream:
    """Make the film, and tell how far it has come as lines of JSON; the last says where it is."""
    return JsonStream(
        _tell_progress(films, visitor, *wanted),
        headers={**FRESH, **UNCOMPRESSED},
    )


async def _tell_progress(
    films: Films, visitor: str, study: Study, asked: FilmAsked
) -> AsyncIterator[str]:
    query = urlencode({"theme": asked.theme, "width": asked.width})
    told: AnyJson = {"done": 0, "of": 0, "url": None, "error": None}
    try:
        async for done, of in films.make(study, asked, visitor):
            told |= {"done": done, "of": of}
            yield _write_line(told)
        told["url"] = f"/api/studies/{asked.id}/film.{asked.ending}?{query}"
    except SkerryError as error:
        told["error"] = explain(error)
    yield _write_line(told)


def _write_line(content: AnyJson) -> str:
    return json.dumps(content) + "\n"


def _to_keep(study: Study, ending: str) -> dict[str, str]:
    return attachment(f"{study.frame['game']}-{study.id}.{ending}")


async def _show(errands: Errands, study: Study, secrets: Secrets) -> AnyJson:
    shown: AnyJson = await errands.run(BOARDS, describe_study, study)
    return shown | {"yours": opens(secrets, study.secret)}


async def _answer(errands: Errands, study: Study, secrets: Secrets) -> JSONResponse:
    shown = await _show(errands, study, secrets)
    return JSONResponse(shown, headers=FRESH)
