"""Cards of links: their size, and that boards, names and words are on them."""

from io import BytesIO

import pytest
from PIL import Image, ImageChops

import skerry
from skerry.render.card import BOARDS, COLUMN, HEIGHT, WIDTH, Card, draw_card, make_legible
from skerry.render.token import draw_token
from support.positions import middle_of

LEFT, RIGHT = (0, 0, BOARDS, HEIGHT), (COLUMN, 0, WIDTH, HEIGHT)


def see(card: Card) -> Image.Image:
    return Image.open(BytesIO(draw_card(card))).convert("RGB")


def differ(one: Image.Image, other: Image.Image, part: tuple[int, int, int, int]) -> bool:
    return ImageChops.difference(one, other).crop(part).getbbox() is not None


@pytest.mark.parametrize("name", skerry.GAMES)
def test_the_board_stands_at_the_left(name: str) -> None:
    state = middle_of(name)
    card, start = (see(Card((each.svg(),), "Title")) for each in (state, state.game.initial(7)))
    assert card.size == (1200, 630)
    assert differ(card, start, LEFT)
    assert not differ(card, start, RIGHT)


def test_names_and_words_stand_at_the_right() -> None:
    game = skerry.make("skirt", side=3)
    board, token = game.initial().svg(), draw_token(game.piece("w"), game.seats, "light", "")
    bare = see(Card((board,), "Skirt"))
    for card in (
        Card((board,), "Skaane"),
        Card((board,), "Skirt", ((token, "White: Ann"),)),
        Card((board,), "Skirt", words="White to move"),
    ):
        assert differ(see(card), bare, RIGHT)
        assert not differ(see(card), bare, LEFT)


def test_long_texts_end_before_the_edge() -> None:
    game = skerry.make("skirt", side=3)
    board, token = game.initial().svg(), draw_token(game.piece("w"), game.seats, "light", "")
    bare = see(Card((board,), ""))
    full = see(Card((board,), "W" * 90, ((token, "W" * 90),) * 3, "WWWW " * 90))
    edge = WIDTH - 44
    assert not differ(full, bare, (edge, 0, WIDTH, HEIGHT))
    assert not differ(full, bare, (COLUMN, HEIGHT - 40, WIDTH, HEIGHT))


def test_several_boards_share_the_room() -> None:
    boards = tuple(middle_of(name).svg() for name in skerry.GAMES)
    four, three = see(Card(boards, "All")), see(Card(boards[:3], "All"))
    assert differ(four, three, (BOARDS // 2, HEIGHT // 2, BOARDS, HEIGHT))
    assert not differ(four, three, (0, 0, BOARDS // 2, HEIGHT // 2))


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("Ann", "Ann"),
        ("José Müller", "Jose Muller"),
        ("Ann \N{EN DASH} Bob", "Ann - Bob"),
        ("雪", ""),
        ("", ""),
    ],
)
def test_what_can_be_written(given: str, written: str) -> None:
    assert make_legible(given) == written
