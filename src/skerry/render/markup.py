"""SVG elements as text: escaped, with few decimals."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

UNIT = 40  # user units per unit of the board

Place = tuple[float, float]


def number(value: float) -> str:
    """A length in user units, at most one decimal."""
    text = f"{value * UNIT:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(tag: str, *children: str, **attributes: str | float | None) -> str:
    """One element. Numbers are lengths on the board; ``_`` in names stands for ``-``."""
    written = "".join(
        f" {name.rstrip('_').replace('_', '-')}"
        f"={quoteattr(value if isinstance(value, str) else number(value))}"
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}>{''.join(children)}</{tag}>" if children else f"<{tag}{written}/>"


def text(content: str, **attributes: str | float | None) -> str:
    """An element with text in it."""
    return element("text", escape(content), **attributes)


def circle(centre: Place, radius: float, **attributes: str | float | None) -> str:
    x, y = centre
    return element("circle", cx=x, cy=-y, r=radius, **attributes)


def path(
    strokes: Iterable[Iterable[Place]], close: bool = False, **attributes: str | float | None
) -> str:
    """Straight strokes through places; y grows upwards on the board and downwards in SVG."""
    drawn = "".join(
        "M" + "L".join(f"{number(x)} {number(-y)}" for x, y in stroke) + ("Z" if close else "")
        for stroke in strokes
    )
    return element("path", d=drawn, **attributes)
