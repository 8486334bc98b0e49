"""The pages of tournaments."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from skerry.server.tournaments.event import CALLED_OFF, GATHERING, OVER, PLAYING
from skerry.server.tournaments.routes import read_place
from skerry.server.tournaments.service import SYSTEM_TITLES, EventService
from skerry.server.tournaments.sheets import list_facts, make_sheet, write_points
from skerry.server.tournaments.store import MOST_LISTED, EventStore
from skerry.server.tournaments.views import list_event, show_event
from skerry.server.tournaments.visitors import Anybody
from skerry.server.web.access import Id
from skerry.server.web.limits import spend
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part
from skerry.server.web.responses import FRESH
from skerry.server.web.templates import environment, render

router = APIRouter(include_in_schema=False, dependencies=[spend("reads", 3)])


def write_moment(at: int) -> str:
    """A time for those whose browser does not say it in their own."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M}Z"


environment.filters |= {"facts": list_facts, "moment": write_moment, "points": write_points}


@router.get("/tournaments")
async def show_tournaments(
    store: Part[EventStore],
    who: Anybody,
    before: Annotated[str | None, Query(max_length=64)] = None,
) -> HTMLResponse:
    """Tournaments that can be joined or watched, those that are over, and a form for another."""
    place = read_place(before)
    current = [] if place else await store.list_events((GATHERING, PLAYING))
    past = await store.list_events((OVER, CALLED_OFF), place)
    last = past[-1] if len(past) == MOST_LISTED else None
    return show_page(
        "tournaments.html",
        {
            "gathering": [list_event(row) for row in current if row["state"] == GATHERING],
            "playing": [list_event(row) for row in current if row["state"] == PLAYING],
            "past": [list_event(row) for row in past],
            "older": last and f"/tournaments?before={last['created']},{last['id']}",
            "is_newest": place is None,
            "systems": SYSTEM_TITLES,
            "who": who,
        },
    )


@router.get("/tournaments/{id}")
async def show_one(
    store: Part[EventStore],
    service: Part[EventService],
    who: Anybody,
    id: Id,
    part: Annotated[bool, Query(description="only what changes")] = False,
) -> HTMLResponse:
    """A tournament: who leads, who plays whom, and what to do next."""
    event = await store.find(id)
    shown = show_event(event, who, service.now())
    sheet = make_sheet(event, shown)
    context = {"event": shown, "sheet": sheet, "systems": SYSTEM_TITLES, "who": who}
    if part:
        return HTMLResponse(render("tournament_sheet.html", **context), headers=FRESH)
    page = show_page("tournament.html", context)
    page.headers.update(FRESH)  # whoever comes back to it is not to see it as it was
    return page
