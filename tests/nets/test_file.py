"""Files of nets: what is written is read again, and nothing else is taken for a net."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import skerry
from skerry.nets.file import decode, encode, read_net, write_net
from skerry.nets.shipped import shipped_net
from support.nets import random_net

MOST_BYTES = 2_000_000  # of all nets of a game


def test_a_net_is_read_as_it_was_written(tmp_path: Path) -> None:
    game = skerry.make("x", size=3)
    net = random_net(game)
    write_net(tmp_path / "deep" / "x.net", net)
    again = read_net(tmp_path / "deep" / "x.net", game)
    assert (again.game, again.shape, again.card) == (net.game, net.shape, net.card)
    for name, weights in net.weights.items():
        assert np.array_equal(again.weights[name], weights.astype(np.float16))
    read_net(tmp_path / "deep" / "x.net", skerry.make("x"))  # of whatever size


def test_damaged_files_are_refused_in_one_line(tmp_path: Path) -> None:
    game, path = skerry.make("x", size=3), tmp_path / "x.net"
    content = encode(random_net(game))
    rng = np.random.default_rng(0)
    for at in [0, 13, 44, 45, 300, len(content) - 1, *rng.integers(len(content), size=20)]:
        broken = bytearray(content)
        broken[at] ^= 1
        path.write_bytes(broken)
        with pytest.raises(skerry.OptionsError, match=r"x\.net is (damaged|not a net of skerry's)"):
            read_net(path, game)
    for size in (0, 10, 40, 500, len(content) - 1):
        path.write_bytes(content[:size])
        with pytest.raises(skerry.OptionsError, match=r"x\.net is (damaged|not a net)"):
            read_net(path, game)
    with pytest.raises(skerry.OptionsError, match="cannot be read: No such file"):
        read_net(tmp_path / "none.net", game)
    with pytest.raises(skerry.OptionsError, match="cannot be read: Is a directory"):
        read_net(tmp_path, game)


def test_foreign_nets_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.net"
    write_net(path, random_net(skerry.make("x")))
    with pytest.raises(skerry.OptionsError, match=r"x\.net has a net for x, not for skew"):
        read_net(path, skerry.make("skew"))


@pytest.mark.parametrize("name", skerry.GAMES)
def test_every_game_comes_with_a_net(name: str) -> None:
    game = skerry.make(name)
    net = shipped_net(game)
    assert net.card["headway"]["minutes"] > 1
    folder = files("skerry.nets").joinpath("weights", name)
    nets = [place.read_bytes() for place in folder.iterdir()]
    assert sum(map(len, nets)) <= MOST_BYTES
    for content in nets:
        assert decode(content, name).game == name
    for options in game.sizes:
        assert shipped_net(skerry.make(name, **options)) is net
