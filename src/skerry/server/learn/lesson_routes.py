"""Courses: pictures of their steps, and a judge for what readers try on them."""

from functools import lru_cache
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import Field

from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.scene import Overlay
from skerry.core.state import State
from skerry.server.languages.documents import translate_document
from skerry.server.learn.answers import AttemptJudged
from skerry.server.play.boards import board, describe, name_seats
from skerry.server.positions.trials import Trials
from skerry.server.web.access import Theme, check_theme
from skerry.server.web.errors import NotFound
from skerry.server.web.limits import spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import LONGEST_PATH, Body, Word
from skerry.server.web.responses import Picture
from skerry.server.workers.warm import Rulebook
from skerry.study.courses import find_course
from skerry.study.lessons import CourseStep, judge

router = APIRouter(
    prefix="/api/lessons/{game}/{step}",
    responses=REFUSALS,
    tags=["lessons"],
    dependencies=[spend("previews")],
)

MOST_TRIED = 20
PICTURES_KEPT = 512
FOR_AN_HOUR = "public, max-age=3600"


class Attempt(Body):
    """The reader's moves so far, and what was then pointed at in vain."""

    moves: list[Word] = Field(default_factory=list, max_length=MOST_TRIED)
    path: list[Word] = Field(default_factory=list, max_length=LONGEST_PATH)
    theme: Word = "light"


def find_step(game: str, id: str) -> CourseStep:
    course = find_course(game)
    step = course.step(id) if course else None
    if step is None:
        raise NotFound("there is no such step; the rules page of a game lists all it has")
    return step


@router.post("", response_model=AttemptJudged)
async def try_step(
    rulebook: Part[Rulebook], trials: Part[Trials], game: str, step: str, attempt: Attempt
) -> dict[str, Any]:
    """Where the moves lead, with the replies of the others, and whether that was asked for."""
    asked = find_step(game, step)
    start = (await rulebook.game(game, asked.options)).position(asked.position)
    verdict = judge(start, asked, attempt.moves, attempt.path)
    line = trials.find(start, verdict.moves)
    overlay = explain(line.state, asked, begun=bool(verdict.moves))
    answer: dict[str, Any] = translate_document(
        {
            "start": start.position,
            "seats": name_seats(start.game),
            **describe(line, check_theme(attempt.theme), overlay=overlay),
            "done": verdict.done,
            "wrong": verdict.wrong,
            "feedback": verdict.feedback,
        }
    )
    return answer


@router.get("/board.svg", response_class=Picture)
async def show_step(rulebook: Part[Rulebook], game: str, step: str, theme: Theme) -> Response:
    """The position that a step starts from."""
    asked = find_step(game, step)
    drawn = draw(await rulebook.game(game, asked.options), asked.id, theme)
    return Picture(drawn, headers={"cache-control": FOR_AN_HOUR})


@lru_cache(maxsize=PICTURES_KEPT)
def draw(game: Game, id: str, theme: str) -> str:
    step = find_step(game.name, id)
    start = game.position(step.position)
    return board(Playthrough(start), theme, explain(start, step, begun=False))


def explain(state: State, step: CourseStep, begun: bool) -> Overlay:
    """What a step points out; a single cell only as long as nothing has happened."""
    names = [name for name in step.overlay.split("+") if name]
    if begun:
        names = [name for name in names if not name.startswith("focus")]
    return state.overlay("+".join(names)) if names else Overlay()
