"""The archive for programs, and as a page."""

from dataclasses import asdict
from datetime import UTC, date, datetime
from functools import partial
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, PlainTextResponse, StreamingResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from skerry.core.texts import N_
from skerry.games import GAMES, kind
from skerry.server.archive.answers import ArchivePage
from skerry.server.archive.archive import (
    MOST_COUNTED,
    MOST_DOWNLOADED,
    Archive,
    GameFilter,
    describe_result,
)
from skerry.server.archive.exports import write_games
from skerry.server.db.readings import finish_each
from skerry.server.languages.figures import figure
from skerry.server.languages.sentences import translate
from skerry.server.play.table import LEVEL
from skerry.server.settings import Settings
from skerry.server.web.access import Visitor
from skerry.server.web.answers import answered
from skerry.server.web.errors import NotFound
from skerry.server.web.kinds import say_board
from skerry.server.web.limits import hold, spend
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.responses import FRESH, attachment
from skerry.server.web.text import NAME_LENGTH, tidy
from skerry.server.workers.lanes import SAVING
from skerry.server.workers.pool import Pool, Urgency

router = APIRouter(tags=["archive"])

LONGEST = 100_000  # plies
SHOWN = 25
SEARCHED = 5  # tokens for a search
SEATS = (N_("First seat"), N_("Second seat"), N_("Third seat"))  # of any game

# Forms send fields that nobody has filled in.
Blank = BeforeValidator(lambda value: value or None)


class FilterAsked(BaseModel):
    """Which games are looked for; what is left out or empty does not matter."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str | None, Blank] = Field(
        None, max_length=32, description=f"{', '.join(GAMES)}"
    )
    options: Annotated[str | None, Blank] = Field(
        None, max_length=200, description="options that are not as usual, such as side=3"
    )
    player: Annotated[str | None, Blank] = Field(
        None, max_length=100, description="the name of somebody at the table"
    )
    engine: Annotated[str | None, Blank] = Field(
        None, pattern=r"^(level:([1-9]|10)|random)$", description="an engine at the table: level:3"
    )
    result: Annotated[Literal["0", "1", "2", "draw", "none"] | None, Blank] = Field(
        None, description="the number of the seat that won, draw, or none if nobody did"
    )
    shortest: Annotated[int | None, Blank] = Field(
        None, ge=0, le=LONGEST, description="plies that the game has at least"
    )
    longest: Annotated[int | None, Blank] = Field(
        None, ge=0, le=LONGEST, description="plies that the game has at most"
    )
    since: Annotated[date | None, Blank] = Field(
        None, description="the first day on which the game may have ended (UTC)"
    )
    until: Annotated[date | None, Blank] = Field(None, description="the last such day")
    after: Annotated[str | None, Blank] = Field(
        None, max_length=64, description="the cursor that the page before gave"
    )

    def wanted(self) -> GameFilter:
        chosen = self.model_dump(exclude={"after", "limit"})
        return GameFilter(**chosen | {"player": tidy(self.player or "", NAME_LENGTH)})

    def address(self, path: str, **changes: str | None) -> str:
        """Where the same games are found, or with something changed."""
        chosen = self.model_dump(mode="json", exclude_none=True) | changes
        query = urlencode({name: value for name, value in chosen.items() if value is not None})
        return f"{path}?{query}" if query else path


class PagedFilterAsked(FilterAsked):
    limit: int = Field(SHOWN, ge=1, le=100, description="games on a page")


@router.get(
    "/api/archive",
    responses={**REFUSALS, **answered(ArchivePage)},
    response_model=None,
    dependencies=[spend("reads", SEARCHED)],
)
async def list_archive(
    archive: Part[Archive], filter: Annotated[PagedFilterAsked, Query()]
) -> dict[str, Any]:
    """Public games that are over, the newest first.

    `count` stops at 10,001. `after` is the cursor of the next page, and null on the last one.
    """
    wanted = filter.wanted()
    page = await archive.list(wanted, filter.after, filter.limit)
    return {**asdict(page), "count": await archive.count(wanted)}


@router.get(
    "/api/archive/download",
    response_class=PlainTextResponse,
    responses={**REFUSALS, 200: {"description": "Records, separated by empty lines."}},
    dependencies=[spend("downloads"), hold("taken")],
)
async def download_archive(
    archive: Part[Archive],
    pool: Part[Pool],
    visitor: Visitor,
    filter: Annotated[FilterAsked, Query()],
) -> StreamingResponse:
    """All games that match as one file of records, the newest 10,000 of them.

    The rest follows with `after`, the cursor of a page of the archive.
    """
    wanted = filter.wanted()
    if not (await archive.list(wanted, filter.after, 1)).games:
        raise NotFound("no game matches; use fewer filters")
    work = partial(pool.run, SAVING, Urgency.PERSON, write_games, visitor=visitor)
    return StreamingResponse(
        finish_each(archive.write(wanted, filter.after, work)),
        media_type="text/plain; charset=utf-8",
        headers={**attachment("skerry-games.skr"), **FRESH},
    )


@router.get("/archive", include_in_schema=False, dependencies=[spend("reads", SEARCHED)])
async def show_archive(
    archive: Part[Archive], settings: Part[Settings], filter: Annotated[FilterAsked, Query()]
) -> HTMLResponse:
    """The archive with a form to look for games."""
    wanted = filter.wanted()
    page = await archive.list(wanted, filter.after, SHOWN)
    count = await archive.count(wanted)
    seats = kind(filter.game).seats if filter.game else SEATS
    numbers = [str(seat) for seat in range(len(seats))]
    results = {
        result: translate(describe_result(seats, result)) for result in (*numbers, "draw", "none")
    }
    return show_page(
        "archive.html",
        {
            "filter": filter.model_dump(mode="json"),
            "is_filtered": bool(filter.model_dump(exclude_none=True, exclude={"after"})),
            "games": [_prepare(game) for game in page.games],
            "count": f"{figure(MOST_COUNTED)}+" if count > MOST_COUNTED else figure(count),
            "one": count == 1,
            "results": results,
            "engines": [f"{LEVEL}{n}" for n in range(1, settings.top_level + 1)],
            "most": figure(MOST_DOWNLOADED),
            "download": filter.address("/api/archive/download", after=None),
            "newest": filter.address("/archive", after=None) if filter.after else None,
            "older": filter.address("/archive", after=page.after) if page.after else None,
        },
    )


def _prepare(game: dict[str, Any]) -> dict[str, Any]:
    """A game with what a page says of its day and its board."""
    at = datetime.fromtimestamp(game["finished"] / 1000, UTC)
    return {
        **game,
        "date": at.strftime("%Y-%m-%d"),
        "moment": at.isoformat(timespec="seconds"),
        "board": say_board(game["game"], game["options"]),
    }
