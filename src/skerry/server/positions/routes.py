"""Boards on which anybody tries things: nothing is kept, and every answer is complete in itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response
from pydantic import Field, ValidationError

from skerry.server.languages.documents import translate_json
from skerry.server.play.answers import PreviewShown, ReasonShown
from skerry.server.positions.answers import EditedShown, PositionShown
from skerry.server.positions.tracing import (
    arrange_position,
    draw_trial,
    explain_trial,
    preview_trial,
    shoot_trial,
    show_trial,
)
from skerry.server.web.access import Theme, check_theme
from skerry.server.web.errors import Refusal
from skerry.server.web.limits import Pay, price_of, spender
from skerry.server.web.lru import Recent
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
from skerry.server.web.responses import JsonText, Picture, Pixels, attachment
from skerry.server.workers.errands import Errands
from skerry.server.workers.lanes import BOARDS, PICTURES
from skerry.server.workers.warm import KEPT, Key, name_game

router = APIRouter(
    prefix="/api/positions",
    responses=REFUSALS,
    tags=["positions"],
)

NEW_BOARD = 20  # tokens for a game that has to be set up first


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


class KnownBoards:
    """The games that were asked for lately: to set up another one takes a while."""

    def __init__(self) -> None:
        self._keys: Recent[Key, bool] = Recent(KEPT)

    def has(self, key: Key) -> bool:
        return self._keys.get(key) is not None

    def note(self, key: Key) -> None:
        self._keys[key] = True


@dataclass
class _Bench:
    """Where trials are worked on, and what that costs: more for long lines and for new boards."""

    errands: Errands
    known: Part[KnownBoards]
    pay: Annotated[Pay, spender("previews")]

    async def work(
        self, function: Callable[..., Any], trial: Trial, *more: Any, pixels: int = 0
    ) -> Any:
        """What a function of a game and a trial comes to."""
        key = self.open(trial.game, trial.options, price_of(len(trial.moves) + pixels))
        check_theme(trial.theme)
        lane = PICTURES if pixels else BOARDS
        return await self.errands.run(lane, function, key, trial.model_dump(), *more)

    def open(self, name: str, options: dict[str, int], price: int = 1) -> Key:
        """A game that is to be worked with."""
        key = name_game(name, options)
        self.pay(price + (0 if self.known.has(key) else NEW_BOARD))
        self.known.note(key)
        return key


Bench = Annotated[_Bench, Depends()]


@router.post("", response_model=PositionShown)
async def show_position(bench: Bench, trial: PositionTrial) -> Response:
    """Where these moves lead: the position, the moves that are legal there, and a picture."""
    return JsonText(translate_json(await bench.work(show_trial, trial)))


@router.post("/preview", response_model=PreviewShown)
async def preview_choice(bench: Bench, trial: ChoiceTrial) -> Response:
    """What choosing these targets would do after the moves, and how to go on."""
    return JsonText(translate_json(await bench.work(preview_trial, trial)))


@router.post("/reason", response_model=ReasonShown)
async def explain_choice(bench: Bench, trial: ChoiceTrial) -> Response:
    """Why no move begins with these targets after the moves; nothing if one does."""
    return JsonText(translate_json(await bench.work(explain_trial, trial)))


@router.post("/setup", response_model=EditedShown)
async def edit_position(bench: Bench, edited: EditedPosition) -> Response:
    """A position as it is drawn while somebody sets it up, and what is still wrong with it."""
    key, theme = bench.open(edited.game, edited.options), check_theme(edited.theme)
    arguments = key, edited.position, edited.put, theme
    return JsonText(translate_json(await bench.errands.run(BOARDS, arrange_position, *arguments)))


BOARD: dict[str, Any] = {
    "description": "The board as SVG or PNG.",
    "content": {Picture.media_type: {}, Pixels.media_type: {}},
}


@router.get("/board.{ending}", response_class=Picture, responses={200: BOARD})
async def draw_position(
    bench: Bench,
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
    headers = attachment(f"{trial.game}.{ending}")
    if ending == "svg":
        return Picture(await bench.work(draw_trial, trial), headers=headers)
    return Pixels(await bench.work(shoot_trial, trial, width, pixels=width), headers=headers)
