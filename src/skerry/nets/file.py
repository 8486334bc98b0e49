"""Files of nets to play with: what a net is for, how it was made, and its weights in 16 bits.

A file begins with its format and a hash of all that follows: a line of JSON, then the weights.
"""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.nets.shape import Shape
from skerry.nets.sight import shape_for
from skerry.records.folders import replace

FORMAT = b"skerry-net-2\n"
# What a run of training calls its nets: the last, and those of certain minutes.
LATEST, OF_MINUTE = "latest.net", "minute-{}.net"
DIGEST = hashlib.sha256().digest_size
STORED = np.dtype("<f2")


@dataclass(frozen=True, eq=False)
class Net:
    """A net that plays; ``card`` tells how it was made."""

    game: str
    shape: Shape
    weights: dict[str, NDArray[np.float32]] = field(repr=False)
    card: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """What tells its weights from those of others."""
        return hashlib.sha256(_write_weights(self)).hexdigest()[:12]


def encode(net: Net) -> bytes:
    """The content of a net's file."""
    head = {"game": net.game, "shape": net.shape.write(), "card": net.card}
    content = json.dumps(head).encode() + b"\n" + _write_weights(net)
    return FORMAT + hashlib.sha256(content).digest() + content


def _write_weights(net: Net) -> bytes:
    return b"".join(
        net.weights[name].astype(STORED).tobytes() for name, _ in net.shape.list_weights()
    )


def decode(content: bytes, name: str) -> Net:
    """The net of a file's content; OptionsError in one line, by ``name``, if it is none."""
    start = len(FORMAT) + DIGEST
    rest = content[start:]
    if not content.startswith(FORMAT):
        raise OptionsError(f"{name} is not a net of skerry's")
    if hashlib.sha256(rest).digest() != content[len(FORMAT) : start]:
        raise OptionsError(f"{name} is damaged")
    line, _, body = rest.partition(b"\n")
    head = json.loads(line)
    shape = Shape(**head["shape"])
    values = np.frombuffer(body, STORED).astype(np.float32)
    weights, at = {}, 0
    for key, sizes in shape.list_weights():
        count = int(np.prod(sizes))
        weights[key] = values[at : at + count].reshape(sizes)
        at += count
    return Net(head["game"], shape, weights, head["card"])


def write_net(path: Path, net: Net) -> None:
    """Write a file as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, encode(net), alone=True)


def read_net(path: Path, game: Game) -> Net:
    """The net of a file, for a game; OptionsError in one line if it is not one."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise OptionsError(f"{path} cannot be read: {error.strerror}") from None
    return fit(decode(content, str(path)), game, str(path))


def fit(net: Net, game: Game, name: str) -> Net:
    """The same net, if it is one for a game."""
    if net.game != game.name:
        raise OptionsError(f"{name} has a net for {net.game}, not for {game.name}")
    shape = shape_for(game, net.shape.channels, net.shape.blocks)
    if net.shape not in (shape, shape.without_strangers):
        raise OptionsError(f"{name} has a net for other rules of {game.name}")
    return net
