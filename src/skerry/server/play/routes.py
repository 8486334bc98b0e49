"""Games for programs: made, looked at, played."""

from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse
from pydantic import Field, StrictInt

from skerry.server.play.actions import REMATCH
from skerry.server.play.answers import (
    GameClaimed,
    GameConflict,
    GameHeld,
    GameListed,
    GameMade,
    GameShown,
    SecretMade,
)
from skerry.server.play.creation import Creation, Wish
from skerry.server.play.service import Service
from skerry.server.play.store import Store
from skerry.server.play.table import Table
from skerry.server.play.views import Views
from skerry.server.web.access import ID, Flipped, Id, Member, Person, Shown, Theme, Visitor
from skerry.server.web.answers import answered
from skerry.server.web.errors import Stale
from skerry.server.web.kinds import KindShown, describe_kinds
from skerry.server.web.limits import Limits, Pay, creating, price_of, spend, spender
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS, explain
from skerry.server.web.requests import Body, Name, Options, SeatNumber, Seed, Text, Word
from skerry.server.web.responses import FRESH
from skerry.server.web.secrets import MOST_SHOWN, Credentials

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["games"])

MOST_HELD = 50  # games that are asked about at once
SHOWN, DONE = answered(GameShown), answered(GameShown, GameConflict)


class NewGame(Body):
    """What there is to choose about a game; all but the first can be left out."""

    game: Text
    options: Options
    seats: list[Text] | None = Field(None, max_length=8)
    names: list[Text] | None = Field(None, max_length=8)
    clock: dict[str, Any] | None = None
    seed: Seed = None
    position: Text | None = None
    public: bool = Field(True, description="whether it is listed, and in the archive once over")
    seat: StrictInt | None = Field(
        None, description="your own, which may replace other links; else the first person's"
    )
    random: bool = Field(False, description="whether seats are dealt at random")
    swap: bool = Field(False, description="whether the second may take over the first's seat")
    even: bool = Field(
        False, description="whether it begins with an even start by lot, on boards that have a book"
    )
    rated: bool = Field(
        False,
        description="whether it counts, if everybody is signed in; seats are then dealt at random",
    )


class HeldGame(Body):
    """A game, and the secrets of one's seats there."""

    id: str = Field(pattern=ID)
    secrets: list[Word] = Field(max_length=MOST_SHOWN)


class HeldGames(Body):
    games: list[HeldGame] = Field(max_length=MOST_HELD)


class NewClaim(Name):
    """A name, and what is to open the seats that are taken by a link."""

    secret: str | None = Field(None, pattern=r"^[A-Za-z0-9_-]{32,100}$")


class NewMove(Body):
    version: StrictInt
    move: Text


class NewAction(Body):
    version: StrictInt
    action: Text


class NewRemark(Body):
    text: Text


@dataclass
class GameAsked:
    """A game that somebody asks for, as what they show and their theme let it look."""

    views: Part[Views]
    id: Id
    shown: Shown
    theme: Theme
    flipped: Flipped = False

    def show(self, table: Table) -> dict[str, Any]:
        return self.views.show(table, self.shown, self.theme, self.flipped)

    def answer(self, table: Table) -> JSONResponse:
        shown = self.show(table)
        return JSONResponse(shown, headers=FRESH)

    async def settle(self, deed: Awaitable[Table]) -> JSONResponse:
        """The game after a deed, or why that came too late and the game as it is now."""
        try:
            return self.answer(await deed)
        except Stale as error:
            now = self.show(await self.views.find(self.id))
            return JSONResponse({"error": explain(error), "game": now}, 409)


Asked = Annotated[GameAsked, Depends()]
PayReads = Annotated[Pay, spender("reads")]


async def _limit_rematches(
    body: NewAction, limits: Part[Limits], visitor: Visitor
) -> AsyncIterator[None]:
    """A rematch is a new game, and counts as one."""
    if body.action != REMATCH:
        yield
        return
    limits.rates["creates"].spend(visitor)
    with limits.quotas["games"].reserve(visitor):
        yield


@router.get("/kinds", response_model=list[KindShown])
async def list_kinds() -> list[dict[str, Any]]:
    """The games there are, with their options."""
    return describe_kinds()


@router.get("/games", response_model=list[GameListed], dependencies=[spend("reads")])
async def list_games(
    store: Part[Store],
    state: Literal["playing", "finished"] | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    plies: Annotated[int, Query(ge=0, le=10_000, description="that were played at least")] = 0,
) -> list[dict[str, Any]]:
    """Public games to watch, those that changed last first."""
    return await store.list_games(None if state is None else state == "playing", limit, plies)


