"""The lobby for programs: listed, challenged, answered."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import Field, StrictInt

from skerry.server.lobby.answers import ChallengeMade, ChallengeShown, LobbyShown, SeekersShown
from skerry.server.lobby.callers import LobbyVisitor
from skerry.server.lobby.challenge import Caller, Challenge
from skerry.server.lobby.service import LobbyService
from skerry.server.lobby.store import ChallengeStore
from skerry.server.lobby.views import describe_challenge, describe_lobby, list_mine
from skerry.server.showing.seekers import tell_seekers
from skerry.server.web.access import Id
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import creating, spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body, Options, Text
from skerry.server.web.responses import SILENT

router = APIRouter(prefix="/api/lobby", responses=REFUSALS, tags=["lobby"])

Guest = Annotated[LobbyVisitor, Depends()]
SECRET = r"^[A-Za-z0-9_-]{32,100}$"
Rating = Annotated[StrictInt, Field(ge=0, le=10_000)] | None
Level = Annotated[StrictInt, Field(ge=1, le=10)] | None


class Newcomer(Body):
    """Who comes: bots and people with an account need say nothing."""

    name: Text = ""
    secret: str | None = Field(
        None, pattern=SECRET, description="what is to open your seat; else you are given one"
    )


class NewSeek(Newcomer):
    """What to play with whoever comes."""

    game: Text
    clock: dict[str, Any] | None = None
    rated: bool = False


class NewChallenge(NewSeek):
    """What to play, and with whom; all but the game can be left out."""

    options: Options
    seat: Annotated[StrictInt, Field(ge=0, le=7)] | None = Field(
        None, description="your own; by chance if it is not said"
    )
    swap: bool = Field(False, description="whether the second may take over the first's seat")
    even: bool = Field(
        False, description="whether it begins with an even start by lot, on boards that have a book"
    )
    audience: Literal["everybody", "members"] = "everybody"
    bots: bool = Field(True, description="whether bots may answer")
    low: Rating = Field(None, description="the least rating of whoever may answer")
    high: Rating = None
    to: Text | None = Field(None, description="the name of whoever alone may answer")


class NewFilling(Body):
    level: Level = Field(description="of the engines in free seats; null is none")


def _made(challenge: Challenge, caller: Caller, secret: str | None) -> dict[str, Any]:
    return {"challenge": _show(challenge, caller), "secret": secret}


def _show(challenge: Challenge, caller: Caller) -> dict[str, Any]:
    return describe_challenge(challenge, caller.shown, caller.entrant)


@router.get("", response_model=LobbyShown, dependencies=[spend("reads")])
async def show_lobby(
    store: Part[ChallengeStore],
    service: Part[LobbyService],
    guest: Guest,
    game: Annotated[str | None, Query(max_length=32)] = None,
) -> dict[str, Any]:
    """The newest open challenges, how many wait for quick pairing, and what is yours.

    Whoever shows the secret of a challenge counts as there for a minute. A live connection,
    `/api/lobby/live`, tells the same whenever it changes.
    """
    caller, _ = await guest.call()
    entrants = [] if caller.entrant is None else [caller.entrant]
    if len(caller.shown) > 1 or entrants:
        await store.touch(caller.shown, entrants, service.now())
    held = await store.list_held(caller.shown, entrants, service.now())
    lobby = describe_lobby(await store.list_open(), game=game)
    return lobby | {"mine": list_mine(held, caller.shown, caller.entrant)}


@router.get("/count", response_model=SeekersShown, dependencies=[spend("reads")])
async def count_seekers(store: Part[ChallengeStore]) -> dict[str, Any]:
    """How many people and bots look for a game."""
    people = await store.count_people()
    return {"people": people, "words": tell_seekers(people)}


@router.post("", status_code=201, response_model=ChallengeMade, dependencies=creating("games"))
async def make_challenge(
    service: Part[LobbyService], guest: Guest, body: NewChallenge
) -> dict[str, Any]:
    """Challenge everybody, some, or one. Rated games need an account or a bot's token.

    It ends when nobody who joined has been connected for a minute, unless a move may take days.
    """
    caller, secret = await guest.call(body.name, body.secret)
    chosen = body.model_dump(include={"clock", "rated", "seat", "swap", "even", "audience", "bots"})
    if body.to is not None:
        if body.low is not None or body.high is not None:
            raise Refusal("a challenge is for one person or for a range of ratings, not for both")
        chosen["addressee"], chosen["called"] = await guest.find_addressee(body.to)
    terms = await service.read_terms(
        body.game, body.options, low=body.low, high=body.high, **chosen
    )
    return _made(await service.challenge(terms, caller), caller, secret)


@router.post(
    "/quick", status_code=201, response_model=ChallengeMade, dependencies=creating("games")
)
async def seek_opponent(service: Part[LobbyService], guest: Guest, body: NewSeek) -> dict[str, Any]:
    """Play with whoever wants the same: at once if somebody waits, else when somebody comes.

    Those whose ratings are nearest are paired first, and others as time goes by.
    """
    caller, secret = await guest.call(body.name, body.secret)
    if secret is None:
        raise Refusal("quick pairing is for people; bots make and answer challenges")
    terms = await service.read_terms(body.game, {}, clock=body.clock, rated=body.rated)
    return _made(await service.seek(terms, caller), caller, secret)


@router.get("/{id}", response_model=ChallengeShown, dependencies=[spend("reads")])
async def show_challenge(service: Part[LobbyService], guest: Guest, id: Id) -> dict[str, Any]:
    """A challenge as it is, also once its game has begun."""
    caller, _ = await guest.call()
    return _show(await service.show(id, caller), caller)


@router.post("/{id}/join", response_model=ChallengeMade, dependencies=creating("games"))
async def join_challenge(
    service: Part[LobbyService], guest: Guest, id: Id, body: Newcomer
) -> dict[str, Any]:
    """Take a seat; the game begins with the last one. 409 if somebody was faster.

    With the same secret it can be asked again, should the answer get lost.
    """
    caller, secret = await guest.call(body.name, body.secret)
    return _made(await service.join(id, caller), caller, secret)


@router.post("/{id}/fill", response_model=ChallengeShown, dependencies=creating("games"))
async def fill_seats(
    service: Part[LobbyService], guest: Guest, id: Id, body: NewFilling
) -> dict[str, Any]:
    """Have engines of a level in the seats that are free: the game begins once all agree."""
    caller, _ = await guest.call()
    return _show(await service.fill(id, caller, body.level), caller)


@router.post("/{id}/decline", response_model=ChallengeShown, dependencies=[spend("chats")])
async def decline_challenge(service: Part[LobbyService], guest: Guest, id: Id) -> dict[str, Any]:
    """Decline a challenge that was sent to you; whoever made it is told."""
    caller, _ = await guest.call()
    return _show(await service.decline(id, caller), caller)


@router.delete("/{id}", **SILENT, dependencies=[spend("chats")])
async def leave_challenge(service: Part[LobbyService], guest: Guest, id: Id) -> None:
    """Take a challenge back, or leave one that you have joined; others who joined stay."""
    caller, _ = await guest.call()
    await service.leave(id, caller)
