"""Files of nets: checkpoints to go on from, and the nets of certain minutes to play with."""

from io import BytesIO
from pathlib import Path
from typing import Any

import torch

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.records.folders import replace
from skerry.train.net import Net, Shape

FORMAT = "skerry-net-1"


def write(path: Path, game: Game, net: Net, content: dict[str, Any]) -> None:
    """Write a file as a whole or not at all: whoever is killed leaves the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {"format": FORMAT, "game": game.name, "shape": net.shape.write()}
    written = BytesIO()
    torch.save(head | content, written)
    replace(path, written.getvalue(), alone=True)


def read(path: Path, game: Game, device: str = "cpu") -> dict[str, Any]:
    """What is in a file; OptionsError in one line if it is not a net of this game."""
    try:
        kept = torch.load(path, map_location=device, weights_only=True)
        is_net = isinstance(kept, dict) and kept.get("format") == FORMAT
    except FileNotFoundError:
        raise OptionsError(f"there is no file {path}") from None
    except Exception:  # whatever reading half a file, or no such file at all, can raise
        is_net = False
    if not is_net:
        raise OptionsError(f"{path} is damaged, or not a net of skerry's")
    if kept["game"] != game.name:
        raise OptionsError(f"{path} has a net for {kept['game']}, not for {game.name}")
    return dict(kept)


def load_net(path: Path, game: Game) -> Net:
    """The net that plays, from a file of either kind."""
    kept = read(path, game)
    net = Net(Shape(**kept["shape"]))
    net.load_state_dict({name: value.float() for name, value in kept["average"].items()})
    return net.eval()
