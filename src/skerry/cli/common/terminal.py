"""What is shown on this terminal: boards in its characters and colours, progress, and JSON."""

import json
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


# Joiners, which some scripts and emoji need, act on nothing but the letters beside them.
HARMLESS = "\u200c\u200d"


def escape_controls(text: str, keep: str = "") -> str:
    """Text of unknown origin without what could act on a terminal or break a line."""
    return "".join(
        letter if letter in keep or not _is_control(letter) else _escape(letter) for letter in text
    )


def _is_control(letter: str) -> bool:
    kind = unicodedata.category(letter)
    return (kind[0] == "C" or kind in ("Zl", "Zp")) and letter not in HARMLESS


def _escape(letter: str) -> str:
    """As JSON writes it, where characters beyond 16 bits are two halves."""
    halves = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{halves[i : i + 4]}" for i in range(0, len(halves), 4))


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


@contextmanager
def progress_line(wanted: bool) -> Iterator[Callable[[str], None]]:
    """One line on a terminal, each written over the one before; nothing is left of it."""
    shown = wanted and os.isatty(2)

    def show(text: str) -> None:
        if shown:
            typer.echo(f"\r\x1b[K{text}", err=True, nl=False)

    try:
        yield show
    finally:
        show("")


def print_json(content: Any) -> None:
    """JSON for programs, on stdout."""
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    # Only texts hold control characters that JSON lets stand, so they can be escaped in the whole.
    typer.echo(
        escape_controls(json.dumps(content, indent=2, ensure_ascii=not is_unicode), keep="\n")
    )
