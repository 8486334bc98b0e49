"""The explorer of openings as a page, for programs, and all of its data at once."""

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError

from skerry.games import GAMES, make
from skerry.lab.openings.shipped import Era, find_atlas, find_file
from skerry.lab.openings.swapmap import LETTERS
from skerry.server.languages.documents import translate_document, translate_json
from skerry.server.openings.answers import CardsShown, FirstMovesShown, OpeningsShown
from skerry.server.openings.looking import (
    look_at_first_moves,
    look_up,
    open_explorer,
    open_first_moves,
)
from skerry.server.positions.routes import Bench
from skerry.server.settings import Settings
from skerry.server.web.access import Theme
from skerry.server.web.errors import NotFound, Refusal
from skerry.server.web.limits import spend
from skerry.server.web.pages import show_page
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS, explain
from skerry.server.web.requests import Trial, read_options, split
from skerry.server.web.responses import JsonText, attachment, send_file
from skerry.server.web.templates import BRIEFLY, picture

router = APIRouter(responses=REFUSALS, tags=["openings"])


class AtlasFile(Response):
    media_type = "application/octet-stream"


async def _name(game: str) -> str:
    if game not in GAMES:
        raise NotFound(f"there is no such game; the games are {', '.join(GAMES)}")
    return game


Name = Annotated[str, Depends(_name)]
ChosenOptions = Annotated[str, Query(max_length=200, description="such as side=5,pegs=24")]


@dataclass
class _Asked:
    """A line to look up, as addresses have it."""

    game: Name
    theme: Theme
    options: ChosenOptions = ""
    start: Annotated[str | None, Query(max_length=2000)] = None
    moves: Annotated[str, Query(max_length=8000, description="separated by commas")] = ""
    turned: bool = False

    @property
    def trial(self) -> Trial:
        try:
            return Trial(
                game=self.game,
                options=read_options(self.options),
                start=self.start,
                moves=split(self.moves),
                theme=self.theme,
                turned=self.turned,
            )
        except ValidationError as error:
            raise Refusal(explain(error)) from error

    def write(self, moves: str) -> str:
        """The address of the page after other moves."""
        asked = {"options": self.options, "start": self.start, "moves": moves}
        given = urlencode({name: said for name, said in asked.items() if said}, safe=",=")
        return f"/openings/{self.game}{f'?{given}' if given else ''}"


Asked = Annotated[_Asked, Depends()]


@router.get("/api/openings/{game}", response_model=OpeningsShown)
async def show_openings(bench: Bench, settings: Part[Settings], asked: Asked) -> Response:
    """Where these moves lead, what strong players played there, and with what success."""
    found = await bench.work(look_up, asked.trial, settings.openings)
    return JsonText(translate_json(found))


@router.get(
    "/api/openings/{game}/card", response_model=CardsShown, dependencies=[spend("reads", 3)]
)
async def show_cards(
    settings: Part[Settings], game: Name, options: ChosenOptions = ""
) -> dict[str, Any]:
    """Whose games the atlases of a game have, and how they came about."""
    made = make(game, **read_options(options))
    found = {era: find_atlas(made, era, settings.openings) for era in Era}
    return {str(era): atlas.card if atlas else None for era, atlas in found.items()}


@router.get("/api/openings/{game}/first", response_model=FirstMovesShown)
async def show_first_moves(
    bench: Bench, settings: Part[Settings], game: Name, theme: Theme, options: ChosenOptions = ""
) -> dict[str, Any]:
    """What every first move is worth: who should keep their seat after it, and who should swap."""
    trial = _Asked(game, theme, options).trial
    shown = await bench.work(look_at_first_moves, trial, settings.openings)
    found: dict[str, Any] = translate_document(shown)
    return found


@router.get(
    "/api/openings/{game}/{era}.atlas",
    response_class=AtlasFile,
    dependencies=[spend("downloads")],
)
async def download_atlas(
    settings: Part[Settings], game: Name, era: Era, options: ChosenOptions = ""
) -> Response:
    """All that is known of a game in one file, as docs/lab/openings.md describes it."""
    path = find_file(make(game, **read_options(options)), era, settings.openings)
    if path is None:
        raise NotFound("there is no atlas of these games yet")
    headers = {"cache-control": BRIEFLY, **attachment(path.name)}
    return send_file(path, headers)


@router.get("/openings/{game}/first", include_in_schema=False)
async def show_swap_map(
    bench: Bench, settings: Part[Settings], game: Name, theme: Theme, options: ChosenOptions = ""
) -> HTMLResponse:
    """What first moves of a board are worth, as a page."""
    trial = _Asked(game, theme, options).trial
    shown, maps = await bench.work(open_first_moves, trial, settings.openings)
    if not shown["moves"]:
        raise NotFound("nothing is known of first moves on this board")
    drawn = {name: picture(drawn) for name, drawn in maps.items()}
    least = min(
        share["games"] for move in shown["moves"] for each in move["shares"] for share in each
    )
    told = {"options": options, "least": least, "letters": LETTERS}
    context = {"shown": translate_document(shown), **told, **drawn}
    return show_page("first_moves.html", context)


@router.get("/openings/{game}", include_in_schema=False)
async def show_explorer(bench: Bench, settings: Part[Settings], asked: Asked) -> HTMLResponse:
    """The explorer, which can be read and gone through without scripts."""
    trial = asked.trial
    shown, boards = await bench.work(open_explorer, trial, settings.openings)
    ways = shown["openings"]["ways"] if shown["openings"] else []
    context = {
        "shown": translate_document(shown),
        "links": {way["move"]: asked.write(",".join([*trial.moves, way["move"]])) for way in ways},
        "drifts": [
            drift | {"link": asked.write(",".join(drift["moves"][:-1]))}
            for drift in shown["drifts"]
        ],
        "back": asked.write(",".join(trial.moves[:-1])) if trial.moves else None,
        "query": urlencode({"options": asked.options}) if asked.options else "",
        "document": {
            **{name: translate_document(shown)[name] for name in ("game", "options", "seats")},
            "chosen": asked.options,
            "start": shown["start"],
            "usual": asked.start is None,
            "moves": trial.moves,
        },
        **{theme: picture(drawn) for theme, drawn in boards.items()},
    }
    return show_page("openings.html", context)
