"""Planned answers for programs: read, replaced and deleted by whoever sits there."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse
from pydantic import Field, StrictInt

from skerry.core.playthrough import Playthrough
from skerry.server.play.answers import ConditionsShown, GameConflict
from skerry.server.play.boards import describe_ply
from skerry.server.play.conditions.lines import (
    MOST_ACTIONS,
    MOST_LINES,
    Conditions,
    read_conditions,
)
from skerry.server.play.deeds import expect
from skerry.server.play.routes import Asked
from skerry.server.play.service import Service
from skerry.server.play.store import Store
from skerry.server.play.table import Table
from skerry.server.web.answers import answered
from skerry.server.web.errors import Forbidden, Stale
from skerry.server.web.limits import spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS, explain
from skerry.server.web.requests import Body, Word
from skerry.server.web.responses import FRESH

router = APIRouter(prefix="/api/games/{id}/conditions", responses=REFUSALS, tags=["games"])

PLANNED, CHANGED = answered(ConditionsShown), answered(ConditionsShown, GameConflict)


class NewConditions(Body):
    """Lines of moves from where the game stands, each ending with an answer of yours."""

    version: StrictInt
    lines: list[Annotated[list[Word], Field(max_length=MOST_ACTIONS)]] = Field(
        max_length=MOST_LINES, examples=[[["d4-ne", "e5-n"], ["d4-e", "b2-w"]]]
    )


async def _find_seat(
    service: Part[Service],
    asked: Asked,
    seat: Annotated[int | None, Query(description="your own, if you hold several")] = None,
) -> tuple[Table, int]:
    """A game, and the seat whose plans are meant."""
    table, held = await service.enter(asked.id, asked.shown)
    if seat is not None and seat not in held:
        raise Forbidden("plans are for whoever holds the seat; open its link")
    return table, min(held) if seat is None else seat


Place = Annotated[tuple[Table, int], Depends(_find_seat)]


@router.get("", responses=PLANNED, dependencies=[spend("reads")])
async def show_conditions(store: Part[Store], place: Place) -> JSONResponse:
    """The answers that you have planned, as far as the game may still come to them."""
    table, seat = place
    return _answer(table, seat, (await store.find_conditions(table.id)).get(seat))


@router.put("", responses=CHANGED, dependencies=[spend("moves")])
async def replace_conditions(
    store: Part[Store], asked: Asked, place: Place, body: NewConditions
) -> JSONResponse:
    """Plan answers: lines that are played for you as soon as the others move as they say."""
    table, seat = place
    try:
        expect(table, body.version)
        planned = read_conditions(table, seat, body.lines)
        await store.keep_conditions(table, planned)
    except Stale as error:
        now = asked.show(await asked.views.find(asked.id))
        return JSONResponse({"error": explain(error), "game": now}, 409)
    return _answer(table, seat, planned)


@router.delete("", responses=PLANNED, dependencies=[spend("moves")])
async def delete_conditions(store: Part[Store], place: Place) -> JSONResponse:
    """Plan nothing any more."""
    table, seat = place
    await store.drop_conditions(table.id, seat)
    return _answer(table, seat, None)


def _answer(table: Table, seat: int, planned: Conditions | None) -> JSONResponse:
    lines = () if planned is None else planned.left(table)
    shown = {
        "seat": seat,
        "ply": len(table.plies),
        "lines": [_describe(table.line, table.line.follow(line)) for line in lines],
    }
    return JSONResponse(shown, headers=FRESH)


def _describe(begun: Playthrough, line: Playthrough) -> list[dict[str, Any]]:
    return [describe_ply(point) for point in line.since(begun.plies)]
