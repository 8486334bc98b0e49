"""Bots for the programs that they are: made, playing, told what happens."""

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import Field, StrictInt

from skerry.server.bots.answers import (
    BotGameMade,
    BotJoined,
    BotLine,
    BotMade,
    BotShown,
    OpenGame,
)
from skerry.server.bots.events import BotEvents
from skerry.server.bots.registry import Bot, BotRegistry
from skerry.server.bots.service import BotService
from skerry.server.play.creation import Wish
from skerry.server.play.table import BOT, Table
from skerry.server.web.access import Id, Token, Visitor
from skerry.server.web.answers import answered
from skerry.server.web.errors import Refusal, Unauthorised
from skerry.server.web.limits import creating, hold, spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body, Name, Options, SeatNumber, Text
from skerry.server.web.responses import FRESH, SILENT, UNCOMPRESSED, JsonStream

router = APIRouter(prefix="/api/bots", responses=REFUSALS, tags=["bots"])

# Nobody is to wait for ever for a bot that has gone.
USUAL_CLOCK = {"kind": "move", "seconds": 60}


class NewBotGame(Body):
    """A game in which the bot has a seat and these opponents have the others, in their order."""

    game: Text
    options: Options
    opponents: list[Text] | None = Field(
        None,
        max_length=8,
        description="level:1 to level:10, random, open (a bot may join), person (gets a link)",
        examples=[["level:3"]],
    )
    seat: Annotated[StrictInt, Field(ge=0, le=7)] = 0
    clock: dict[str, Any] = Field(default_factory=lambda: dict(USUAL_CLOCK))
    public: bool = True
    rated: bool | None = Field(
        None, description="whether it counts; if it is not said, where only bots and levels play"
    )


async def _own_bot(registry: Part[BotRegistry], token: Token) -> Bot:
    if token is None:
        raise Unauthorised("this needs the token of a bot: Authorization: Bearer TOKEN")
    bot = await registry.find(token)
    if bot is None:
        raise Unauthorised("no bot has this token; POST /api/bots makes one")
    return bot


OwnBot = Annotated[Bot, Depends(_own_bot)]


@router.post("", status_code=201, response_model=BotMade, dependencies=creating("games"))
async def make_bot(registry: Part[BotRegistry], body: Name) -> dict[str, str]:
    """Make a bot, under a name that nobody had; its token is told this once.

    The token is the bot: keep it as a password, and send it as `Authorization: Bearer TOKEN`.
    """
    name, token = await registry.register(body.name)
    return {"name": name, "token": token}


@router.get("/me", response_model=BotShown, dependencies=[spend("reads")])
async def show_bot(registry: Part[BotRegistry], bot: OwnBot) -> dict[str, Any]:
    """Who a token belongs to, and the games that go on."""
    playing = await registry.list_games(bot)
    return {"name": bot.name, "created": bot.created, "playing": playing}


@router.delete("/me", **SILENT, dependencies=[spend("creates")])
async def remove_bot(service: Part[BotService], bot: OwnBot) -> None:
    """Let a bot leave: its games are resigned and its token opens nothing any more.

    Its name stays taken, so that nobody plays on with its rating.
    """
    await service.leave(bot)


@router.post("/games", status_code=201, response_model=BotGameMade, dependencies=creating("games"))
async def make_bot_game(
    service: Part[BotService], visitor: Visitor, bot: OwnBot, body: NewBotGame
) -> dict[str, Any]:
    """Begin a game with a seat for the bot.

    It is rated if all opponents are levels or open seats and the board is the usual one, or if you
    ask for it: then persons may play as well, and it counts if they are signed in.
    """
    seats = None
    if body.opponents is not None:
        if body.seat > len(body.opponents):
            raise Refusal(f"there is no seat {body.seat} with {len(body.opponents)} opponents")
        seats = [*body.opponents[: body.seat], BOT, *body.opponents[body.seat :]]
    elif body.seat:
        raise Refusal("name the opponents too, to choose a seat")
    wish = Wish(
        body.game,
        body.options,
        seats,
        clock=body.clock,
        public=body.public,
        seat=body.seat,
        rated=body.rated,
    )
    table, secrets = await service.create(bot, wish, visitor)
    return {**_sit(table, bot), "secrets": secrets}


@router.get("/open", response_model=list[OpenGame], dependencies=[spend("reads")])
async def list_open_games(registry: Part[BotRegistry]) -> list[dict[str, Any]]:
    """Games with a seat that a bot may take, the newest first."""
    return await registry.list_open()


@router.post("/games/{id}/join", response_model=BotJoined, dependencies=[spend("creates")])
async def join_game(
    service: Part[BotService], visitor: Visitor, bot: OwnBot, id: Id, body: SeatNumber
) -> dict[str, Any]:
    """Take an open seat; 409 if another bot was faster."""
    return _sit(await service.join(id, bot, body.seat, visitor), bot)


@router.get(
    "/events",
    response_class=JsonStream,
    responses=answered(BotLine),
    dependencies=[spend("reads"), hold("sockets")],
)
async def stream_events(events: Part[BotEvents], bot: OwnBot) -> JsonStream:
    """What happens to the bot's games, as lines of JSON, for as long as you listen.

    All games that go on come first, so nothing that waits for the bot is missed by connecting
    again. An empty line comes every 15 seconds.
    """
    return JsonStream(_write_lines(events, bot), headers={**FRESH, **UNCOMPRESSED})


async def _write_lines(events: BotEvents, bot: Bot) -> AsyncIterator[str]:
    async for event in events.follow(bot):
        yield "\n" if event is None else json.dumps(event, ensure_ascii=False) + "\n"


def _sit(table: Table, bot: Bot) -> dict[str, Any]:
    own = next(n for n, seat in enumerate(table.seats) if (seat.kind, seat.name) == (BOT, bot.name))
    return {"id": table.id, "url": f"/g/{table.id}", "seat": own, "rated": table.rated}
