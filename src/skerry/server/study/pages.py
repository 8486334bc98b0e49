"""Studies as pages, which can be read without scripts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from skerry.games import GAMES
from skerry.records import Record
from skerry.server.languages.documents import translate_study
from skerry.server.languages.sentences import translate
from skerry.server.showing.embeds import Embedding, show_embed
from skerry.server.study.attention import Attention
from skerry.server.study.drafts import Drafts
from skerry.server.study.reading import OpenedStudy, open_position, open_record, open_study
from skerry.server.study.shelf import Shelf
from skerry.server.web.access import Id
from skerry.server.web.limits import Pay, price_of, spend, spender
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part
from skerry.server.web.requests import read_options
from skerry.server.web.templates import picture
from skerry.server.workers.errands import Errands
from skerry.server.workers.lanes import BOARDS
from skerry.server.workers.warm import Rulebook

router = APIRouter(prefix="/study", include_in_schema=False)


@router.get("", dependencies=[spend("reads")])
async def show_form(game: Annotated[str, Query(max_length=40)] = "") -> HTMLResponse:
    """Where a study begins: a game, a record, or a position set up by hand."""
    return show_page("studies.html", {"chosen": game})


@dataclass
class _DraftAsked:
    """What a new study is to be of: a game on this server, or a position of any."""

    drafts: Part[Drafts]
    errands: Errands
    source: Annotated[str | None, Query(alias="from", pattern=r"^[A-Za-z0-9_-]{1,32}$")] = None
    game: Annotated[str | None, Query(max_length=40)] = None
    options: Annotated[str, Query(max_length=200)] = ""
    position: Annotated[str | None, Query(max_length=2000)] = None

    async def work(
        self, pay: Pay, of_record: Callable[[Record], Any], of_position: Callable[..., Any]
    ) -> Any:
        """What the pool makes of it, by a function for games and one for positions."""
        if self.source:
            record = await self.drafts.find_record(self.source, pay)
            return await self.errands.run(BOARDS, of_record, record)
        pay(3)
        key = self.drafts.name_game(self.game, self.chosen)
        return await self.errands.run(BOARDS, of_position, key, self.position or None)

    @property
    def chosen(self) -> dict[str, int]:
        return read_options(self.options) if self.game in GAMES else {}

    @property
    def origin(self) -> dict[str, Any]:
        """What makes the study again."""
        if self.source:
            return {"from": self.source}
        origin: dict[str, Any] = {"game": self.game, "options": self.chosen}
        return origin | ({"position": self.position} if self.position else {})

    def write(self) -> str:
        """The same as it stands in an address."""
        given = {"game": self.game, "options": self.options, "position": self.position}
        asked = {"from": self.source} if self.source else given
        return urlencode({name: said for name, said in asked.items() if said})


DraftAsked = Annotated[_DraftAsked, Depends()]
PayReads = Annotated[Pay, spender("reads")]


@router.get("/new")
async def show_draft(attention: Part[Attention], pay: PayReads, asked: DraftAsked) -> HTMLResponse:
    """A study that is kept as soon as somebody changes or shares it."""
    opened = await asked.work(pay, open_record, open_position)
    attention.warm_up(opened.key)
    return _show(opened, asked.origin, asked.write())


@router.get("/{id}")
async def show_reader(
    attention: Part[Attention],
    shelf: Part[Shelf],
    rulebook: Part[Rulebook],
    errands: Errands,
    pay: PayReads,
    id: Id,
    embedding: Embedding,
) -> HTMLResponse:
    """A study as everybody reads it."""
    study = await shelf.find(id)
    pay(3 * price_of(study.length))
    opened = await errands.run(BOARDS, open_study, study)
    if embedding.wanted:
        return await _embed(embedding, rulebook, opened)
    attention.warm_up(opened.key)
    return _show(opened)


async def _embed(embedding: Embedding, rulebook: Rulebook, opened: OpenedStudy) -> HTMLResponse:
    study, shown = opened.study, opened.shown
    document = {
        "moves": study.moves,
        "said": [" ".join(said["comments"]) for said in (study.line, *study.line["moves"])],
        "line": {field: shown[field] for field in ("game", "options", "start")},
    }
    game = await rulebook.game(shown["game"], shown["options"])
    return show_embed(
        embedding,
        game,
        opened.players,
        translate(opened.words),
        _mark(opened),
        document,
        study.title,
    )


def _show(
    opened: OpenedStudy, origin: dict[str, Any] | None = None, asked: str = ""
) -> HTMLResponse:
    shown = translate_study(opened.shown) | ({} if origin is None else {"origin": origin})
    return show_page("study.html", {"study": shown, "asked": asked, **_mark(opened)})


def _mark(opened: OpenedStudy) -> dict[str, Markup]:
    return {theme: picture(drawn) for theme, drawn in opened.boards.items()}
