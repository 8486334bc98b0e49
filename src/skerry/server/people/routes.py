"""Accounts for programs: made, signed in to and out of."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from skerry.server.people.accounts import SESSION_LIFE, Accounts
from skerry.server.people.answers import AccountShown, SessionShown, WhoShown
from skerry.server.people.guessing import Guesses
from skerry.server.play.store import Store
from skerry.server.settings import Settings
from skerry.server.web.access import COOKIE, ID, Member, Person, Visitor, check_origin
from skerry.server.web.limits import creating, spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body
from skerry.server.web.responses import FRESH, SILENT
from skerry.server.web.secrets import Signed

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["people"])

CURRENT = "current"
OWN_PAGE = Depends(check_origin)  # nobody is signed in or up by a page of others
# How a route is declared by which somebody signs in.
SIGNING: dict[str, Any] = {
    "status_code": 201,
    "responses": {201: {"model": AccountShown}},
    "response_class": JSONResponse,
}


class Login(Body):
    """A name and a password."""

    name: str = Field(max_length=100, examples=["Ann"])
    password: str = Field(max_length=400, examples=["quite a long sentence"])


class NewAccount(Login):
    """A name and a password, and what opens the door where nobody comes without an invitation."""

    invitation: str | None = Field(None, max_length=100)


@dataclass
class Arrival:
    """Somebody who comes to sign in, and by what browser."""

    request: Request
    settings: Part[Settings]
    agent: Annotated[str, Header(alias="user-agent", include_in_schema=False)] = ""

    def welcome(self, person: Signed, token: str) -> JSONResponse:
        """The answer once they have: it sets the cookie of a session."""
        answer = JSONResponse(describe(person), 201, headers=FRESH)
        site = self.settings.site or f"{self.request.url.scheme}://"
        answer.set_cookie(
            COOKIE,
            token,
            max_age=SESSION_LIFE // 1000,
            httponly=True,
            samesite="lax",
            secure=site.startswith("https://"),
        )
        return answer


Arriving = Annotated[Arrival, Depends()]


@router.post("/accounts", **SIGNING, dependencies=[OWN_PAGE, *creating("accounts")])
async def sign_up(accounts: Part[Accounts], arrival: Arriving, body: NewAccount) -> JSONResponse:
    """Make an account and sign in to it: the answer sets the cookie of a session.

    Names that look like another's, like a bot's or an engine's are refused.
    """
    person, token = await accounts.register(
        body.name, body.password, arrival.agent, body.invitation
    )
    return arrival.welcome(person, token)


@router.get("/me", response_model=WhoShown, dependencies=[spend("reads")])
async def show_me(person: Person) -> dict[str, Any]:
    """Who you are signed in as, if you are."""
    return {"person": None if person is None else describe(person)}


@router.post("/sessions", **SIGNING, dependencies=[OWN_PAGE, spend("chats")])
async def sign_in(
    accounts: Part[Accounts],
    guesses: Part[Guesses],
    visitor: Visitor,
    arrival: Arriving,
    body: Login,
) -> JSONResponse:
    """Sign in: the answer sets the cookie of a new session.

    Send it with all requests that are to count as yours. A page of another site cannot.
    """
    guesses.check(body.name, visitor)
    person, token = await accounts.sign_in(body.name, body.password, arrival.agent)
    guesses.welcome(body.name, visitor)
    return arrival.welcome(person, token)


@router.get("/sessions", response_model=list[SessionShown], dependencies=[spend("reads")])
async def list_sessions(accounts: Part[Accounts], person: Member) -> list[dict[str, Any]]:
    """Where you are signed in, the sessions used last first."""
    return await accounts.list_sessions(person)


@router.delete("/sessions/{session}", **SILENT, dependencies=[spend("chats")])
async def sign_out(
    accounts: Part[Accounts],
    store: Part[Store],
    person: Member,
    session: Annotated[str, Path(pattern=ID, description="the id of a session, or current")],
) -> Response:
    """Sign out: end a session of yours, wherever it is.

    Elsewhere, a browser may keep the links of your seats: they open nothing any more. Here that is
    so for what you wait for in the lobby, and for what came of it.
    """
    ended = person.session if session == CURRENT else session
    await accounts.sign_out(person, ended)
    await store.close_links(person.id, only_met=ended == person.session)
    gone = Response(status_code=204)
    if ended == person.session:
        gone.delete_cookie(COOKIE)
    return gone


def describe(person: Signed) -> dict[str, str]:
    return {"id": person.id, "name": person.name, "role": person.role}
