"""Coordinates and numbers drawn as strokes, so that pictures look the same without any font.

Glyphs stand on a base line at 0; capitals would be 9 high, small letters are 6. y grows downwards
as in SVG.
"""

from collections.abc import Iterator

HEIGHT = 9
GAP = 2.2

_BOWL_LEFT = "M5-3A2.5 3 0 1 1 0-3A2.5 3 0 1 1 5-3"
_BOWL_RIGHT = "M0-3A2.5 3 0 1 1 5-3A2.5 3 0 1 1 0-3"

# How wide, and the strokes.
GLYPHS: dict[str, tuple[float, str]] = {
    "0": (5.2, "M2.6-9A2.6 4.5 0 1 1 2.6 0A2.6 4.5 0 1 1 2.6-9"),
    "1": (3, "M.3-7.2L3-9V0"),
    "2": (5.2, "M.2-6.8Q.5-9 2.6-9Q5-9 5-6.7Q5-5.2 3.5-3.6L.1 0H5.2"),
    "3": (5.2, "M.3-7.8Q.9-9 2.5-9Q4.8-9 4.8-6.9Q4.8-4.9 2.4-4.9Q5.2-4.9 5.2-2.4Q5.2 0 2.5 0Q.7 0 0-1.4"),
    "4": (5.4, "M4 0V-9L0-2.7H5.4"),
    "5": (5.2, "M4.7-9H.9L.5-5Q1.3-5.7 2.5-5.7Q5.2-5.7 5.2-2.9Q5.2 0 2.4 0Q.8 0 0-1.2"),
    "6": (5.2, "M4.5-8Q3.9-9 2.8-9Q.1-9 .1-4Q.1 0 2.7 0Q5.2 0 5.2-2.8Q5.2-5.5 2.7-5.5Q.7-5.5 .2-3.4"),
    "7": (5, "M0-9H5L1.8 0"),
    "8": (5.2, "M2.6-9A2.2 2.1 0 1 1 2.6-4.8A2.2 2.1 0 1 1 2.6-9M2.6-4.8A2.6 2.4 0 1 1 2.6 0A2.6 2.4 0 1 1 2.6-4.8"),
    "9": (5.2, "M.7-1Q1.3 0 2.4 0Q5.1 0 5.1-5Q5.1-9 2.5-9Q0-9 0-6.2Q0-3.5 2.5-3.5Q4.5-3.5 5-5.6"),
    "-": (3.6, "M0-3.2H3.6"),
    "%": (7, "M6.3-9L.7 0M1.6-9A1.6 1.9 0 1 1 1.6-5.2A1.6 1.9 0 1 1 1.6-9M5.4-3.8A1.6 1.9 0 1 1 5.4 0A1.6 1.9 0 1 1 5.4-3.8"),
    "a": (5, f"M5-6V0{_BOWL_LEFT}"),
    "b": (5, f"M0-9V0{_BOWL_RIGHT}"),
    "c": (4.6, "M4.5-4.9A2.5 3 0 1 0 4.5-1.1"),
    "d": (5, f"M5-9V0{_BOWL_LEFT}"),
    "e": (5, "M0-3H5A2.5 3 0 1 0 4.4-1"),
    "f": (3.6, "M3.6-9Q1.4-9.2 1.4-7V0M0-6H3.4"),
    "g": (5, f"M5-6V.4Q5 3 2.5 3Q1 3 .3 2.1{_BOWL_LEFT}"),
    "h": (4.8, "M0-9V0M0-3.5Q0-6 2.4-6Q4.8-6 4.8-3.5V0"),
    "i": (1, "M.5-6V0M.5-8.6V-8.5"),
    "j": (2, "M1.7-6V1Q1.7 3 0 3M1.7-8.6V-8.5"),
    "k": (4.6, "M0-9V0M4.3-6L0-2.4M1.7-3.8L4.6 0"),
    "l": (1, "M.5-9V0"),
    "m": (8, "M0-6V0M0-3.5Q0-6 2-6Q4-6 4-3.5V0M4-3.5Q4-6 6-6Q8-6 8-3.5V0"),
    "n": (4.8, "M0-6V0M0-3.5Q0-6 2.4-6Q4.8-6 4.8-3.5V0"),
    "o": (5, "M2.5-6A2.5 3 0 1 1 2.5 0A2.5 3 0 1 1 2.5-6"),
    "p": (5, f"M0-6V3{_BOWL_RIGHT}"),
    "q": (5, f"M5-6V3{_BOWL_LEFT}"),
    "r": (3, "M0-6V0M0-3.4Q0-6 3-6"),
    "s": (4.6, "M4.3-5Q3.9-6 2.3-6Q.3-6 .3-4.5Q.3-3.3 2.4-3Q4.6-2.7 4.6-1.4Q4.6 0 2.4 0Q.5 0 0-1.2"),
    "t": (3.6, "M1.4-8.4V-2Q1.4 0 3.5 0M0-6H3.5"),
    "u": (4.8, "M0-6V-2.5Q0 0 2.4 0Q4.8 0 4.8-2.5M4.8-6V0"),
    "v": (4.8, "M0-6L2.4 0L4.8-6"),
    "w": (7.2, "M0-6L1.8 0L3.6-6L5.4 0L7.2-6"),
    "x": (4.6, "M0-6L4.6 0M4.6-6L0 0"),
    "y": (4.8, "M0-6L2.4 0M4.8-6L2 1.2Q1.4 3 0 3"),
    "z": (4.6, "M.2-6H4.4L0 0H4.6"),
}  # fmt: skip


def width(text: str) -> float:
    """How wide a text is, in units of the glyphs."""
    return sum(GLYPHS[letter][0] for letter in text) + GAP * (len(text) - 1)


def place(text: str) -> Iterator[tuple[str, float]]:
    """Every glyph of a text and where it starts, from the middle of the text."""
    left = -width(text) / 2
    for letter in text:
        yield letter, left
        left += GLYPHS[letter][0] + GAP
