"""Checkpoints: all that it takes to go on with a run."""

from io import BytesIO
from pathlib import Path
from typing import Any

import torch

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.nets.shape import Shape
from skerry.records.folders import replace

FORMAT = "skerry-net-1"


def write(path: Path, shape: Shape, content: dict[str, Any]) -> None:
    """Write a file as a whole or not at all: whoever is killed leaves the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = BytesIO()
    torch.save({"format": FORMAT, "shape": shape.write()} | content, written)
    replace(path, written.getvalue(), alone=True)


def read(path: Path, game: Game, device: str = "cpu") -> dict[str, Any]:
    """What is in a file; OptionsError in one line if it is not a checkpoint of this game."""
    try:
        kept = torch.load(path, map_location=device, weights_only=True)
        is_whole = isinstance(kept, dict) and kept.get("format") == FORMAT
    except FileNotFoundError:
        raise OptionsError(f"there is no file {path}") from None
    except Exception:  # whatever reading half a file, or no such file at all, can raise
        is_whole = False
    if not is_whole:
        raise OptionsError(f"{path} is damaged, or not a checkpoint of skerry's")
    if kept["game"] != game.name:
        raise OptionsError(f"{path} has a net for {kept['game']}, not for {game.name}")
    return dict(kept)
