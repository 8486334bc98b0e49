"""Puzzles: pages that can be read without scripts, and answers that are judged."""

from collections import Counter
from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import HTMLResponse
from pydantic import Field

from skerry.core.errors import OptionsError
from skerry.render.themes import LIGHT, ink_of
from skerry.server.host import Host
from skerry.server.play.boards import board, describe, name_seats
from skerry.server.play.routes import Body
from skerry.server.positions.course import Course
from skerry.server.positions.routes import Word
from skerry.server.web.access import REFUSALS, TheHost, Theme, Visitor, check_theme
from skerry.server.web.answers import PuzzleJudged, PuzzleShown
from skerry.server.web.errors import NotFound
from skerry.server.web.pages import show_page
from skerry.server.web.templates import draw_both
from skerry.study import puzzles
from skerry.study.puzzles import DIFFICULTIES, Puzzle

router = APIRouter(responses=REFUSALS)

MOST_MOVES = 64
Number = Annotated[int, Path(ge=1, le=100_000, description="counted from 1")]


class Answer(Body):
    """All that was played since the puzzle's position, one's own turn last."""

    moves: list[Word] = Field(min_length=1, max_length=MOST_MOVES)
    theme: Word = "light"


async def _find(host: Host, name: str, number: int) -> Puzzle:
    try:
        puzzle = puzzles.find(name, number)
    except OptionsError as error:
        raise NotFound(str(error)) from None
    await host.rulebook.game(puzzle.game.name, puzzle.game.options)  # nobody else waits for it
    return puzzle


def _summarise(puzzle: Puzzle, number: int) -> dict[str, Any]:
    return {
        "game": puzzle.game.name,
        "title": puzzle.game.title,
        "number": number,
        "count": len(puzzles.load(puzzle.game.name)),
        "goal": puzzle.goal,
        "seat": puzzle.seat,
        "seats": name_seats(puzzle.game),
        "turns": puzzle.turns,
        "difficulty": DIFFICULTIES[puzzle.difficulty],
        "options": puzzle.game.options,
        "start": puzzle.position,
    }


@router.get("/api/puzzles/{name}/{number}", response_model=PuzzleShown)
async def look(
    host: TheHost, visitor: Visitor, name: str, number: Number, theme: Theme
) -> dict[str, Any]:
    """A puzzle: what to reach, and the board; its solution is a line of turns."""
    host.limits.previews.spend(visitor)
    puzzle = await _find(host, name, number)
    shown = describe(Course.begin(puzzle.state), theme)
    return {**_summarise(puzzle, number), "solution": list(puzzle.line), "board": shown}


@router.post("/api/puzzles/{name}/{number}/answer", response_model=PuzzleJudged)
async def answer(
    host: TheHost, visitor: Visitor, name: str, number: Number, given: Answer
) -> dict[str, Any]:
    """Whether a turn is right: then the others reply; else the line shows why it is wrong."""
    host.limits.moves.spend(visitor)
    theme = check_theme(given.theme)
    puzzle = await _find(host, name, number)
    course = host.courses.find(puzzle.state, given.moves)
    with host.limits.judge(visitor):
        verdict = await host.engines.judge(name, number, given.moves)
    line, moves = [], list(given.moves)
    for turn in verdict.line:
        seat = course.state.to_move
        moves.append(turn)
        course = host.courses.find(puzzle.state, moves)
        line.append({"seat": seat, "turn": turn, "board": describe(course, theme)})
    return {
        "right": verdict.right,
        "solved": verdict.solved,
        "words": verdict.words,
        "line": line,
    }


@router.get("/puzzles", include_in_schema=False)
async def show_overview(host: TheHost, visitor: Visitor) -> HTMLResponse:
    """All games with their puzzles."""
    host.limits.reads.spend(visitor)
    shelves = []
    for name in puzzles.list_games():
        middle = await _find(host, name, len(puzzles.load(name)) // 2)
        shelves.append(
            {"name": name, "title": middle.game.title, **_count(name), **_draw(middle, name)}
        )
    return show_page("puzzles.html", {"shelves": shelves})


@router.get("/puzzles/{name}", include_in_schema=False)
async def show_shelf(host: TheHost, visitor: Visitor, name: str) -> HTMLResponse:
    """The puzzles of a game, by difficulty."""
    host.limits.reads.spend(visitor)
    await _find(host, name, 1)
    entries = [_summarise(puzzle, n) for n, puzzle in enumerate(puzzles.load(name), 1)]
    groups = {
        word: [entry for entry in entries if entry["difficulty"] == word]
        for word in DIFFICULTIES.values()
    }
    context = {"name": name, "title": entries[0]["title"], "count": len(entries), "groups": groups}
    return show_page("puzzle_shelf.html", context)


@router.get("/puzzles/{name}/{number}", include_in_schema=False)
async def show_puzzle(host: TheHost, visitor: Visitor, name: str, number: Number) -> HTMLResponse:
    """A puzzle with its solution folded away."""
    host.limits.reads.spend(visitor)
    puzzle = await _find(host, name, number)
    context = {
        "puzzle": _summarise(puzzle, number),
        "colour": ink_of(LIGHT, puzzle.seat, puzzle.game.seats).body,
        "solution": _name_turns(puzzle),
    }
    return show_page("puzzle.html", context | _draw(puzzle))


def _draw(puzzle: Puzzle, prefix: str = "") -> dict[str, Any]:
    """The position of a puzzle."""
    course = Course.begin(puzzle.state)
    return draw_both(lambda theme: board(course, theme, prefix=f"{prefix}{theme}-"))


def _count(name: str) -> dict[str, Any]:
    """How many puzzles a game has, in all and of each difficulty."""
    counts = Counter(puzzle.difficulty for puzzle in puzzles.load(name))
    each = {word: counts[level] for level, word in DIFFICULTIES.items()}
    return {"count": counts.total(), "difficulties": each}


def _name_turns(puzzle: Puzzle) -> list[dict[str, str]]:
    """The solution, each turn with the seat that makes it."""
    state, turns = puzzle.state, []
    for turn in puzzle.line:
        turns.append({"seat": puzzle.game.seats[state.raw["turn"]], "turn": turn})
        state = state.play(turn)
    return turns
