"""The games that live on the start page, one of each kind, move by move.

They are kept as rows of letters and drawn without any rules, so a page that is asked for right
after the installation has its boards while the kernels are still being compiled.
"""

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from skerry.games import GAMES, make
from skerry.render.svg import draw

FILE = Path(__file__).parent / "showcase.json"


@cache
def _shown(name: str) -> dict[str, Any]:
    """The pictures of a game as rows, and what was pointed at; an empty board if there are none."""
    game, loaded = make(name), json.loads(FILE.read_text(encoding="utf-8"))
    empty = {"rows": [game.board.write_rows(["."] * len(game.board))], "paths": [[]]}
    found: dict[str, Any] = loaded.get(name, empty)
    return found


def count_frames(name: str) -> int:
    """How many pictures there are of a game; 0 for what is none."""
    return len(_shown(name)["rows"]) if name in GAMES else 0


def path_to(name: str, number: int) -> list[str]:
    """What was pointed at to come to a picture from the one before."""
    path: list[str] = _shown(name)["paths"][number]
    return path


@lru_cache(maxsize=256)
def draw_frame(name: str, number: int, theme: str, prefix: str = "") -> str:
    """One of the pictures."""
    game = make(name)
    letters = game.board.read_rows(_shown(name)["rows"][number], game.letters)
    scene = game.scene_of(letters)
    return draw(scene, theme=theme, title=f"A game of {game.title}", prefix=prefix)
