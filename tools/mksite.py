"""What MkDocs asks while it builds the site (``mkdocs.yml`` names this file as its hook).

The Markdown is that of the repository. Beside it the site has a page for every game, and the files
of the root that the pages lead to. Links to sources are plain words: the site is read without a
network, and does not have them.
"""

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parent))
from gamepages import draw_films, write_page

from skerry.games import GAMES

ROOT = Path(__file__).resolve().parent.parent
SHOWN = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")  # of the root
LINK = re.compile(r"\[([^\]]+)\]\((?!https?://|#)([^)#\s]+)(#[^)\s]*)?\)")
LIST_AFTER_TEXT = re.compile(r"(?m)^(?![ \t]*(?:[-*|>#]|\d+\. |$))(.+)\n(?=[-*] )")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages and films that are made."""
    made: dict[str, str | bytes] = {name: (ROOT / name).read_text("utf-8") for name in SHOWN}
    for name in GAMES:
        made[f"games/{name}.md"] = write_page(name)
        made |= {f"games/{file}": content for file, content in draw_films(name).items()}
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_post_build(config: Any) -> None:
    """The page for what is not there would need to know where the site will be."""
    (Path(config["site_dir"]) / "404.html").unlink()


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links that leave docs/ lead to what the site has of it, or are plain words."""
    place = page.file.src_uri

    def lead(found: re.Match[str]) -> str:
        words, target, anchor = found[1], found[2], found[3] or ""
        at_root = place in SHOWN
        path = (ROOT if at_root else ROOT / "docs" / Path(place).parent) / target
        path = path.resolve()
        if not path.is_relative_to(ROOT):
            return found[0]
        inside = path.relative_to(ROOT).as_posix()
        uri = inside.removeprefix("docs/") if inside.startswith("docs/") else inside
        if inside.startswith("docs/") or inside in SHOWN:
            up = "../" * place.count("/")
            return f"[{words}]({up}{uri}{anchor})" if files.get_file_from_path(uri) else words
        return words

    # Python-Markdown wants an empty line before a list that follows a text.
    return LIST_AFTER_TEXT.sub(r"\1\n\n", _outside_code(LINK, lead, markdown))


def _outside_code(pattern: re.Pattern[str], change: Any, markdown: str) -> str:
    parts = re.split(r"(?ms)(^```.*?^```$)", markdown)
    return "".join(
        part if number % 2 else pattern.sub(change, part) for number, part in enumerate(parts)
    )
