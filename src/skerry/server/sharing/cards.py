"""Cards: the picture that a link to a page is shown with, where somebody has pasted it."""

import hashlib
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import Response

from skerry import __version__
from skerry.core.playthrough import Playthrough
from skerry.games import GAMES, kind, make
from skerry.render.card import Card, draw_card
from skerry.server.languages.choice import speak_english
from skerry.server.languages.figures import counted, listed
from skerry.server.learn.puzzle_routes import Number, find_puzzle
from skerry.server.learn.showcase import count_frames, draw_frame
from skerry.server.play.pictures import draw_board
from skerry.server.play.views import Views
from skerry.server.showing.players import list_players
from skerry.server.study.pages import DraftAsked
from skerry.server.study.reading import card_position, card_record, card_study
from skerry.server.study.shelf import Shelf
from skerry.server.web.access import Id
from skerry.server.web.errors import NotFound
from skerry.server.web.limits import Pay, price_of, spend, spender
from skerry.server.web.lru import Recent
from skerry.server.web.parts import Part
from skerry.server.web.responses import Pixels
from skerry.server.workers.errands import Errands
from skerry.server.workers.lanes import BOARDS, PICTURES
from skerry.server.workers.warm import Rulebook

KEPT = 16_000_000  # bytes of cards
DRAWN = 5  # tokens for a card
MINUTES = "public, max-age=300"

router = APIRouter(
    include_in_schema=False, dependencies=[Depends(speak_english), spend("previews", DRAWN)]
)
PayPreviews = Annotated[Pay, spender("previews")]


class Cards:
    """Cards that were asked for lately; a new one is drawn by the process pool."""

    def __init__(self) -> None:
        self._drawn: Recent[str, bytes] = Recent(KEPT, weigh=len)

    async def answer(self, card: Card, errands: Errands) -> Response:
        """The card as a response, or that it is still the one that is known."""
        request = errands.request
        tag = f'"{_name(card)}"'
        headers = {"etag": tag, "cache-control": MINUTES}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        drawn = self._drawn.get(tag)
        if drawn is None:
            drawn = await errands.run(PICTURES, draw_card, card)
            self._drawn[tag] = drawn
        return Pixels(drawn, headers=headers)


def _name(card: Card) -> str:
    """What tells a card from all others; drawn by another version it may look otherwise."""
    return hashlib.sha256(repr((__version__, card)).encode()).hexdigest()[:24]


@router.get("/card.png")
async def show_site_card(cards: Part[Cards], errands: Errands) -> Response:
    """The card of pages that are about nothing in particular."""
    return await cards.answer(_draw_site(), errands)


@cache
def _draw_site() -> Card:
    titles = listed(kind(name).title for name in GAMES)
    boards = tuple(_draw_kind(name).boards[0] for name in GAMES)
    return Card(boards, titles, words=f"{counted(len(GAMES)).capitalize()} games to play online")


@router.get("/games/{name}/card.png")
async def show_kind_card(cards: Part[Cards], name: str, errands: Errands) -> Response:
    """A game that can be played."""
    if name not in GAMES:
        raise NotFound(f"there is no such game; the games are {', '.join(GAMES)}")
    return await cards.answer(_draw_kind(name), errands)


@cache
def _draw_kind(name: str) -> Card:
    game = kind(name)
    shown = draw_frame(name, count_frames(name) // 2, "light", f"{name}-")
    return Card((shown,), game.title, list_players(make(name)), game.summary)


@router.get("/g/{id}/card.png")
async def show_game_card(
    views: Part[Views], cards: Part[Cards], id: Id, errands: Errands
) -> Response:
    """A game as it stands."""
    shown = views.show(table := await views.find(id))
    drawn = await draw_board(errands, table.line, "light", live=True)
    seats = list_players(table.game, [seat["who"] for seat in shown["seats"]])
    return await cards.answer(Card((drawn,), table.game.title, seats, shown["words"]), errands)


@router.get("/puzzles/{name}/{number}/card.png")
async def show_puzzle_card(
    rulebook: Part[Rulebook], cards: Part[Cards], name: str, number: Number, errands: Errands
) -> Response:
    """The position of a puzzle, and what to reach."""
    puzzle = await find_puzzle(rulebook, name, number)
    drawn = await draw_board(errands, Playthrough(puzzle.state), "light", live=True)
    title = f"{puzzle.game.title} puzzle"
    return await cards.answer(Card((drawn,), title, words=puzzle.goal), errands)


@router.get("/study/new/card.png")
async def show_draft_card(
    cards: Part[Cards], pay: PayPreviews, asked: DraftAsked, errands: Errands
) -> Response:
    """The position that an analysis begins from."""
    return await cards.answer(await asked.work(pay, card_record, card_position), errands)


@router.get("/study/{id}/card.png")
async def show_study_card(
    shelf: Part[Shelf], cards: Part[Cards], pay: PayPreviews, id: Id, errands: Errands
) -> Response:
    """The end of the main line of a study."""
    study = await shelf.find(id)
    pay(price_of(study.length))
    return await cards.answer(await errands.run(BOARDS, card_study, study), errands)
