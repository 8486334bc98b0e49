"""SVG elements as text: escaped, with few decimals."""

from collections.abc import Iterable
from math import degrees
from xml.sax.saxutils import escape, quoteattr

UNIT = 40  # user units per unit of the board

Place = tuple[float, float]  # x to the right, y upwards as on boards
Attributes = str | float | None


def number(value: float) -> str:
    """A length in user units, at most one decimal."""
    text = f"{value * UNIT:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(tag: str, *children: str, **attributes: Attributes) -> str:
    """One element. Numbers are lengths on the board; ``_`` in names stands for ``-``."""
    written = "".join(
        f" {name.rstrip('_').replace('_', '-')}"
        f"={quoteattr(value if isinstance(value, str) else number(value))}"
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}>{''.join(children)}</{tag}>" if children else f"<{tag}{written}/>"


def words(tag: str, content: str) -> str:
    """An element with text in it."""
    return element(tag, escape(content))


def group(name: str, shapes: list[str], **attributes: Attributes) -> str:
    """Shapes of one sort, one to a line: pictures are kept in repositories and compared there."""
    if not shapes:
        return ""
    return element("g", "\n", "\n".join(shapes), "\n", class_=name, **attributes) + "\n"


def circle(centre: Place, radius: float, **attributes: Attributes) -> str:
    x, y = centre
    return element("circle", cx=x or None, cy=-y or None, r=radius, **attributes)


def draw_to(strokes: Iterable[Iterable[Place]], close: bool = False) -> str:
    """Path data of straight strokes; y grows upwards on the board and downwards in SVG."""
    return "".join(
        "M" + "L".join(f"{number(x)} {number(-y)}" for x, y in stroke) + ("Z" if close else "")
        for stroke in strokes
    )


def path(strokes: Iterable[Iterable[Place]], close: bool = False, **attributes: Attributes) -> str:
    """Straight strokes through places."""
    return element("path", d=draw_to(strokes, close), **attributes)


def use(what: str, place: Place, turn: float = 0.0, **attributes: Attributes) -> str:
    """What a definition draws around its origin, at a place and turned against the clock."""
    moved = f"translate({number(place[0])} {number(-place[1])})"
    if turn:
        moved += f" rotate({-round(degrees(turn))})"
    return element("use", **attributes, href=f"#{what}", transform=moved)
