"""Accounts for programs: made, signed in to and out of."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from skerry.server.people.accounts import SESSION_LIFE, Accounts
from skerry.server.people.answers import AccountShown, SessionShown, WhoShown
from skerry.server.people.guessing import Guesses
from skerry.server.settings import Settings
from skerry.server.web.access import COOKIE, ID, Member, Person, Visitor, check_origin
from skerry.server.web.limits import reserve, spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body
from skerry.server.web.secrets import Signed

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["people"])

CURRENT = "current"
FRESH = {"cache-control": "no-store"}
OWN_PAGE = Depends(check_origin)  # nobody is signed in or up by a page of others
Agent = Annotated[str, Header(alias="user-agent", include_in_schema=False)]


class Login(Body):
    """A name and a password."""

    name: str = Field(max_length=100, examples=["Ann"])
    password: str = Field(max_length=400, examples=["quite a long sentence"])


class NewAccount(Login):
    """A name and a password, and what opens the door where nobody comes without an invitation."""

    invitation: str | None = Field(None, max_length=100)


@router.post(
    "/accounts",
    status_code=201,
    responses={201: {"model": AccountShown}},
    response_class=JSONResponse,
    dependencies=[OWN_PAGE, spend("creates"), reserve("accounts")],
)
async def sign_up(
    request: Request,
    accounts: Part[Accounts],
    settings: Part[Settings],
    body: NewAccount,
    agent: Agent = "",
) -> JSONResponse:
    """Make an account and sign in to it: the answer sets the cookie of a session.

    Names that look like another's, like a bot's or an engine's are refused.
    """
    person, token = await accounts.register(body.name, body.password, agent, body.invitation)
    return welcome(request, settings, person, token, 201)


@router.get("/me", response_model=WhoShown, dependencies=[spend("reads")])
async def show_me(person: Person) -> dict[str, Any]:
    """Who you are signed in as, if you are."""
    return {"person": None if person is None else describe(person)}


@router.post(
    "/sessions",
    status_code=201,
    responses={201: {"model": AccountShown}},
    response_class=JSONResponse,
    dependencies=[OWN_PAGE, spend("chats")],
)
async def sign_in(
    request: Request,
    accounts: Part[Accounts],
    guesses: Part[Guesses],
    settings: Part[Settings],
    visitor: Visitor,
    body: Login,
    agent: Agent = "",
) -> JSONResponse:
    """Sign in: the answer sets the cookie of a new session.

    Send it with all requests that are to count as yours. A page of another site cannot.
    """
    guesses.check(body.name, visitor)
    person, token = await accounts.sign_in(body.name, body.password, agent)
    guesses.welcome(body.name, visitor)
    return welcome(request, settings, person, token, 201)


@router.get("/sessions", response_model=list[SessionShown], dependencies=[spend("reads")])
async def list_sessions(accounts: Part[Accounts], person: Member) -> list[dict[str, Any]]:
    """Where you are signed in, the sessions used last first."""
    return await accounts.list_sessions(person)


@router.delete(
    "/sessions/{session}", status_code=204, response_class=Response, dependencies=[spend("chats")]
)
async def sign_out(
    accounts: Part[Accounts],
    person: Member,
    session: Annotated[str, Path(pattern=ID, description="the id of a session, or current")],
) -> Response:
    """Sign out: end a session of yours, wherever it is."""
    ended = person.session if session == CURRENT else session
    await accounts.sign_out(person, ended)
    gone = Response(status_code=204)
    if ended == person.session:
        gone.delete_cookie(COOKIE)
    return gone


def describe(person: Signed) -> dict[str, str]:
    return {"id": person.id, "name": person.name, "role": person.role}


def welcome(
    request: Request, settings: Settings, person: Signed, token: str, status: int
) -> JSONResponse:
    """The answer to somebody who has just signed in."""
    answer = JSONResponse(describe(person), status, headers=FRESH)
    site = settings.site or f"{request.url.scheme}://"
    answer.set_cookie(
        COOKIE,
        token,
        max_age=SESSION_LIFE // 1000,
        httponly=True,
        samesite="lax",
        secure=site.startswith("https://"),
    )
    return answer
