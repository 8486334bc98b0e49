"""Cards: the picture that a link to a page is shown with, where somebody has pasted it."""

import hashlib
from collections.abc import Sequence
from functools import cache, lru_cache

from fastapi import APIRouter, Request
from fastapi.responses import Response

from skerry import __version__
from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.games import GAMES, kind, make
from skerry.render.card import Card, draw_card, make_legible
from skerry.render.token import draw_token
from skerry.server.learn.puzzle_routes import Number, find_puzzle
from skerry.server.learn.showcase import count_frames, draw_frame
from skerry.server.play.boards import SHARED, board
from skerry.server.play.views import Views
from skerry.server.positions.trials import Trials
from skerry.server.study.drafts import Drafts
from skerry.server.study.model import Study
from skerry.server.study.pages import DraftAsked
from skerry.server.study.shelf import Shelf
from skerry.server.web.access import Id
from skerry.server.web.errors import NotFound
from skerry.server.web.limits import spend
from skerry.server.web.lru import Recent
from skerry.server.web.parts import Part
from skerry.server.web.responses import Pixels
from skerry.server.web.templates import counted, listed
from skerry.server.workers.lanes import CHORES
from skerry.server.workers.pool import Pool, Urgency
from skerry.server.workers.warm import Rulebook

KEPT = 128  # cards of about 100 kB
MINUTES = "public, max-age=300"

router = APIRouter(include_in_schema=False, dependencies=[spend("previews")])


class Cards:
    """Cards that were asked for lately; a new one is drawn by the process pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._drawn: Recent[str, bytes] = Recent(KEPT)

    async def answer(self, card: Card, request: Request) -> Response:
        """The card as a response, or that it is still the one that is known."""
        tag = f'"{_name(card)}"'
        headers = {"etag": tag, "cache-control": MINUTES}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        drawn = self._drawn.get(tag)
        if drawn is None:
            drawn = await self._pool.run(CHORES, Urgency.PERSON, draw_card, card)
            self._drawn[tag] = drawn
        return Pixels(drawn, headers=headers)


def _name(card: Card) -> str:
    """What tells a card from all others; drawn by another version it may look otherwise."""
    return hashlib.sha256(repr((__version__, card)).encode()).hexdigest()[:24]


@router.get("/card.png")
async def show_site_card(cards: Part[Cards], request: Request) -> Response:
    """The card of pages that are about nothing in particular."""
    return await cards.answer(_draw_site(), request)


@cache
def _draw_site() -> Card:
    titles = listed(kind(name).title for name in GAMES)
    boards = tuple(_draw_kind(name).boards[0] for name in GAMES)
    return Card(boards, titles, words=f"{counted(len(GAMES)).capitalize()} games to play online")


@router.get("/games/{name}/card.png")
async def show_kind_card(cards: Part[Cards], name: str, request: Request) -> Response:
    """A game that can be played."""
    if name not in GAMES:
        raise NotFound(f"there is no such game; the games are {', '.join(GAMES)}")
    return await cards.answer(_draw_kind(name), request)


@cache
def _draw_kind(name: str) -> Card:
    game = kind(name)
    shown = draw_frame(name, count_frames(name) // 2, "light", f"{name}-")
    return Card((shown,), game.title, list_players(make(name)), game.summary)


@router.get("/g/{id}/card.png")
async def show_game_card(
    views: Part[Views], cards: Part[Cards], id: Id, request: Request
) -> Response:
    """A game as it stands."""
    shown = views.show(table := await views.find(id))
    drawn = board(table.line, "light", live=True)
    seats = list_players(table.game, [seat["who"] for seat in shown["seats"]])
    return await cards.answer(Card((drawn,), table.game.title, seats, shown["words"]), request)


@router.get("/puzzles/{name}/{number}/card.png")
async def show_puzzle_card(
    rulebook: Part[Rulebook], cards: Part[Cards], name: str, number: Number, request: Request
) -> Response:
    """The position of a puzzle, and what to reach."""
    puzzle = await find_puzzle(rulebook, name, number)
    drawn = board(Playthrough(puzzle.state), "light", live=True)
    title = f"{puzzle.game.title} puzzle"
    return await cards.answer(Card((drawn,), title, words=puzzle.goal), request)


@router.get("/study/new/card.png")
async def show_draft_card(
    drafts: Part[Drafts],
    trials: Part[Trials],
    cards: Part[Cards],
    asked: DraftAsked,
    request: Request,
) -> Response:
    """The position that an analysis begins from."""
    study, _ = await asked.draft(drafts)
    return await cards.answer(await _draw_study(drafts, trials, study), request)


@router.get("/study/{id}/card.png")
async def show_study_card(
    drafts: Part[Drafts],
    trials: Part[Trials],
    shelf: Part[Shelf],
    cards: Part[Cards],
    id: Id,
    request: Request,
) -> Response:
    """The end of the main line of a study."""
    return await cards.answer(await _draw_study(drafts, trials, await shelf.find(id)), request)


async def _draw_study(drafts: Drafts, trials: Trials, study: Study) -> Card:
    game = await drafts.game_of(study)
    line = trials.find(study.start(game), study.moves)
    moves = f"{line.plies} move{'s' if line.plies != 1 else ''}"
    seats = list_players(game, study.players(game))
    title = make_legible(study.title) or game.title
    return Card((board(line, "light", live=True),), title, seats, f"Analysis, {moves}")


def list_players(game: Game, names: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """The pieces of the seats with who plays them; a name that cannot be written is left out."""
    known = map(make_legible, names or [""] * game.num_seats)
    return tuple(
        (token, f"{title}: {name}" if name else title)
        for token, title, name in zip(_draw_tokens(game), game.seats, known, strict=True)
    )


@lru_cache(maxsize=SHARED)
def _draw_tokens(game: Game) -> list[str]:
    return [
        draw_token(piece, game.seats, "light", f"{seat}-")
        for seat, piece in enumerate(game.view.list_tokens())
    ]
