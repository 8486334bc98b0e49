"""The site of the documentation: what is made for it, and that nothing on it leads nowhere."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import skerry
from support.scripts import load_script

ROOT = Path(__file__).resolve().parent.parent
gamepages = load_script("gamepages")


@pytest.mark.parametrize("name", skerry.GAMES)
def test_every_game_has_a_page(name: str) -> None:
    page, game = gamepages.write_page(name), skerry.make(name)
    assert page.startswith(f"# {game.title}\n")
    assert all(clause in page for clause in game.list_clauses().values())
    assert all(f"| `{option.name}` |" in page for option in game.option_specs)
    parts = dict(zip(*[iter(re.split(r"^## (.*)$", page, flags=re.M)[1:])] * 2, strict=True))
    assert f"{game.num_actions} actions" in parts["For learners"]
    assert parts["Levels"].count(" Elo") > 9
    assert "games" in parts["The net"]
    for table in ("Solved boards", "Reports"):
        rows = [line for line in parts[table].splitlines() if line.startswith(f"| {game.title}")]
        assert len(rows) > 1, table


def test_the_reference_has_all_public_names() -> None:
    page = (ROOT / "docs" / "library" / "api.md").read_text("utf-8")
    listed = re.findall(r"^::: skerry\.[\w.]+\.(\w+)$", page, re.MULTILINE)
    assert set(skerry.__all__) - {"GAMES"} <= set(listed)


class Page(HTMLParser):
    """Where a page leads, and where links may lead on it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src", "srcset") and value:
                self.links.append(value.split()[0])


@pytest.mark.soak
def test_the_site_is_built_without_warnings_and_dead_links(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (built.returncode, built.stdout + built.stderr) == (0, "")
    pages = {path: Page(path) for path in tmp_path.rglob("*.html")}
    assert len(pages) > 35
    dead = []
    for path, page in pages.items():
        for link in page.links:
            target, _, anchor = link.partition("#")
            goal = (path.parent / unquote(target)).resolve() if target else path
            if re.match(r"https?://|data:", link):
                continue
            known = goal not in pages or unquote(anchor) in pages[goal].anchors
            if not goal.exists() or (anchor and not known):
                dead.append((path.name, link))
    assert dead == []
    scripts = [link for page in pages.values() for link in page.links if link.endswith(".js")]
    assert not any(link.startswith("http") for link in scripts), "the site needs a network"
