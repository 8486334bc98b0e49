"""Announcements and the audit log, for those who run the club and their programs."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import RedirectResponse, Response
from pydantic import Field, StrictInt

from skerry.server.keeping.announcements import LONGEST, Announcements
from skerry.server.keeping.answers import Announced, AnnouncementShown, NoteShown
from skerry.server.keeping.audit import Audit
from skerry.server.web.access import ID, Member
from skerry.server.web.address import DISMISSED, stay_here
from skerry.server.web.entrants import PERSON, Entrant
from skerry.server.web.errors import Forbidden
from skerry.server.web.limits import spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body
from skerry.server.web.responses import SILENT
from skerry.server.web.secrets import Signed

router = APIRouter(responses=REFUSALS, tags=["running a club"])

ADMIN = "admin"
LONGEST_TIME = 24 * 365  # hours
REMEMBERED = 400 * 86_400  # seconds for which a browser knows that something was dismissed


async def _admin(person: Member) -> Signed:
    if person.role != ADMIN:
        raise Forbidden("this is for admins; skerry admin role NAME admin makes one")
    return person


Admin = Annotated[Signed, Depends(_admin)]


class NewAnnouncement(Body):
    text: str = Field(max_length=4 * LONGEST, examples=["The server moves house at noon."])
    hours: Annotated[StrictInt, Field(ge=1, le=LONGEST_TIME)] | None = Field(
        None, description="for how long; without end if it is left out"
    )


@router.get("/api/announcement", response_model=Announced, dependencies=[spend("reads")])
async def show_announcement(announcements: Part[Announcements]) -> dict[str, Any]:
    """What all pages announce, if anything."""
    current = announcements.current
    return {"announcement": None if current is None else asdict(current)}


@router.put("/api/announcement", response_model=AnnouncementShown, dependencies=[spend("chats")])
async def announce(
    announcements: Part[Announcements], admin: Admin, body: NewAnnouncement
) -> dict[str, Any]:
    """Announce something on all pages, in the place of what was announced before; for admins."""
    actor = str(Entrant(PERSON, admin.id))
    return asdict(await announcements.announce(actor, body.text, body.hours))


@router.delete("/api/announcement", **SILENT, dependencies=[spend("chats")])
async def withdraw(announcements: Part[Announcements], admin: Admin) -> None:
    """Announce nothing any more; for admins."""
    await announcements.withdraw(str(Entrant(PERSON, admin.id)))


@router.get("/api/audit", response_model=list[NoteShown], dependencies=[spend("reads")])
async def list_notes(
    audit: Part[Audit],
    admin: Admin,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    before: Annotated[int | None, Query(ge=0, le=2**63 - 1)] = None,
    about: Annotated[str | None, Query(max_length=128)] = None,
) -> list[dict[str, Any]]:
    """The audit log, the newest notes first; go on with the last number as `before`. For admins."""
    return await audit.list(limit, before, about)


@router.post("/announcements/{id}/dismiss", include_in_schema=False, dependencies=[spend("chats")])
async def dismiss(
    id: Annotated[str, Path(pattern=ID)], back: Annotated[str, Query(max_length=2000)] = "/"
) -> Response:
    """See no more of an announcement, in this browser; scripts need not be there for that."""
    answer = RedirectResponse(stay_here(back), 303)
    answer.set_cookie(DISMISSED, id, max_age=REMEMBERED, httponly=True, samesite="lax")
    return answer
