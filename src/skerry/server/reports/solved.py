"""Boards that have been solved exactly, as a page: what best play comes to, and how it begins."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, Response

from skerry.games import GAMES, kind
from skerry.lab.solved import SolvedBoard, list_solved
from skerry.server.languages.sentences import translate
from skerry.server.reports.drawing import print_solved
from skerry.server.reports.press import Press
from skerry.server.reports.routes import answer
from skerry.server.web.access import Theme
from skerry.server.web.errors import NotFound
from skerry.server.web.limits import spend
from skerry.server.web.pages import Keeping
from skerry.server.web.parts import Part
from skerry.server.web.responses import Picture

router = APIRouter(prefix="/solved", include_in_schema=False)
MOST_LISTED = 8  # moves in words; the board shows all


@router.get("")
async def show_solved(keeping: Keeping) -> HTMLResponse:
    """All boards by game, from small to large."""
    return keeping.show("solved.html", describe_solved)


@router.get("/{game}/{number}.svg", dependencies=[spend("previews")])
async def show_solved_board(
    press: Part[Press],
    game: str,
    number: Annotated[int, Path(ge=1)],
    theme: Theme,
    request: Request,
) -> Response:
    """A board with its best first moves; they are numbered from 1."""
    if game not in GAMES or number > len(list_boards(game)):
        raise NotFound("there is no such board; all solved boards are shown at /solved")
    files = await press.fetch(print_solved, game, theme)
    return answer(request, Picture(files[f"{number}.svg"]))


def list_boards(game: str) -> list[SolvedBoard]:
    """The boards of a game that have been solved."""
    return [board for board in list_solved() if board.game == game]


def describe_solved() -> dict[str, Any]:
    """What the page is told: the games of which boards have been solved."""
    found = {game: list_described(game) for game in GAMES}
    games = [
        {"name": game, "title": kind(game).title, "seats": len(kind(game).seats), "boards": boards}
        for game, boards in found.items()
        if boards
    ]
    return {"games": games}


def list_described(game: str) -> list[dict[str, Any]]:
    return [describe_board(n, board) for n, board in enumerate(list_boards(game), 1)]


def describe_board(number: int, board: SolvedBoard) -> dict[str, Any]:
    """A board with its seats in the language of the reader."""
    seats = [translate(seat) for seat in kind(board.game).seats]
    return {
        "number": number,
        "name": board.name(),
        "winner": None if board.winner is None else seats[board.winner],
        "forcing": None if board.forcing is None else seats[board.forcing],
        "moves": board.moves,
        "optimal": board.optimal[:MOST_LISTED],
        "best": len(board.optimal),
        "nodes": board.nodes,
        "seconds": round(board.seconds),
    }
