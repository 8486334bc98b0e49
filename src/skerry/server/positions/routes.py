"""Boards on which anybody tries things: nothing is kept, and every answer is complete in itself."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field, ValidationError

from skerry.core.playthrough import Playthrough
from skerry.core.scene import Overlay
from skerry.render.raster import png
from skerry.server.play.answers import PreviewShown, ReasonShown
from skerry.server.play.boards import board, describe, name_seats, preview, refusal
from skerry.server.positions.answers import EditedShown, PositionShown
from skerry.server.positions.editor import arrange
from skerry.server.positions.trials import Trials
from skerry.server.web.access import Theme, check_theme
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import spend
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS, explain
from skerry.server.web.requests import (
    LONGEST_PATH,
    Body,
    Options,
    Text,
    Trial,
    Word,
    read_options,
    split,
)
from skerry.server.web.responses import Picture, Pixels, attachment
from skerry.server.workers.lanes import CHORES
from skerry.server.workers.pool import Pool, Urgency
from skerry.server.workers.warm import Rulebook

router = APIRouter(
    prefix="/api/positions",
    responses=REFUSALS,
    tags=["positions"],
    dependencies=[spend("previews")],
)


class PositionTrial(Trial):
    overlay: Word = ""


class ChoiceTrial(Trial):
    path: list[Word] = Field(max_length=LONGEST_PATH)


class EditedPosition(Body):
    """A position that is being set up; ``put`` is a cell and the letter to stand on it."""

    game: Text
    options: Options
    position: Text | None = None
    put: tuple[Word, Word] | None = None
    theme: Word = "light"


async def _play_out(rulebook: Rulebook, trials: Trials, trial: Trial) -> Playthrough:
    """The line of a trial; an error says what is wrong with it."""
    game = await rulebook.game(trial.game, trial.options)
    start = game.initial(trial.seed or 0) if trial.start is None else game.position(trial.start)
    return trials.find(start, trial.moves)


@router.post("", response_model=PositionShown)
async def show_position(
    rulebook: Part[Rulebook], trials: Part[Trials], trial: PositionTrial
) -> dict[str, Any]:
    """Where these moves lead: the position, the moves that are legal there, and a picture."""
    line = await _play_out(rulebook, trials, trial)
    overlay = line.state.overlay(trial.overlay) if trial.overlay else Overlay()
    theme = check_theme(trial.theme)
    return {
        "start": line.start.position,
        "seats": name_seats(line.state.game),
        **describe(line, theme, overlay=overlay, turned=trial.turned, live=trial.live),
    }


@router.post("/preview", response_model=PreviewShown)
async def preview_choice(
    rulebook: Part[Rulebook], trials: Part[Trials], trial: ChoiceTrial
) -> dict[str, Any]:
    """What choosing these targets would do after the moves, and how to go on."""
    line = await _play_out(rulebook, trials, trial)
    return preview(line, trial.path, check_theme(trial.theme), trial.turned, trial.live)


@router.post("/reason", response_model=ReasonShown)
async def explain_choice(
    rulebook: Part[Rulebook], trials: Part[Trials], trial: ChoiceTrial
) -> dict[str, str]:
    """Why no move begins with these targets after the moves; nothing if one does."""
    line = await _play_out(rulebook, trials, trial)
    return {"reason": refusal(line.state, trial.path)}


@router.post("/setup", response_model=EditedShown)
async def edit_position(rulebook: Part[Rulebook], edited: EditedPosition) -> dict[str, Any]:
    """A position as it is drawn while somebody sets it up, and what is still wrong with it."""
    game = await rulebook.game(edited.game, edited.options)
    return arrange(game, edited.position, edited.put, check_theme(edited.theme))


@router.get("/board.{ending}", response_class=Picture)
async def draw_position(
    rulebook: Part[Rulebook],
    trials: Part[Trials],
    pool: Part[Pool],
    ending: Literal["svg", "png"],
    theme: Theme,
    game: Word,
    options: Annotated[str, Query(max_length=200, description="such as side=5,pegs=24")] = "",
    start: Annotated[str | None, Query(max_length=2000)] = None,
    moves: Annotated[str, Query(max_length=8000, description="separated by commas")] = "",
    width: Annotated[int, Query(ge=100, le=2000)] = 800,
) -> Response:
    """The board after some moves as a picture to be kept."""
    try:
        trial = Trial(
            game=game, options=read_options(options), start=start, moves=split(moves), theme=theme
        )
    except ValidationError as error:
        raise Refusal(explain(error)) from error
    drawn = board(await _play_out(rulebook, trials, trial), theme)
    headers = attachment(f"{trial.game}.{ending}")
    if ending == "svg":
        return Picture(drawn, headers=headers)
    pixels = await pool.run(CHORES, Urgency.GAME, png, drawn, width)
    return Pixels(pixels, headers=headers)
