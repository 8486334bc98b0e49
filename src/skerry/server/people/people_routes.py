"""People for programs: looked at, followed, blocked, reported."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from pydantic import Field

from skerry.server.people.accounts import ADMIN, MODERATOR, Accounts
from skerry.server.people.answers import ComplaintShown, ProfileShown, RatingOfPerson, TieShown
from skerry.server.people.complaints import LONGEST, Complaints
from skerry.server.people.profile import Profiles
from skerry.server.people.ties import BLOCK, FOLLOW, TieKind, Ties
from skerry.server.play.answers import PersonNamed
from skerry.server.web.access import ID, Id, Member, Person
from skerry.server.web.entrants import PERSON, Entrant, EntrantRatings
from skerry.server.web.errors import Forbidden
from skerry.server.web.limits import spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body
from skerry.server.web.responses import SILENT
from skerry.server.web.secrets import Signed

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["people"])

LOOKED_UP = 5  # tokens for a profile


class NewComplaint(Body):
    """What somebody did, for moderators."""

    words: str = Field(max_length=LONGEST)
    game: str | None = Field(None, pattern=ID, description="where it happened")


class ComplaintClosing(Body):
    verdict: str = Field("", max_length=LONGEST, description="what came of it")


async def _find_person(
    accounts: Part[Accounts],
    name: Annotated[str, Path(max_length=100, description="of somebody who has an account")],
) -> Signed:
    return await accounts.find_named(name)


async def _find_moderator(person: Member) -> Signed:
    if person.role not in (MODERATOR, ADMIN):
        raise Forbidden("this is for moderators")
    return person


Named = Annotated[Signed, Depends(_find_person)]
Moderator = Annotated[Signed, Depends(_find_moderator)]


@router.get("/people/{name}", response_model=ProfileShown, dependencies=[spend("reads", LOOKED_UP)])
async def show_profile(
    profiles: Part[Profiles],
    ties: Part[Ties],
    ratings: Part[EntrantRatings],
    person: Person,
    named: Named,
) -> dict[str, Any]:
    """Somebody's ratings, their games, and how they like to begin."""
    tie = None if person is None else await ties.find(person, named.id)
    rated = [
        {name: one[name] for name in RatingOfPerson.model_fields}
        for one in await ratings.list_ratings(Entrant(PERSON, named.id))
    ]
    return {**await profiles.show(named), "ratings": rated, "tie": tie}


@router.get("/me/follows", response_model=list[PersonNamed], dependencies=[spend("reads", 3)])
async def list_followed(ties: Part[Ties], person: Member) -> list[dict[str, Any]]:
    """Whom you follow, by name."""
    return await ties.list(person, FOLLOW)


@router.get("/me/blocks", response_model=list[PersonNamed], dependencies=[spend("reads", 3)])
async def list_blocked(ties: Part[Ties], person: Member) -> list[dict[str, Any]]:
    """Whom you have blocked, by name."""
    return await ties.list(person, BLOCK)


@router.put("/people/{name}/{kind}", response_model=TieShown, dependencies=[spend("chats")])
async def tie_person(
    ties: Part[Ties], person: Member, named: Named, kind: TieKind
) -> dict[str, bool]:
    """Follow somebody, or block them: then they cannot chat with you or challenge you."""
    await ties.tie(person, named, kind)
    return await ties.find(person, named.id)


@router.delete("/people/{name}/{kind}", response_model=TieShown, dependencies=[spend("chats")])
async def untie_person(
    ties: Part[Ties], person: Member, named: Named, kind: TieKind
) -> dict[str, bool]:
    """Do not follow somebody any longer, or do not block them."""
    await ties.untie(person, named, kind)
    return await ties.find(person, named.id)


@router.post("/people/{name}/report", **SILENT, dependencies=[spend("chats")])
async def report_person(
    complaints: Part[Complaints], person: Member, named: Named, body: NewComplaint
) -> None:
    """Tell moderators about somebody, who is not told."""
    await complaints.make(person, named, body.words, body.game)


@router.get("/complaints", response_model=list[ComplaintShown], dependencies=[spend("reads")])
async def list_complaints(
    complaints: Part[Complaints], moderator: Moderator
) -> list[dict[str, Any]]:
    """What people have reported, the oldest first; for moderators."""
    return await complaints.list(moderator, is_open=True)


@router.post("/complaints/{id}/close", **SILENT, dependencies=[spend("chats")])
async def close_complaint(
    complaints: Part[Complaints], moderator: Moderator, id: Id, body: ComplaintClosing
) -> None:
    """Note what came of a report; for moderators."""
    await complaints.close(moderator, id, body.verdict)
