"""Boards on this terminal: its characters and its colours."""

import os
import sys
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from skerry.core.scene import Scene
    from skerry.render.text import Paint

# Seats named after a colour that shows on every background wear it.
NAMED_COLOURS = {"Red": "red", "Yellow": "yellow", "Green": "green"}
SEAT_COLOURS = ("yellow", "cyan", "magenta")
STYLES: dict[str, dict[str, Any]] = {
    "label": {"dim": True},
    "empty": {"dim": True},
    "nobody": {"bold": True},
    "mark": {"fg": "red", "bold": True},
    "target": {"fg": "green"},
}


def draw_board(scene: "Scene", ascii: bool) -> str:
    """The board with what this terminal can show."""
    from skerry.render.text import FANCY, draw

    signs = FANCY.seats + FANCY.nobody + FANCY.empty + "".join(FANCY.leans.values())
    plain = ascii or not _can_write(signs + "".join(FANCY.lines.values()))
    return draw(scene, ascii=plain, paint=_painter(scene.seats) if _has_colour() else None)


def _can_write(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _has_colour() -> bool:
    """Colours for people only, and not for those who decline them (no-color.org)."""
    declined = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not declined


def _painter(seats: tuple[str, ...]) -> "Paint":
    styles = dict(STYLES)
    for seat, name in enumerate(seats):
        colour = NAMED_COLOURS.get(name, SEAT_COLOURS[seat % len(SEAT_COLOURS)])
        styles[f"seat-{seat}"] = {"fg": colour, "bold": True}
    return lambda text, role: typer.style(text, **styles.get(role, {}))
