"""Boards on which anybody tries things: nothing is kept, and every answer is complete in itself."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from skerry.core.scene import Overlay
from skerry.server.boards import describe, preview
from skerry.server.course import Course
from skerry.server.host import Host
from skerry.server.routes.access import REFUSALS, TheHost, Visitor, check_theme
from skerry.server.routes.answers import PositionShown, Preview
from skerry.server.routes.boards import LONGEST_PATH
from skerry.server.routes.games import Body, Options, Seed, Text

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
        "seats": [
            {"seat": seat, "title": title} for seat, title in enumerate(course.state.game.seats)
        ],
        **describe(course, check_theme(trial.theme), overlay=overlay),
    }


@router.post("/preview", response_model=Preview)
async def look_ahead(host: TheHost, visitor: Visitor, trial: Choice) -> dict[str, Any]:
    """What choosing these targets would do after the moves, and how to go on."""
    host.limits.previews.spend(visitor)
    course = await play_out(host, trial)
    return preview(course, trial.path, check_theme(trial.theme))
