"""Vacations, and mail about turns, for those who play by correspondence."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field, StrictInt

from skerry.server.correspondence.answers import VacationShown
from skerry.server.correspondence.vacations import Vacations
from skerry.server.web.access import Member
from skerry.server.web.limits import spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body

router = APIRouter(prefix="/api/me", responses=REFUSALS, tags=["correspondence"])


class NewVacation(Body):
    days: Annotated[StrictInt, Field(ge=1, le=366)]


@router.get("/vacation", response_model=VacationShown, dependencies=[spend("reads")])
async def show_vacation(vacations: Part[Vacations], person: Member) -> dict[str, Any]:
    """Whether you are on vacation, and how many days are left."""
    return await vacations.show(person)


@router.post(
    "/vacation", status_code=201, response_model=VacationShown, dependencies=[spend("chats")]
)
async def take_vacation(
    vacations: Part[Vacations], person: Member, body: NewVacation
) -> dict[str, Any]:
    """Take a vacation: your clocks by days stand still until it ends. All players see that."""
    return await vacations.take(person, body.days)


@router.delete("/vacation", response_model=VacationShown, dependencies=[spend("chats")])
async def end_vacation(vacations: Part[Vacations], person: Member) -> dict[str, Any]:
    """Come back from a vacation before it ends; your clocks go on where they stood."""
    return await vacations.end(person)
