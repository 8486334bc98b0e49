"""Tournaments for programs: made, joined, played, looked at."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse
from pydantic import Field, StrictInt

from skerry.server.tournaments.answers import EventListed, EventShown, States, Systems
from skerry.server.tournaments.event import (
    CALLED_OFF,
    GATHERING,
    MOST_ENTRANTS,
    MOST_MINUTES,
    OVER,
    PLAYING,
    Event,
)
from skerry.server.tournaments.service import EventService, Participant
from skerry.server.tournaments.store import EventStore
from skerry.server.tournaments.views import list_event, show_event
from skerry.server.tournaments.visitors import Anybody, Known
from skerry.server.web.access import Id
from skerry.server.web.answers import answered
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import creating, spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body, Options, Text, Word
from skerry.server.web.responses import FRESH

router = APIRouter(prefix="/api/tournaments", responses=REFUSALS, tags=["tournaments"])

SHOWN = answered(EventShown)
LARGEST_TIME = 2**53


class NewEvent(Body):
    """What there is to choose; a clock has to be among it."""

    game: Text
    options: Options
    title: Annotated[str, Field(max_length=200)] = ""
    system: Systems
    clock: dict[str, Any] = Field(examples=[{"kind": "total", "seconds": 300, "increment": 3}])
    rounds: Annotated[StrictInt, Field(ge=1, le=1000)] | None = Field(
        None, description="of a round robin or a Swiss; by default, as many as it takes"
    )
    minutes: Annotated[StrictInt, Field(ge=1, le=MOST_MINUTES)] | None = Field(
        None, description="how long an arena lasts"
    )
    rated: bool = False
    starts: Annotated[StrictInt, Field(ge=0, le=LARGEST_TIME)] | None = Field(
        None, description="when it begins, in milliseconds since 1970; by default when you say so"
    )
    quorum: Annotated[StrictInt, Field(ge=2, le=MOST_ENTRANTS)] | None = Field(
        None, description="begin as soon as so many take part"
    )
    levels: list[Annotated[StrictInt, Field(ge=1, le=10)]] = Field(
        default_factory=list, max_length=10, description="engine levels that take part"
    )


class EntrantAsked(Body):
    entrant: Word = Field(examples=["level:3"])


@router.post("", status_code=201, response_model=EventShown, dependencies=creating("games"))
async def make_tournament(
    service: Part[EventService], who: Known, body: NewEvent
) -> dict[str, Any]:
    """Make a tournament. It begins at a time, when enough take part, or when you start it.

    You take part by joining it as everybody does. Pairings are made by the server, and games begin
    by themselves: whoever has not made their first move after three minutes loses.
    """
    event = await service.make(who, body.model_dump(exclude={"levels"}), body.levels)
    return _show(event, who, service)


@router.get("", response_model=list[EventListed], dependencies=[spend("reads")])
async def list_tournaments(
    store: Part[EventStore],
    state: Annotated[States | Literal["any"], Query(description="of those to list")] = "any",
    before: Annotated[
        str | None,
        Query(description="CREATED,ID of the last one, to go on after it", max_length=64),
    ] = None,
) -> list[dict[str, Any]]:
    """Tournaments, the newest first, 50 at a time."""
    states = (GATHERING, PLAYING, OVER, CALLED_OFF) if state == "any" else (state,)
    rows = await store.list_events(states, read_place(before))
    return [list_event(row) for row in rows]


def read_place(text: str | None) -> tuple[int, str] | None:
    """Where a list goes on."""
    if text is None:
        return None
    created, _, id = text.partition(",")
    if not created.isascii() or not created.isdigit() or len(created) > 15:
        raise Refusal(
            "before is the created and the id of a tournament: 1700000000000,3kTf0aQvbxZe"
        )
    return int(created), id


@router.get("/{id}", responses=SHOWN, response_class=JSONResponse, dependencies=[spend("reads", 3)])
async def show_tournament(
    service: Part[EventService], store: Part[EventStore], who: Anybody, id: Id
) -> JSONResponse:
    """A tournament as it stands: who takes part, what was paired, who leads."""
    return JSONResponse(_show(await store.find(id), who, service), headers=FRESH)


@router.post("/{id}/join", response_model=EventShown, dependencies=[spend("chats")])
async def join_tournament(service: Part[EventService], who: Known, id: Id) -> dict[str, Any]:
    """Take part, or come back after you have left or stayed away."""
    return _show(await service.join(id, who), who, service)


@router.post("/{id}/leave", response_model=EventShown, dependencies=[spend("chats")])
async def leave_tournament(service: Part[EventService], who: Known, id: Id) -> dict[str, Any]:
    """Do not take part any more; a game that goes on is played to its end, or lost."""
    return _show(await service.leave(id, who), who, service)


@router.post("/{id}/start", response_model=EventShown, dependencies=[spend("creates")])
async def start_tournament(service: Part[EventService], who: Known, id: Id) -> dict[str, Any]:
    """Begin now, if you made it."""
    return _show(await service.start(id, who), who, service)


@router.post("/{id}/call-off", response_model=EventShown, dependencies=[spend("creates")])
async def call_off_tournament(service: Part[EventService], who: Known, id: Id) -> dict[str, Any]:
    """End it at once, if you made it; results so far are kept."""
    return _show(await service.call_off(id, who), who, service)


@router.post("/{id}/enter", response_model=EventShown, dependencies=[spend("creates")])
async def enter_level(
    service: Part[EventService], who: Known, id: Id, body: EntrantAsked
) -> dict[str, Any]:
    """Let an engine level take part, if you made it."""
    return _show(await service.add(id, who, body.entrant), who, service)


@router.post("/{id}/remove", response_model=EventShown, dependencies=[spend("chats")])
async def remove_entrant(
    service: Part[EventService], who: Known, id: Id, body: EntrantAsked
) -> dict[str, Any]:
    """Let somebody not take part any more, if you made it."""
    return _show(await service.remove(id, who, body.entrant), who, service)


def _show(event: Event, who: Participant | None, service: EventService) -> dict[str, Any]:
    return show_event(event, who, service.now())
