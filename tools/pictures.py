"""Draw the boards of the docs: ``python tools/pictures.py`` after changing a position or the look.

A page asks for a picture with a comment, and this script keeps what follows it up to date:

    <!-- board: GAME OPTION=VALUE ... | POSITION | CAPTION -->

Besides the options of the game there are three for the picture. ``overlay=focus:a3`` explains the
position. ``last=a3-c4`` plays that turn in the position and marks what it changed.
``themes=light+dark+print`` shows these side by side; otherwise the reader's browser chooses.
"""

import re
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

import skerry
from skerry.core.scene import Overlay
from skerry.render.marks import last_turn

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = [DOCS / "play" / "gallery.md", *sorted((DOCS / "rules").glob("*.md"))]
WIDTHS = {"skew": 340, "skirt": 340, "x": 460, "skaane": 320}  # on the page, in pixels
DIRECTIVE = re.compile(
    r"<!-- board: (\w+)([^|]*)\|([^|]*)\|(.*?) -->\n(?:<(?:picture|img).*?\n\n\*.*?\*\n)?"
)


@dataclass(frozen=True)
class Picture:
    """A board asked for by a page."""

    name: str
    state: skerry.State
    overlay: Overlay
    caption: str
    themes: tuple[str, ...]  # none: light and dark, as the reader likes it

    def markup(self) -> str:
        """What a reader's browser shows."""
        if self.themes:
            width = f"{96 // len(self.themes)}%"
            return " ".join(self._image(theme, width, f" ({theme})") for theme in self.themes)
        width = str(WIDTHS.get(self.state.game.name, 340))
        return (
            f'<picture><source media="(prefers-color-scheme: dark)" '
            f'srcset="images/{self.name}-dark.svg">{self._image("light", width)}</picture>'
        )

    def _image(self, theme: str, width: str, note: str = "") -> str:
        alt = escape(self.caption + note)
        return f'<img src="images/{self.name}-{theme}.svg" width="{width}" alt="{alt}">'

    def files(self, folder: Path) -> dict[Path, str]:
        files = {}
        for theme in self.themes or ("light", "dark"):
            path = folder / "images" / f"{self.name}-{theme}.svg"
            files[path] = self.state.svg(theme, self.overlay) + "\n"
        return files


def read_pictures(page: Path) -> list[Picture]:
    """The boards of a page, in order."""
    stem = page.stem.lower() if page.stem != "README" else "boards"
    found = DIRECTIVE.finditer(page.read_text(encoding="utf-8"))
    return [
        read_picture(f"{stem}-{number}", *(part.strip() for part in directive.groups()))
        for number, directive in enumerate(found, 1)
    ]


def read_picture(name: str, game: str, options: str, position: str, caption: str) -> Picture:
    """What the parts of a directive ask for."""
    chosen = dict(option.split("=") for option in options.split())
    names, turn, themes = (chosen.pop(key, "") for key in ("overlay", "last", "themes"))
    settled = {key: int(value) for key, value in chosen.items()}
    state, overlay = skerry.make(game, **settled).position(position), Overlay()
    if turn:
        overlay, state = last_turn(state, turn), state.play(turn)
    if names:
        overlay += state.overlay(names)
    return Picture(name, state, overlay, caption, tuple(filter(None, themes.split("+"))))


def render(page: Path) -> dict[Path, str]:
    """The page and its pictures as they should be: path -> content."""
    pictures = read_pictures(page)
    queue = iter(pictures)

    def place(found: re.Match[str]) -> str:
        picture = next(queue)
        comment = found.group(0).split("\n", 1)[0]
        return f"{comment}\n{picture.markup()}\n\n*{picture.caption}*\n"

    text = DIRECTIVE.sub(place, page.read_text(encoding="utf-8"))
    files = {page: text}
    for picture in pictures:
        files |= picture.files(page.parent)
    return files


def main() -> None:
    for page in PAGES:
        for path, content in render(page).items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="utf-8")
        print(f"{page.relative_to(DOCS)}: {len(read_pictures(page))} pictures", file=sys.stderr)


if __name__ == "__main__":
    main()
