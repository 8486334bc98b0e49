"""The nets that come with skerry, or with a game of another distribution in its folder ``nets``."""

from functools import cache
from importlib.resources import files

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.levels import BEST
from skerry.games import home_of
from skerry.nets.file import Net, decode, fit


@cache
def _read(game: str, name: str) -> Net | None:
    home = home_of(game)
    folder = files(home) / "nets" if home else files(__package__).joinpath("weights", game)
    place = folder / f"{name}.net"
    if not place.is_file():
        return None
    return decode(place.read_bytes(), f"the net {name!r} of {game}")


def shipped_net(game: Game, name: str = BEST) -> Net:
    """A net that comes with skerry; OptionsError if there is none for a game."""
    net = _read(game.name, name)
    if net is None:
        raise OptionsError(
            f"there is no net for {game.name} yet: `skerry train {game.name}` makes one"
        )
    return fit(net, game, f"the net {name!r}")


def has_net(game: Game, name: str = BEST) -> bool:
    """Whether a net for a game comes with skerry."""
    return _read(game.name, name) is not None
