"""Boards on which anybody tries things: nothing is kept, and every answer is complete in itself."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field, ValidationError

from skerry.core.errors import shorten
from skerry.core.scene import Overlay
from skerry.server.host import Host
from skerry.server.play.boards import board, describe, name_seats, preview
from skerry.server.play.pictures import LONGEST_PATH, Picture
from skerry.server.play.routes import Body, Options, Seed, Text
from skerry.server.positions.course import Course
from skerry.server.positions.setup import arrange
from skerry.server.web.access import REFUSALS, TheHost, Theme, Visitor, check_theme, explain
from skerry.server.web.answers import PositionShown, Preview, SetupShown
from skerry.server.web.errors import Busy, Refusal

router = APIRouter(prefix="/api/positions", responses=REFUSALS)

MOST_MOVES = 2000
Word = Annotated[str, Field(max_length=100)]


class Trial(Body):
    """A course of moves: where it starts, by default as the game does, and what is played."""

    game: Text
    options: Options
    start: Text | None = None
    seed: Seed = None
    moves: list[Word] = Field(default_factory=list, max_length=MOST_MOVES)
    theme: Word = "light"


class Look(Trial):
    overlay: Word = ""


class Choice(Trial):
    path: list[Word] = Field(max_length=LONGEST_PATH)


async def play_out(host: Host, trial: Trial) -> Course:
    """The course of a trial; an error says what is wrong with it."""
    game = await host.rulebook.game(trial.game, trial.options)
    start = game.initial(trial.seed or 0) if trial.start is None else game.position(trial.start)
    return host.courses.find(start, trial.moves)


@router.post("", response_model=PositionShown)
async def look(host: TheHost, visitor: Visitor, trial: Look) -> dict[str, Any]:
    """Where these moves lead: the position, the moves that are legal there, and a picture."""
    host.limits.previews.spend(visitor)
    course = await play_out(host, trial)
    overlay = course.state.overlay(trial.overlay) if trial.overlay else Overlay()
    return {
        "start": course.start.position,
        "seats": name_seats(course.state.game),
        **describe(course, check_theme(trial.theme), overlay=overlay),
    }


@router.post("/preview", response_model=Preview)
async def look_ahead(host: TheHost, visitor: Visitor, trial: Choice) -> dict[str, Any]:
    """What choosing these targets would do after the moves, and how to go on."""
    host.limits.previews.spend(visitor)
    course = await play_out(host, trial)
    return preview(course, trial.path, check_theme(trial.theme))


class Setup(Body):
    """A position that is being set up; ``put`` is a cell and the letter to stand on it."""

    game: Text
    options: Options
    position: Text | None = None
    put: tuple[Word, Word] | None = None
    theme: Word = "light"


@router.post("/setup", response_model=SetupShown)
async def set_up(host: TheHost, visitor: Visitor, setup: Setup) -> dict[str, Any]:
    """A position as it is drawn while somebody sets it up, and what is still wrong with it."""
    host.limits.previews.spend(visitor)
    game = await host.rulebook.game(setup.game, setup.options)
    return arrange(game, setup.position, setup.put, check_theme(setup.theme))


@router.get("/board.{ending}", response_class=Picture)
async def show_position(
    host: TheHost,
    visitor: Visitor,
    ending: Literal["svg", "png"],
    theme: Theme,
    game: Word,
    options: Annotated[str, Query(max_length=200, description="such as side=5,pegs=24")] = "",
    start: Annotated[str | None, Query(max_length=2000)] = None,
    moves: Annotated[str, Query(max_length=8000, description="parted by commas")] = "",
    width: Annotated[int, Query(ge=100, le=2000)] = 800,
) -> Response:
    """The board after some moves as a picture to be kept."""
    host.limits.previews.spend(visitor)
    try:
        trial = Trial(
            game=game, options=read_options(options), start=start, moves=split(moves), theme=theme
        )
    except ValidationError as error:
        raise Refusal(explain(error)) from error
    drawn = board(await play_out(host, trial), theme)
    kept = {"content-disposition": f'attachment; filename="{trial.game}.{ending}"'}
    if ending == "svg":
        return Picture(drawn, headers=kept)
    with host.analyses.begin(None, "png", {"svg": drawn, "width": width}) as job:
        async for content in job:
            return Response(content, media_type="image/png", headers=kept)
    raise Busy("the picture was not drawn; try again")


def split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def read_options(text: str) -> dict[str, int]:
    """Options as they stand in an address."""
    options = {}
    for part in split(text):
        name, _, value = part.partition("=")
        if not value.isascii() or not value.isdigit() or len(value) > 9:
            raise Refusal(f"{shorten(part)} is no option: write side=5,pegs=24")
        options[name.strip()] = int(value)
    return options
