"""Games for programs: made, looked at, played."""

from collections.abc import Awaitable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, StrictInt

from skerry.server.host import Host, Secrets
from skerry.server.play.table import Table
from skerry.server.play.views import describe_kinds
from skerry.server.web.access import REFUSALS, Id, Shown, TheHost, Theme, Visitor
from skerry.server.web.answers import (
    Conflict,
    GameShown,
    Kind,
    ListedGame,
    NewGameMade,
    Secret,
)
from skerry.server.web.errors import Stale

router = APIRouter(prefix="/api", responses=REFUSALS)

LARGEST = 2**63 - 1
SHOWN: dict[int | str, dict[str, Any]] = {200: {"model": GameShown}}
DONE: dict[int | str, dict[str, Any]] = {**SHOWN, 409: {"model": Conflict}}
Text = Annotated[str, Field(max_length=2000)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


Options = Annotated[dict[Text, StrictInt], Field(default_factory=dict, max_length=32)]
Seed = Annotated[StrictInt, Field(ge=0, le=LARGEST)] | None


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


class NewMove(Body):
    version: StrictInt
    move: Text


class NewAction(Body):
    version: StrictInt
    action: Text


class Name(Body):
    name: Text


class SeatNumber(Body):
    seat: StrictInt


class NewRemark(Body):
    text: Text


@router.get("/kinds", response_model=list[Kind])
async def list_kinds() -> list[dict[str, Any]]:
    """The games there are, with their options."""
    return describe_kinds()


@router.get("/games", response_model=list[ListedGame])
async def list_games(
    host: TheHost,
    visitor: Visitor,
    state: Literal["playing", "finished"] | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> list[dict[str, Any]]:
    """Public games to watch, those that changed last first."""
    host.limits.reads.spend(visitor)
    return await host.store.list_games(None if state is None else state == "playing", limit)


@router.post("/games", status_code=201, response_model=NewGameMade)
async def create_game(host: TheHost, visitor: Visitor, body: NewGame) -> dict[str, Any]:
    """A new game, with the secrets of its seats for whoever makes it."""
    table, secrets = await host.create(
        visitor,
        body.game,
        body.options,
        body.seats,
        body.names,
        body.clock,
        body.seed,
        body.position,
        body.public,
        body.seat,
    )
    return {"id": table.id, "url": f"/g/{table.id}", "secrets": secrets}


@router.get("/games/{id}", responses=SHOWN)
async def show_game(
    host: TheHost, visitor: Visitor, id: Id, secrets: Shown, theme: Theme
) -> JSONResponse:
    """A game as it stands."""
    host.limits.reads.spend(visitor)
    return answer(host, await host.look(id), secrets, theme)


@router.post("/games/{id}/moves", responses=DONE)
async def make_move(
    host: TheHost, visitor: Visitor, id: Id, secrets: Shown, theme: Theme, body: NewMove
) -> JSONResponse:
    """Play a move on the version it was chosen for."""
    host.limits.moves.spend(visitor)
    deed = host.move(id, secrets, body.version, body.move, visitor)
    return await settle(host, id, secrets, theme, deed)


@router.post("/games/{id}/actions", responses=DONE)
async def act(
    host: TheHost, visitor: Visitor, id: Id, secrets: Shown, theme: Theme, body: NewAction
) -> JSONResponse:
    """Do something else than move: resign, offer-draw, ask-takeback, rematch and so on."""
    host.limits.moves.spend(visitor)
    deed = host.act(id, secrets, body.version, body.action, visitor)
    return await settle(host, id, secrets, theme, deed)


@router.post("/games/{id}/claim", responses=SHOWN)
async def claim_seat(
    host: TheHost, visitor: Visitor, id: Id, secrets: Shown, theme: Theme, body: Name
) -> JSONResponse:
    """Sit down under a name."""
    host.limits.chats.spend(visitor)
    return answer(host, await host.claim(id, secrets, body.name), secrets, theme)


@router.post("/games/{id}/revoke", response_model=Secret)
async def revoke_secret(
    host: TheHost, visitor: Visitor, id: Id, secrets: Shown, body: SeatNumber
) -> dict[str, str]:
    """Replace the secret of a seat; for whoever made the game."""
    host.limits.chats.spend(visitor)
    return {"secret": await host.revoke(id, secrets, body.seat)}


@router.post("/games/{id}/chat", responses=SHOWN)
async def say(
    host: TheHost, visitor: Visitor, id: Id, secrets: Shown, theme: Theme, body: NewRemark
) -> JSONResponse:
    """Say something to everybody at the game."""
    host.limits.chats.spend(visitor)
    return answer(host, await host.say(id, secrets, body.text), secrets, theme)


def answer(host: Host, table: Table, secrets: Secrets, theme: str) -> JSONResponse:
    return JSONResponse(host.show(table, secrets, theme), headers={"cache-control": "no-store"})


async def settle(
    host: Host, id: str, secrets: Secrets, theme: str, deed: Awaitable[Table]
) -> JSONResponse:
    """The game after a deed, or why that came too late and the game as it is now."""
    try:
        return answer(host, await deed, secrets, theme)
    except Stale as error:
        table = await host.find(id)
        return JSONResponse({"error": str(error), "game": host.show(table, secrets, theme)}, 409)
