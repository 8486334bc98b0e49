"""Puzzles: pages that can be read without scripts, and answers that are judged."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field

from skerry.core.errors import OptionsError
from skerry.core.playthrough import Playthrough
from skerry.server.languages.choice import gettext, pgettext
from skerry.server.languages.documents import translate_document
from skerry.server.languages.sentences import translate, translate_all
from skerry.server.learn.answers import PuzzleJudged, PuzzleShown
from skerry.server.play.boards import board, describe, name_seats
from skerry.server.positions.trials import Trials
from skerry.server.showing.embeds import Embedding, show_embed
from skerry.server.showing.introduction import introduce
from skerry.server.web.access import Theme, check_theme
from skerry.server.web.errors import NotFound
from skerry.server.web.limits import hold, spend
from skerry.server.web.pages import WRITTEN, Keeping
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.requests import Body, Word
from skerry.server.web.responses import FRESH, Picture
from skerry.server.web.templates import draw_both
from skerry.server.workers.errands import Errands
from skerry.server.workers.lanes import ENGINES
from skerry.server.workers.thinking import judge_puzzle
from skerry.server.workers.warm import Rulebook
from skerry.study import puzzles
from skerry.study.daily import choose_daily
from skerry.study.motifs import explain_motifs, list_motifs
from skerry.study.puzzles import DIFFICULTIES, Puzzle, Verdict

router = APIRouter(responses=REFUSALS, tags=["puzzles"])

MOST_ANSWERED = 64  # moves
Number = Annotated[int, Path(ge=1, le=100_000, description="counted from 1")]
About = Annotated[str, Query(max_length=100)]  # a theme, or nothing for all of them


class PuzzleAnswer(Body):
    """All that was played since the puzzle's position, one's own turn last."""

    moves: list[Word] = Field(min_length=1, max_length=MOST_ANSWERED)
    theme: Word = "light"


async def find_puzzle(rulebook: Rulebook, name: str, number: int) -> Puzzle:
    """A puzzle whose rules are loaded."""
    try:
        puzzle = puzzles.find(name, number)
    except OptionsError as error:
        raise NotFound(str(error)) from None
    await rulebook.game(puzzle.game.name, puzzle.game.options)  # nobody else waits for it
    return puzzle


def _summarise(puzzle: Puzzle, number: int) -> dict[str, Any]:
    summary: dict[str, Any] = {
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
        "themes": list(list_motifs(puzzle.game.name)[number - 1]),
    }
    return {**summary, **translate_document(summary)}


@router.get(
    "/api/puzzles/{name}/{number}", response_model=PuzzleShown, dependencies=[spend("previews")]
)
async def show_puzzle(
    rulebook: Part[Rulebook], name: str, number: Number, theme: Theme
) -> dict[str, Any]:
    """A puzzle: what to reach, and the board; its solution is a line of turns."""
    puzzle = await find_puzzle(rulebook, name, number)
    shown = translate_document(describe(Playthrough(puzzle.state), theme, live=True))
    return {**_summarise(puzzle, number), "solution": list(puzzle.line), "board": shown}


@router.post(
    "/api/puzzles/{name}/{number}/answer",
    response_model=PuzzleJudged,
    dependencies=[spend("moves"), hold("judged")],
)
async def judge_answer(
    rulebook: Part[Rulebook],
    trials: Part[Trials],
    errands: Errands,
    name: str,
    number: Number,
    given: PuzzleAnswer,
) -> dict[str, Any]:
    """Whether a turn is right: then the others reply; else the line shows why it is wrong."""
    theme = check_theme(given.theme)
    puzzle = await find_puzzle(rulebook, name, number)
    tried = trials.find(puzzle.state, given.moves)
    verdict: Verdict = await errands.run(ENGINES, judge_puzzle, name, number, given.moves)
    line, moves = [], list(given.moves)
    for turn in verdict.line:
        seat = tried.state.to_move
        moves.append(turn)
        tried = trials.find(puzzle.state, moves)
        line.append({"seat": seat, "turn": turn, "board": describe(tried, theme, live=True)})
    answer: dict[str, Any] = translate_document(
        {
            "right": verdict.right,
            "solved": verdict.solved,
            "words": verdict.words,
            "line": line,
        }
    )
    return answer


@router.get("/puzzles", include_in_schema=False)
async def show_overview(rulebook: Part[Rulebook], keeping: Keeping) -> HTMLResponse:
    """All games with their puzzles."""
    middles = {
        name: await find_puzzle(rulebook, name, len(puzzles.load(name)) // 2)
        for name in puzzles.list_games()
    }
    return keeping.show("puzzles.html", lambda: _list_shelves(middles))


def _list_shelves(middles: Mapping[str, Puzzle]) -> dict[str, Any]:
    shelves = [
        {"name": name, "title": middle.game.title, **_count(name), **_draw(middle, name)}
        for name, middle in middles.items()
    ]
    return {"shelves": shelves}


@router.get("/puzzles/daily", include_in_schema=False, dependencies=[spend("reads")])
async def show_daily() -> RedirectResponse:
    """The puzzle of today, by the calendar of Greenwich."""
    name, number = choose_daily(datetime.now(UTC).date())
    return RedirectResponse(f"/puzzles/{name}/{number}", headers=FRESH)


@router.get(
    "/puzzles/{name}/{number}/board.svg", include_in_schema=False, dependencies=[spend("previews")]
)
async def show_puzzle_board(
    rulebook: Part[Rulebook], name: str, number: Number, theme: Theme
) -> Response:
    """The position of a puzzle."""
    puzzle = await find_puzzle(rulebook, name, number)
    drawn = board(Playthrough(puzzle.state), theme)
    return Picture(drawn, headers={"cache-control": "max-age=86400"})


@router.get("/puzzles/{name}", include_in_schema=False)
async def show_shelf(
    rulebook: Part[Rulebook], keeping: Keeping, name: str, about: About = ""
) -> HTMLResponse:
    """The puzzles of a game, by difficulty; all of them, or those about one theme."""
    await find_puzzle(rulebook, name, 1)
    numbers = _list_about(name, about)
    return keeping.show("puzzle_shelf.html", lambda: _fill_shelf(name, numbers, about), about)


def _fill_shelf(name: str, numbers: list[int], about: str) -> dict[str, Any]:
    every = [_summarise(puzzle, n) for n, puzzle in enumerate(puzzles.load(name), 1)]
    entries = [every[number - 1] for number in numbers]
    groups = {
        word: [entry for entry in entries if entry["difficulty"] == translate(word)]
        for word in DIFFICULTIES.values()
    }
    counts = Counter(theme for entry in every for theme in entry["themes"])
    return {
        "name": name,
        "title": every[0]["title"],
        "count": len(every),
        "about": about,
        "themes": [(theme, counts[theme], text) for theme, text in explain_motifs(name).items()],
        "groups": {word: found for word, found in groups.items() if found},
    }


@router.get("/puzzles/{name}/{number}", include_in_schema=False)
async def show_puzzle_page(
    rulebook: Part[Rulebook],
    keeping: Keeping,
    name: str,
    number: Number,
    embedding: Embedding,
    about: About = "",
) -> HTMLResponse:
    """A puzzle with its solution folded away, on the way through all of a game or of a theme."""
    puzzle = await find_puzzle(rulebook, name, number)
    numbers = _list_about(name, about)
    if embedding.wanted:
        keeping.pay(WRITTEN)
        title = pgettext("a title", "{game} puzzle").format(game=puzzle.game.title)
        drawn = _draw(puzzle)
        goal, call = translate(puzzle.goal), gettext("Solve it")
        return show_embed(embedding, puzzle.game, [], goal, drawn, {}, title, call)
    made = partial(_show, puzzle, number, numbers, about)
    return keeping.show("puzzle.html", made, about)


def _show(puzzle: Puzzle, number: int, numbers: list[int], about: str) -> dict[str, Any]:
    context = {
        "puzzle": _summarise(puzzle, number),
        "holdings": translate_all(puzzle.game.view.holdings(puzzle.state)),
        "solution": _name_turns(puzzle),
        "about": about,
        "previous": max((n for n in numbers if n < number), default=None),
        "next": min((n for n in numbers if n > number), default=None),
    }
    return context | introduce(puzzle.game) | _draw(puzzle)


def _draw(puzzle: Puzzle, prefix: str = "") -> dict[str, Any]:
    """The position of a puzzle."""
    line = Playthrough(puzzle.state)
    return draw_both(lambda theme: board(line, theme, prefix=f"{prefix}{theme}-", live=True))


def _list_about(name: str, about: str) -> list[int]:
    """The numbers of the puzzles about a theme, or of all."""
    if about and about not in (themes := explain_motifs(name)):
        raise NotFound(f"no puzzle of {name} is about that; the themes are {', '.join(themes)}")
    found = enumerate(list_motifs(name), 1)
    return [number for number, motifs in found if not about or about in motifs]


def _count(name: str) -> dict[str, Any]:
    """How many puzzles a game has, in all and of each difficulty."""
    counts = Counter(puzzle.difficulty for puzzle in puzzles.load(name))
    each = {word: counts[level] for level, word in DIFFICULTIES.items()}
    return {"count": counts.total(), "difficulties": each}


def _name_turns(puzzle: Puzzle) -> list[dict[str, str]]:
    """The solution, each turn with the seat that makes it."""
    state, turns = puzzle.state, []
    for turn in puzzle.line:
        turns.append({"seat": translate(puzzle.game.seats[state.raw["turn"]]), "turn": turn})
        state = state.play(turn)
    return turns
