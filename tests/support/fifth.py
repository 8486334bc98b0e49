"""The fifth game: the package that CONTRIBUTING.md builds, file by file."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
STEPS: dict[str, str] = dict(
    re.findall(r"^\*\*`(\S+)`\*\*\n\n```\w+\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
)
PROJECT = "skerry-noughts"
PACKAGE = "skerry_noughts"
# As ``skerry puzzles mine`` would write it.
PUZZLES = """{"game": "noughts", "options": {"side": 3, "line": 3}, "seed": 0, "puzzles": [
  {"position": "xx1/o1o/3 o", "turns": 1, "difficulty": 1, "line": ["b2"], "origin": [1, 4]}
]}
"""


def write_package(folder: Path) -> Path:
    """Write all that the guide says below a folder, and a puzzle; where the project is."""
    for path, content in {**STEPS, f"{PROJECT}/{PACKAGE}/puzzles.json": PUZZLES}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
    return folder / PROJECT
