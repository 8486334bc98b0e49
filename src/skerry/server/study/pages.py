"""Studies as pages, which can be read without scripts."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from skerry.games import GAMES
from skerry.server.play.boards import board
from skerry.server.positions.trials import Trials
from skerry.server.study.attention import Attention
from skerry.server.study.drafts import Drafts
from skerry.server.study.model import Study, document
from skerry.server.study.shelf import Shelf
from skerry.server.web.access import Id
from skerry.server.web.limits import spend
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part
from skerry.server.web.requests import read_options
from skerry.server.web.templates import draw_both

router = APIRouter(prefix="/study", include_in_schema=False, dependencies=[spend("reads")])


@router.get("")
async def show_form(game: Annotated[str, Query(max_length=40)] = "") -> HTMLResponse:
    """Where a study begins: a game, a record, or a position set up by hand."""
    return show_page("studies.html", {"chosen": game})


@router.get("/new")
async def show_draft(
    drafts: Part[Drafts],
    trials: Part[Trials],
    attention: Part[Attention],
    source: Annotated[str | None, Query(alias="from", pattern=r"^[A-Za-z0-9_-]{1,32}$")] = None,
    game: Annotated[str | None, Query(max_length=40)] = None,
    options: Annotated[str, Query(max_length=200)] = "",
    position: Annotated[str | None, Query(max_length=2000)] = None,
) -> HTMLResponse:
    """A study that is kept as soon as somebody changes or shares it."""
    if source:
        study = await drafts.from_game(source)
        return await _show(drafts, trials, attention, study, {"from": source})
    chosen = read_options(options) if game in GAMES else {}
    study = await drafts.from_position(game, chosen, position or None)
    origin: dict[str, Any] = {"game": game, "options": chosen}
    if position:
        origin["position"] = position
    return await _show(drafts, trials, attention, study, origin)


@router.get("/{id}")
async def show_reader(
    drafts: Part[Drafts],
    trials: Part[Trials],
    attention: Part[Attention],
    shelf: Part[Shelf],
    id: Id,
) -> HTMLResponse:
    """A study as everybody reads it."""
    return await _show(drafts, trials, attention, await shelf.find(id))


async def _show(
    drafts: Drafts,
    trials: Trials,
    attention: Attention,
    study: Study,
    origin: dict[str, Any] | None = None,
) -> HTMLResponse:
    game = await drafts.game_of(study)
    attention.warm_up(game)
    line = trials.find(study.start(game), study.moves)
    drawn = draw_both(lambda theme: board(line, theme, prefix=f"{theme}-"))
    shown = document(study, game, yours=False, origin=origin)
    return show_page("study.html", {"study": shown, **drawn})
