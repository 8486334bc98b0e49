"""Copies of the package in which games lack what they can do without."""

import shutil
from pathlib import Path

import skerry

GAMES = Path(skerry.__file__).parent / "games"


def copy_without(folder: Path, rooms: dict[str, str]) -> Path:
    """A copy of the package in which games lack a room."""
    copy = folder / "skerry"
    shutil.copytree(GAMES.parent, copy, ignore=shutil.ignore_patterns("__pycache__", "static"))
    for name, room in rooms.items():
        (copy / "games" / name / f"{room}.py").unlink()
    return copy
