"""Names of main lines: each belongs to a position, by whichever way and on whichever side it comes.

``names.json`` has them by game: what is played from the start of the usual board, and the name.
Where games are dealt it is played on the first deal that leaves a move, and holds for all deals.
"""

import json
from functools import cache
from importlib.resources import files

from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.state import State
from skerry.games import kind
from skerry.lab.openings.atlas import find_key


@cache
def _usual(game: str) -> Game:
    """A game on its usual board, which takes a while to set up."""
    return kind(game)()


@cache
def list_names(game: str) -> dict[int, str]:
    """The names of a game by the keys of their positions."""
    written = json.loads(files(__package__).joinpath("names.json").read_bytes())
    return find_keys(_usual(game), written.get(game, {}))


def find_keys(game: Game, written: dict[str, str]) -> dict[int, str]:
    """Names by the keys of the positions that moves lead to."""
    found = {}
    for moves, name in written.items():
        line = Playthrough(game.playable_start()).follow(moves.split())
        found[int(find_key(line.state))] = name
    return found


def name_of(state: State) -> str | None:
    """What a position is called, on the usual board."""
    if state.game != _usual(state.game.name):
        return None
    names = list_names(state.game.name)
    return names.get(int(find_key(state))) if names else None


def name_line(line: Playthrough) -> str | None:
    """What the last position of a line that has a name is called."""
    return next((name for point in reversed(line.points) if (name := name_of(point.state))), None)
