"""Bots for the programs that they are: made, playing, told what happens."""

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse
from pydantic import Field, StrictInt

from skerry.server.bots.bots import Bot
from skerry.server.host import Host
from skerry.server.play.routes import Body, Name, SeatNumber, Text
from skerry.server.play.table import BOT, Table
from skerry.server.web.access import REFUSALS, Id, TheBot, TheHost, Visitor
from skerry.server.web.answers import (
    BotGameMade,
    BotJoined,
    BotMade,
    BotShown,
    Event,
    OpenGame,
)
from skerry.server.web.errors import Refusal

router = APIRouter(prefix="/api/bots", responses=REFUSALS)

# Nobody is to wait for ever for a bot that has gone.
USUAL_CLOCK = {"kind": "move", "seconds": 60}


class Lines(StreamingResponse):
    """JSON, an object on each line."""

    media_type = "application/x-ndjson"


class NewBotGame(Body):
    """A game in which the bot has a seat and these opponents have the others, in their order."""

    game: Text
    options: dict[Text, StrictInt] = Field(default_factory=dict, max_length=32)
    opponents: list[Text] | None = Field(
        None,
        max_length=8,
        description="level:1 to level:8, random, open (a bot may join), person (gets a link)",
        examples=[["level:3"]],
    )
    seat: Annotated[StrictInt, Field(ge=0, le=7)] = 0
    clock: dict[str, Any] = Field(default_factory=lambda: dict(USUAL_CLOCK))
    public: bool = True


@router.post("", status_code=201, response_model=BotMade)
async def make_bot(host: TheHost, visitor: Visitor, body: Name) -> dict[str, str]:
    """Make a bot, under a name that nobody had; its token is told this once.

    The token is the bot: keep it as a password, and send it as `Authorization: Bearer TOKEN`.
    """
    host.limits.creates.spend(visitor)
    host.limits.games.spend(visitor)
    name, token = await host.bots.register(body.name)
    return {"name": name, "token": token}


@router.get("/me", response_model=BotShown)
async def show_bot(host: TheHost, visitor: Visitor, bot: TheBot) -> dict[str, Any]:
    """Who a token belongs to, and the games that go on."""
    host.limits.reads.spend(visitor)
    playing = await host.bots.list_games(bot)
    return {"name": bot.name, "created": bot.created, "playing": playing}


@router.delete("/me", status_code=204, response_class=Response)
async def remove_bot(host: TheHost, visitor: Visitor, bot: TheBot) -> Response:
    """Let a bot leave: its games are resigned and its token opens nothing any more.

    Its name stays taken, so that nobody plays on with its rating.
    """
    host.limits.creates.spend(visitor)
    await host.remove(bot)
    return Response(status_code=204)


@router.post("/games", status_code=201, response_model=BotGameMade)
async def make_bot_game(
    host: TheHost, visitor: Visitor, bot: TheBot, body: NewBotGame
) -> dict[str, Any]:
    """Begin a game with a seat for the bot.

    It is rated if all opponents are levels or open seats and the board is the usual one.
    """
    seats = None
    if body.opponents is not None:
        if body.seat > len(body.opponents):
            raise Refusal(f"there is no seat {body.seat} beside {len(body.opponents)} opponents")
        seats = [*body.opponents[: body.seat], BOT, *body.opponents[body.seat :]]
    elif body.seat:
        raise Refusal("name the opponents too, to choose a seat")
    table, secrets = await host.create(
        visitor,
        body.game,
        body.options,
        seats,
        clock=body.clock,
        public=body.public,
        seat=body.seat,
        bot=bot,
    )
    return {**_sit(table, bot), "secrets": secrets}


@router.get("/open", response_model=list[OpenGame])
async def list_open_games(host: TheHost, visitor: Visitor) -> list[dict[str, Any]]:
    """Games with a seat that a bot may take, the newest first."""
    host.limits.reads.spend(visitor)
    return await host.bots.list_open()


@router.post("/games/{id}/join", response_model=BotJoined)
async def join_game(
    host: TheHost, visitor: Visitor, bot: TheBot, id: Id, body: SeatNumber
) -> dict[str, Any]:
    """Take an open seat; 409 if another bot was faster."""
    host.limits.creates.spend(visitor)
    return _sit(await host.join(id, bot, body.seat, visitor), bot)


@router.get("/events", response_class=Lines, responses={200: {"model": Event}})
async def stream_events(host: TheHost, visitor: Visitor, bot: TheBot) -> Lines:
    """What happens to the bot's games, as lines of JSON, for as long as you listen.

    All games that go on come first, so nothing that waits for the bot is missed by connecting
    again. An empty line comes every 15 seconds.
    """
    host.limits.reads.spend(visitor)
    lines = _write_lines(host, visitor, bot)
    await anext(lines)  # refused while there is still a status to say so
    # Compression would hold lines back until there are enough of them.
    return Lines(lines, headers={"cache-control": "no-store", "content-encoding": "identity"})


async def _write_lines(host: Host, visitor: str, bot: Bot) -> AsyncIterator[str]:
    with host.limits.connect(visitor):
        yield ""
        async for event in host.bots.follow(bot):
            yield "\n" if event is None else json.dumps(event, ensure_ascii=False) + "\n"


def _sit(table: Table, bot: Bot) -> dict[str, Any]:
    own = next(n for n, seat in enumerate(table.seats) if (seat.kind, seat.name) == (BOT, bot.name))
    return {"id": table.id, "url": f"/g/{table.id}", "seat": own, "rated": table.rated}
