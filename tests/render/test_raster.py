"""Pictures in pixels: they can be opened, have the size asked for, and show the board."""

from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

import skerry
from skerry.render.frames import draw_frames
from skerry.render.raster import FILMS, film, film_format, png, shoot
from skerry.render.themes import THEMES
from support.positions import middle_of, play_out


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", skerry.GAMES)
def test_png(name: str, theme: str) -> None:
    picture = Image.open(BytesIO(png(middle_of(name).svg(theme), 300))).convert("RGB")
    assert picture.width == 300
    colours = {colour for _, colour in picture.getcolors(100_000) or []}
    page = tuple(int(THEMES[theme].page[i : i + 2], 16) for i in (1, 3, 5))
    assert page in colours
    assert len(colours) > 20, "pieces and letters are there"


def test_letters_need_no_font() -> None:
    """The labels left out make a difference to the pixels."""
    svg = skerry.make("x", size=3).initial().svg()
    start, end = svg.index('<g class="labels"'), svg.index("</g>", svg.index('<g class="labels"'))
    assert png(svg) != png(svg[:start] + svg[end + 4 :])


@pytest.mark.parametrize("width", [0, 15, 8001, 2.5, "wide"])
def test_widths_that_make_no_sense(width: int) -> None:
    with pytest.raises(skerry.OptionsError, match="width"):
        png("<svg/>", width)


@pytest.mark.parametrize("ending", FILMS)
def test_film(ending: str) -> None:
    states = play_out("skirt", side=2)
    moves = [next(m for m in a.legal_moves() if a.play(m) == b) for a, b in pairwise(states)]
    frames = draw_frames(states[0], moves)
    shown = Image.open(BytesIO(film(frames, ending, 120, 0.5)))
    assert shown.n_frames == len(states)
    seen = set()
    for number in range(shown.n_frames):
        shown.seek(number)
        seen.add(shown.convert("RGB").tobytes())
    assert len(seen) == len(states), "every frame shows something new"
    assert shown.width == 120


def test_how_many_pictures_of_a_film_are_drawn() -> None:
    frames = draw_frames(skerry.make("x", size=2).initial(), ["a1", "b1"])
    assert list(shoot(frames, ".gif", 100)) == [1, 2, 3]


def test_formats() -> None:
    assert film_format("a/game.GIF") == ".gif"
    with pytest.raises(skerry.OptionsError, match=r"\.gif, \.webp, \.png"):
        film_format("game.mp4")
