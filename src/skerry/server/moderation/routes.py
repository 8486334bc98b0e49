"""What moderators do about people, for their programs; every deed is in the audit log."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field, StrictInt

from skerry.server.moderation.office import LONGEST_MUTE, LONGEST_REASON, Office
from skerry.server.people.people_routes import Moderator
from skerry.server.web.entrants import PERSON, Entrant
from skerry.server.web.limits import spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body
from skerry.server.web.responses import SILENT
from skerry.server.web.secrets import Signed

router = APIRouter(
    prefix="/api/people/{name}",
    responses=REFUSALS,
    tags=["running a club"],
    dependencies=[spend("chats")],
)

Called = Annotated[str, Path(max_length=100, description="of somebody who has an account")]


class Ruling(Body):
    reason: str = Field("", max_length=LONGEST_REASON, description="why, for the audit log")


class Muting(Ruling):
    days: Annotated[StrictInt, Field(ge=0, le=LONGEST_MUTE)] = Field(
        7, description="for how long; 0 lets them chat again"
    )


def name_actor(moderator: Signed) -> str:
    """A moderator as the audit log names them."""
    return str(Entrant(PERSON, moderator.id))


@router.post("/mute", **SILENT)
async def mute_person(
    office: Part[Office], moderator: Moderator, name: Called, body: Muting
) -> None:
    """Keep somebody from chatting for some days; for moderators."""
    await office.mute(name_actor(moderator), name, body.days, body.reason)


@router.post("/close", **SILENT)
async def close_account(
    office: Part[Office], moderator: Moderator, name: Called, body: Ruling | None = None
) -> None:
    """Close somebody's account: nobody can sign in to it, and its games stay; for moderators."""
    await office.close(name_actor(moderator), name, body.reason if body else "")


@router.post("/reopen", **SILENT)
async def reopen_account(
    office: Part[Office], moderator: Moderator, name: Called, body: Ruling | None = None
) -> None:
    """Let somebody sign in again whose account was closed; for moderators."""
    await office.reopen(name_actor(moderator), name, body.reason if body else "")
