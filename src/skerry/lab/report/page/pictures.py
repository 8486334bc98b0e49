"""Boards on a page: within it, or fetched from an address when somebody comes to see them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from markupsafe import Markup

from skerry.lab.report.page.paints import BOTH, Paints

Draw = Callable[[str, str], str]  # a picture in a theme, with a prefix for its ids
SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')


class Pictures(Protocol):
    """How boards come upon a page."""

    def show(self, name: str, draw: Draw, words: str) -> Markup:
        """A board as markup; ``words`` say what it shows, if it shows more than an ornament."""


@dataclass(frozen=True)
class Inline:
    """Boards within the page, which needs nothing else then."""

    paints: Paints

    def show(self, name: str, draw: Draw, words: str) -> Markup:
        drawn = (draw(theme, f"{name}-") for theme in BOTH)
        board = Markup(self.paints.blend(*drawn))  # noqa: S704 - drawn by us, all texts escaped
        if not words:
            return Markup('<div aria-hidden="true">{}</div>').format(board)
        return Markup('<div role="img" aria-label="{}">{}</div>').format(words, board)


@dataclass(frozen=True)
class Linked:
    """Boards that are fetched; of the two themes the page shows one, and loads no other."""

    folder: str

    def show(self, name: str, draw: Draw, words: str) -> Markup:
        found = SIZE.search(draw("light", ""))
        width, height = (round(float(side)) for side in found.groups()) if found else (0, 0)
        return self._link(name, Markup('width="{}" height="{}" ').format(width, height), words)

    def show_thumb(self, name: str) -> Markup:
        """An ornament for which the style sheet keeps room, so that nothing has to be drawn."""
        return self._link(name, Markup(""), "")

    def _link(self, name: str, size: Markup, words: str) -> Markup:
        one = Markup(
            '<span class="only-{}"><img src="{}/{}.svg?theme={}" {}loading="lazy" alt="{}"></span>'
        )
        return Markup("").join(
            one.format(theme, self.folder, name, theme, size, words) for theme in BOTH
        )
