"""Pictures and texts of a game: its board, what a choice would do, its record, links as codes."""

import io
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response

from skerry.core.scene import Overlay
from skerry.records import write_text
from skerry.server.play.boards import NOTHING_LEFT, board, preview
from skerry.server.play.routes import SeatNumber
from skerry.server.play.table import record
from skerry.server.web.access import REFUSALS, Id, Shown, TheHost, Theme, Visitor
from skerry.server.web.answers import Preview
from skerry.server.web.errors import Forbidden, Refusal
from skerry.server.web.secrets import held_by

router = APIRouter(prefix="/api/games/{id}", responses=REFUSALS)

SVG = "image/svg+xml"
LONGEST_PATH = 16


class Picture(Response):
    media_type = SVG


@router.get("/board.svg", response_class=Picture)
async def show_board(
    host: TheHost,
    visitor: Visitor,
    id: Id,
    theme: Theme,
    ply: Annotated[int | None, Query(ge=0)] = None,
    overlay: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """The board, now or after so many plies."""
    host.limits.previews.spend(visitor)
    table = await host.find(id)
    if ply is not None and ply > len(table.plies):
        raise Refusal(f"the game has {len(table.plies)} plies so far")
    course = table.course if ply is None else table.course_to(ply)
    extra = course.state.overlay(overlay) if overlay else Overlay()
    return Picture(board(course, theme, extra), headers={"cache-control": "no-cache"})


@router.get("/preview", response_model=Preview)
async def show_preview(
    host: TheHost,
    visitor: Visitor,
    id: Id,
    theme: Theme,
    path: Annotated[str, Query(max_length=200)] = "",
) -> dict[str, Any]:
    """What choosing these targets would do, and how to go on."""
    host.limits.previews.spend(visitor)
    targets = [part.strip().lower() for part in path.split(",") if part.strip()]
    if len(targets) > LONGEST_PATH:
        raise Refusal(f"a path has at most {LONGEST_PATH} targets")
    table = await host.find(id)
    if table.is_over:
        raise Refusal(NOTHING_LEFT)
    return preview(table.course, targets, theme)


@router.get("/record", response_class=PlainTextResponse)
async def show_record(host: TheHost, visitor: Visitor, id: Id) -> PlainTextResponse:
    """The game as a record, to be kept or analysed."""
    host.limits.reads.spend(visitor)
    table = await host.find(id)
    return PlainTextResponse(
        write_text(record(table)),
        headers={"content-disposition": f'attachment; filename="{table.game.name}-{id}.skr"'},
    )


@router.post("/qr", response_class=Picture)
async def show_code(
    host: TheHost, visitor: Visitor, id: Id, secrets: Shown, request: Request, body: SeatNumber
) -> Response:
    """The link of a seat as a code for cameras; whoever asks must have the secret of that seat."""
    host.limits.previews.spend(visitor)
    table = await host.find(id)
    for secret in secrets:
        if body.seat in held_by(table, (secret,)) & table.links:
            break
    else:
        raise Forbidden("show the secret of that seat in the header X-Seat")
    link = f"{request.url.scheme}://{request.url.netloc}/g/{id}#s={secret}"
    out = io.BytesIO()
    segno.make(link, micro=False).save(
        out, kind="svg", scale=4, border=4, xmldecl=False, dark="#000", light="#fff"
    )
    return Picture(out.getvalue(), headers={"cache-control": "no-store"})
