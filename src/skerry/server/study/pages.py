"""Studies as pages, which can be read without scripts."""

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query
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


@dataclass
class _DraftAsked:
    """What a new study is to be of: a game on this server, or a position of any."""

    source: Annotated[str | None, Query(alias="from", pattern=r"^[A-Za-z0-9_-]{1,32}$")] = None
    game: Annotated[str | None, Query(max_length=40)] = None
    options: Annotated[str, Query(max_length=200)] = ""
    position: Annotated[str | None, Query(max_length=2000)] = None

    async def draft(self, drafts: Drafts) -> tuple[Study, dict[str, Any]]:
        """The study, and what makes it again."""
        if self.source:
            return await drafts.from_game(self.source), {"from": self.source}
        chosen = read_options(self.options) if self.game in GAMES else {}
        study = await drafts.from_position(self.game, chosen, self.position or None)
        origin: dict[str, Any] = {"game": self.game, "options": chosen}
        if self.position:
            origin["position"] = self.position
        return study, origin

    def write(self) -> str:
        """The same as it stands in an address."""
        given = {"game": self.game, "options": self.options, "position": self.position}
        asked = {"from": self.source} if self.source else given
        return urlencode({name: said for name, said in asked.items() if said})


DraftAsked = Annotated[_DraftAsked, Depends()]


@router.get("/new")
async def show_draft(
    drafts: Part[Drafts], trials: Part[Trials], attention: Part[Attention], asked: DraftAsked
) -> HTMLResponse:
    """A study that is kept as soon as somebody changes or shares it."""
    study, origin = await asked.draft(drafts)
    return await _show(drafts, trials, attention, study, origin, asked.write())


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
    asked: str = "",
) -> HTMLResponse:
    game = await drafts.game_of(study)
    attention.warm_up(game)
    line = trials.find(study.start(game), study.moves)
    drawn = draw_both(lambda theme: board(line, theme, prefix=f"{theme}-"))
    shown = document(study, game, yours=False, origin=origin)
    return show_page("study.html", {"study": shown, "asked": asked, **drawn})
