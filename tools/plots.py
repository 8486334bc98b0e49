"""Plots of pages that scripts draw, light and dark."""

from collections.abc import Iterable, Sequence

from skerry.render.markup import element

COLOURS = {
    "light": {"ink": "#1d2430", "soft": "#55606e", "rule": "#d9dce1"},
    "dark": {"ink": "#e8ecf2", "soft": "#a7b0bd", "rule": "#3a414b"},
}

Place = tuple[float, float]


def frame(shapes: Iterable[str], width: float, height: float) -> str:
    """Shapes as a picture."""
    return element(
        "svg", "\n", "\n".join(shapes), "\n",
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:g} {height:g}",
        font_family="system-ui, sans-serif", font_size="12",
    )  # fmt: skip


def say(text: str, across: float, down: float, colour: str, anchor: str = "middle") -> str:
    """A line of text."""
    return element(
        "text", text, x=f"{across:.1f}", y=f"{down:.1f}", fill=colour, text_anchor=anchor
    )


def stroke(places: Sequence[Place], colour: str, width: str = "1", dashes: str = "") -> str:
    """A line through all places."""
    line = "L".join(f"{across:.1f} {down:.1f}" for across, down in places)
    return element(
        "path", d=f"M{line}", stroke=colour, stroke_width=width, fill="none",
        stroke_dasharray=dashes or None,
    )  # fmt: skip
