"""Studies as pages, which can be read without scripts."""

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from skerry.core.playthrough import Playthrough
from skerry.games import GAMES
from skerry.server.play.boards import board, words
from skerry.server.positions.trials import Trials
from skerry.server.showing.embeds import Embedding, show_embed
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
    embedding: Embedding,
) -> HTMLResponse:
    """A study as everybody reads it."""
    study = await shelf.find(id)
    if embedding.wanted:
        return await _embed(embedding, drafts, trials, study)
    return await _show(drafts, trials, attention, study)


async def _embed(
    embedding: Embedding, drafts: Drafts, trials: Trials, study: Study
) -> HTMLResponse:
    game = await drafts.game_of(study)
    line = trials.find(study.start(game), study.moves)
    document = {
        "moves": study.moves,
        "said": [" ".join(said["comments"]) for said in (study.line, *study.line["moves"])],
        "line": {"game": game.name, "options": game.options, "start": line.start.position},
    }
    who = [(title, name) for title, name in zip(game.seats, study.players(game), strict=True)]
    stands = words(line, line.state.outcome)
    return show_embed(embedding, game, who, stands, _draw(line), document, study.title)


def _draw(line: Playthrough) -> dict[str, Markup]:
    return draw_both(lambda theme: board(line, theme, prefix=f"{theme}-"))


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
    shown = document(study, game, yours=False, origin=origin)
    return show_page("study.html", {"study": shown, "asked": asked, **_draw(line)})
