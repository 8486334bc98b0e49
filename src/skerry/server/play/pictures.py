"""A game to look at: its page, its board, what a choice would do, its record, links as codes."""

import io
from dataclasses import replace
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from skerry.core.playthrough import Playthrough
from skerry.lab.beginnings import tell_evidence
from skerry.lab.openings.books import Books
from skerry.records import write_text
from skerry.server.languages.documents import translate_document
from skerry.server.languages.sentences import translate
from skerry.server.play.answers import PreviewShown, ReasonShown
from skerry.server.play.boards import (
    NOTHING_LEFT,
    draw_excerpt,
    excerpt,
    preview_excerpt,
    refusal,
)
from skerry.server.play.table import held_by, record
from skerry.server.play.views import Views
from skerry.server.showing.embeds import Embedding, show_embed
from skerry.server.showing.introduction import introduce
from skerry.server.web.access import Id, Shown, Theme, Turned
from skerry.server.web.address import absolute
from skerry.server.web.errors import Forbidden, Refusal
from skerry.server.web.limits import Pay, price_of, spend, spender
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import LONGEST_PATH, SeatNumber, split
from skerry.server.web.responses import FRESH, Picture, attachment
from skerry.server.web.secrets import Credentials
from skerry.server.web.templates import picture
from skerry.server.workers.errands import Errands
from skerry.server.workers.lanes import BOARDS
from skerry.server.workers.warm import key_of

router = APIRouter(responses=REFUSALS, tags=["boards"])


PayReads = Annotated[Pay, spender("reads")]


async def draw_board(errands: Errands, line: Playthrough, theme: str, **choices: Any) -> str:
    """A board drawn by the pool; kept by its position, so that it is drawn once for everybody."""
    chosen = {"overlay": "", "prefix": "", "turned": False, "live": False} | choices
    order = key_of(line.state.game), *excerpt(line), theme, *chosen.values()
    return await errands.fetch(BOARDS, draw_excerpt, *order)


@router.get("/g/{id}", include_in_schema=False)
async def show_game_page(
    views: Part[Views], errands: Errands, pay: PayReads, id: Id, embedding: Embedding
) -> HTMLResponse:
    """A game as a visitor without a seat sees it, which needs no scripts."""
    table = await views.look(id, errands.visitor)
    pay(2 * price_of(len(table.plies)))
    drawn = {
        theme: picture(await draw_board(errands, table.line, theme, prefix=f"{theme}-", live=True))
        for theme in ("light", "dark")
    }
    shown = views.show(table)
    if not table.is_over:  # whoever looks may have a seat: the page tells later
        shown["gallery"] = []
    if embedding.wanted:
        document = {"id": id, "moves": [ply["text"] for ply in shown["moves"]]}
        who = [(seat["title"], seat["who"]) for seat in shown["seats"]]
        return show_embed(embedding, table.game, who, shown["words"], drawn, document)
    return show_page("game.html", {"game": shown, **drawn, **introduce(table.game)})


@router.get("/api/games/{id}/board.svg", response_class=Picture, dependencies=[spend("previews")])
async def show_board(
    views: Part[Views],
    errands: Errands,
    id: Id,
    theme: Theme,
    ply: Annotated[int | None, Query(ge=0)] = None,
    overlay: Annotated[str, Query(max_length=100)] = "",
    turned: Turned = False,
    live: Annotated[bool, Query(description="as players see it, with what counts")] = False,
) -> Response:
    """The board, now or after so many plies."""
    table = await views.find(id)
    if ply is not None and ply > len(table.plies):
        raise Refusal(f"the game has {len(table.plies)} plies so far")
    line = table.line if ply is None else table.line.points[ply]
    drawn = await draw_board(errands, line, theme, overlay=overlay, turned=turned, live=live)
    return Picture(drawn, headers={"cache-control": "no-cache"})


@router.get(
    "/api/games/{id}/preview", response_model=PreviewShown, dependencies=[spend("previews")]
)
async def show_preview(
    views: Part[Views],
    errands: Errands,
    id: Id,
    theme: Theme,
    path: Annotated[str, Query(max_length=200)] = "",
    turned: Turned = False,
) -> dict[str, Any]:
    """What choosing these targets would do, and how to go on."""
    targets = read_path(path)
    table = await views.find(id)
    if table.is_over:
        raise Refusal(NOTHING_LEFT)
    order = key_of(table.game), *excerpt(table.line), targets, theme, turned
    found: dict[str, Any] = translate_document(await errands.run(BOARDS, preview_excerpt, *order))
    return found


@router.get("/api/games/{id}/reason", response_model=ReasonShown, dependencies=[spend("previews")])
async def show_reason(
    views: Part[Views], id: Id, path: Annotated[str, Query(max_length=200)]
) -> dict[str, str]:
    """Why no move begins with these targets; nothing if one does."""
    targets = read_path(path)
    return {"reason": translate(refusal((await views.find(id)).line.state, targets))}


def read_path(text: str) -> list[str]:
    """What somebody points at, as it stands in an address."""
    targets = [part.lower() for part in split(text)]
    if len(targets) > LONGEST_PATH:
        raise Refusal(f"a path has at most {LONGEST_PATH} targets")
    return targets


@router.get("/api/games/{id}/record", response_class=PlainTextResponse)
async def show_record(
    views: Part[Views], books: Part[Books], pay: PayReads, id: Id
) -> PlainTextResponse:
    """The game as a record, to be kept or analysed."""
    table = await views.find(id)
    pay(price_of(len(table.plies)))
    even = books.look_up(table.start)
    written = record(table)
    if even is not None:
        told = {"Even": tell_evidence(table.game.seats, even.evidence)}
        written = replace(written, headers={**written.headers, **told})
    return PlainTextResponse(
        write_text(written),
        headers=attachment(f"{table.game.name}-{id}.skr"),
    )


@router.post("/api/games/{id}/qr", response_class=Picture, dependencies=[spend("previews")])
async def show_code(views: Part[Views], id: Id, shown: Shown, body: SeatNumber) -> Response:
    """The link of a seat as a QR code; whoever asks must have the secret of that seat."""
    table = await views.find(id)
    for secret in shown.secrets:
        if body.seat in held_by(table, Credentials((secret,))) & table.links:
            break
    else:
        raise Forbidden("show the secret of that seat in the header X-Seat")
    try:
        code = segno.make(absolute(f"/g/{id}#s={secret}"), micro=False)
    except segno.DataOverflowError:
        raise Refusal("the address of this site is too long for a QR code; copy the link") from None
    out = io.BytesIO()
    code.save(out, kind="svg", scale=4, border=4, xmldecl=False, dark="#000", light="#fff")
    return Picture(out.getvalue(), headers=FRESH)
