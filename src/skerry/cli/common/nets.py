"""Nets that commands are given by name."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from skerry.cli.common.parameters import text_option

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.nets.file import Net

NetName = Annotated[
    str, text_option("--net", "FILE", "Who plays; 'best' is the net that comes with skerry.")
]


def find_net(game: "Game", name: str) -> "Net":
    """A net that comes with skerry, or that of a file."""
    from skerry.nets.file import read_net
    from skerry.nets.shipped import has_net, shipped_net

    return shipped_net(game, name) if has_net(game, name) else read_net(Path(name), game)