@router.post("/games", status_code=201, response_model=GameMade, dependencies=creating("games"))
async def create_game(
    creation: Part[Creation], visitor: Visitor, person: Person, body: NewGame
) -> dict[str, Any]:
    """A new game, with the secrets of its seats for whoever makes it."""
    wish = Wish(**body.model_dump(exclude={"names"}), names=body.names or (), maker=person)
    wish = replace(wish, random=wish.random or body.rated)  # nobody is to choose the better seat
    table, secrets = await creation.create(wish, visitor)
    made = {"id": table.id, "url": f"/g/{table.id}", "secrets": secrets}
    return made | {"seat": table.admin}


@router.post("/games/mine", response_model=list[GameHeld])
async def list_held(
    views: Part[Views], pay: PayReads, person: Person, body: HeldGames
) -> list[dict[str, Any]]:
    """Which of these games go on, and how they stand; without those in which you have no seat."""
    pay(1 + len(body.games))
    asked = {game.id: Credentials(tuple(game.secrets), person) for game in body.games}
    return await views.list_held(asked)


@router.get("/games/mine", response_model=list[GameHeld])
async def list_own(views: Part[Views], pay: PayReads, person: Person) -> list[dict[str, Any]]:
    """The games of your account that go on, and how they stand, those that changed last first.

    There are none for guests.
    """
    pay(MOST_HELD // 5)
    return [] if person is None else await views.list_own(person)


@router.get("/games/{id}", responses=SHOWN)
async def show_game(asked: Asked, visitor: Visitor, pay: PayReads) -> JSONResponse:
    """A game as it stands."""
    table = await asked.views.look(asked.id, visitor)
    pay(price_of(len(table.plies)))
    return asked.answer(table)


@router.post("/games/{id}/moves", responses=DONE, dependencies=[spend("moves")])
async def make_move(
    service: Part[Service], visitor: Visitor, asked: Asked, body: NewMove
) -> JSONResponse:
    """Play a move on the version it was chosen for."""
    deed = service.move(asked.id, asked.shown, body.version, body.move, visitor)
    return await asked.settle(deed)


@router.post(
    "/games/{id}/actions",
    responses=DONE,
    dependencies=[spend("moves"), Depends(_limit_rematches)],
)
async def act(
    service: Part[Service], visitor: Visitor, asked: Asked, body: NewAction
) -> JSONResponse:
    """Do something other than move: what the game says that you `can`, such as resign."""
    deed = service.act(asked.id, asked.shown, body.version, body.action, visitor)
    return await asked.settle(deed)


@router.post("/games/{id}/claim", responses=answered(GameClaimed), dependencies=[spend("chats")])
async def claim_seat(service: Part[Service], asked: Asked, body: NewClaim) -> JSONResponse:
    """Sit down under a name, on all of your seats or on none.

    Whoever comes by a link gets another secret, so that whoever made the link has none: it is
    among the `secrets` of the answer, or the one that you name.
    """
    table, given = await service.claim(asked.id, asked.shown, body.name, body.secret)
    asked.shown = asked.shown.with_secrets(*given.values())
    return JSONResponse(asked.show(table) | {"secrets": given}, headers=FRESH)


@router.post("/games/{id}/revoke", response_model=SecretMade, dependencies=[spend("chats")])
async def revoke_secret(
    service: Part[Service], id: Id, shown: Shown, body: SeatNumber
) -> dict[str, str]:
    """Replace the secret of your seat, or of one that nobody plays, in a game that you made."""
    return {"secret": await service.revoke(id, shown, body.seat)}


@router.post("/games/{id}/gallery", responses=SHOWN, dependencies=[spend("chats")])
async def comment(
    service: Part[Service], person: Member, asked: Asked, body: NewRemark
) -> JSONResponse:
    """Say something to those who watch; players see nothing of it until the game is over."""
    return asked.answer(await service.comment(asked.id, person, asked.shown, body.text))


@router.post("/games/{id}/chat", responses=SHOWN, dependencies=[spend("chats")])
async def say(service: Part[Service], asked: Asked, body: NewRemark) -> JSONResponse:
    """Say something to everybody at the game."""
    return asked.answer(await service.say(asked.id, asked.shown, body.text))
