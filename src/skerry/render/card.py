"""A board with a few words beside it, as programs show a link that somebody was sent.

Most pictures draw their letters as strokes and need no font. Names and sentences do; they are set
in the one that Pillow carries, so that cards look the same on servers that have none.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from math import ceil, sqrt
from typing import TYPE_CHECKING

from skerry.render.raster import png
from skerry.render.themes import LIGHT

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 1200, 630  # what those who show cards ask for
MARGIN = 44
BOARDS = 640  # the width that boards have, at the left
COLUMN = BOARDS + 2 * MARGIN  # where words begin
TITLE, NAME, WORDS, SIGN = 64, 36, 36, 28  # sizes of letters
LEADING = 1.28
TOKEN = 52
MOST_LINES = {TITLE: 2, WORDS: 4}
SOFT, INK, ACCENT = LIGHT.label, LIGHT.value, LIGHT.mark
UNKNOWN = "\U000f0000"  # a letter that no font has
VIEW = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')


@dataclass(frozen=True)
class Card:
    """What a card shows: boards, a title, who plays with which piece, and how it stands."""

    boards: tuple[str, ...]  # SVG
    title: str
    seats: tuple[tuple[str, str], ...] = ()  # a piece as SVG, and a name
    words: str = ""


def draw_card(card: Card) -> bytes:
    """The card as PNG."""
    from PIL import Image, ImageDraw

    ground = Image.new("RGB", (WIDTH, HEIGHT), LIGHT.page)
    for board, box in zip(card.boards, _share(len(card.boards)), strict=True):
        _place(ground, board, box)
    pen = ImageDraw.Draw(ground)
    bar = (WIDTH - 10, 0, WIDTH, HEIGHT)
    pen.rectangle(bar, fill=ACCENT)
    below = _write(pen, MARGIN + 20, card.title, TITLE, INK) + 16
    for token, name in card.seats:
        _place(ground, token, (COLUMN, below, TOKEN, TOKEN))
        font = _font(NAME)
        left = COLUMN + TOKEN + 14
        room = WIDTH - MARGIN - left
        pen.text((left, below + TOKEN / 2), _shorten(name, font, room), INK, font, anchor="lm")
        below += TOKEN + 12
    _write(pen, below + 16, card.words, WORDS, ACCENT)
    sign = (COLUMN, HEIGHT - MARGIN)
    pen.text(sign, "skerry", SOFT, _font(SIGN), anchor="ls")
    saved = BytesIO()
    ground.save(saved, "PNG", optimize=True)
    return saved.getvalue()


def make_legible(text: str) -> str:
    """The text in letters that cards have, without accents; nothing if it has others."""
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text.replace("\N{EN DASH}", "-"))
        if not unicodedata.combining(letter)
    )
    return plain if all(map(_is_known, plain)) else ""


@lru_cache(maxsize=1024)
def _is_known(letter: str) -> bool:
    font = _font(NAME)
    return letter.isspace() or bytes(font.getmask(letter)) != bytes(font.getmask(UNKNOWN))


@lru_cache
def _font(size: int) -> "FreeTypeFont":
    from PIL import ImageFont

    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("this Pillow was built without FreeType, which cards are written with")
    return font


def _share(count: int) -> Iterator[tuple[float, float, float, float]]:
    """Boxes for so many boards, side by side and below each other."""
    columns = ceil(sqrt(count))
    width, height = BOARDS / columns, (HEIGHT - MARGIN) / max(1, ceil(count / columns))
    for number in range(count):
        row, column = divmod(number, columns)
        yield MARGIN / 2 + column * width, MARGIN / 2 + row * height, width, height


def _place(ground: "Image", svg: str, box: tuple[float, float, float, float]) -> None:
    """Draw a picture in the middle of a box, as large as it can be."""
    from PIL import Image

    found = VIEW.search(svg)
    wide, high = map(float, found.groups()) if found else (1.0, 1.0)
    left, top, width, height = box
    size = min(width, height * wide / high)
    drawn = Image.open(BytesIO(png(svg, int(size)))).convert("RGBA")
    corner = round(left + (width - drawn.width) / 2), round(top + (height - drawn.height) / 2)
    ground.paste(drawn, corner, drawn)


def _write(pen: "ImageDraw", top: float, text: str, size: int, colour: str) -> float:
    """Write a text over several lines; where the next one begins."""
    font, room = _font(size), WIDTH - MARGIN - COLUMN
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    most = MOST_LINES[size]
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    for line in lines:
        pen.text((COLUMN, top), _shorten(line, font, room), colour, font)
        top += size * LEADING
    return top


def _shorten(text: str, font: "FreeTypeFont", room: float) -> str:
    """As much of a line as fits."""
    if font.getlength(text) <= room:
        return text
    while text and font.getlength(f"{text}…") > room:
        text = text[:-1]
    return f"{text.rstrip()}…"
