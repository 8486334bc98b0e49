"""Draw the boards of the docs: ``python docs/pictures.py`` after changing a position or the look.

A page asks for a picture with a comment, and this script keeps what follows it up to date:

    <!-- board: GAME OPTION=VALUE ... | POSITION | CAPTION -->
"""

import re
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

import skerry

DOCS = Path(__file__).resolve().parent
PAGES = sorted((DOCS / "rules").glob("*.md"))
THEMES = ("light", "dark")
WIDTHS = {"skew": 340, "skirt": 340, "x": 460, "skaane": 320}  # on the page, in pixels
DIRECTIVE = re.compile(
    r"<!-- board: (\w+)([^|]*)\|([^|]*)\|(.*?) -->\n(?:<picture>.*?\n\n\*.*?\*\n)?"
)


@dataclass(frozen=True)
class Picture:
    """A board asked for by a page."""

    name: str
    state: skerry.State
    caption: str

    def markup(self) -> str:
        """What a reader's browser shows, in light and dark."""
        width = WIDTHS.get(self.state.game.name, 340)
        return (
            f'<picture><source media="(prefers-color-scheme: dark)" '
            f'srcset="images/{self.name}-dark.svg">'
            f'<img src="images/{self.name}-light.svg" width="{width}" '
            f'alt="{escape(self.caption)}"></picture>'
        )

    def files(self, folder: Path) -> dict[Path, str]:
        return {
            folder / "images" / f"{self.name}-{theme}.svg": self.state.svg(theme=theme) + "\n"
            for theme in THEMES
        }


def read_pictures(page: Path) -> list[Picture]:
    """The boards of a page, in order."""
    pictures = []
    for number, found in enumerate(DIRECTIVE.finditer(page.read_text(encoding="utf-8")), 1):
        name, options, position, caption = (part.strip() for part in found.groups())
        chosen = dict(option.split("=") for option in options.split())
        game = skerry.make(name, **{key: int(value) for key, value in chosen.items()})
        stem = page.stem.lower() if page.stem != "README" else "boards"
        pictures.append(Picture(f"{stem}-{number}", game.position(position), caption))
    return pictures


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
