"""The atlases there are: those that come with skerry, and those in a folder of one's own."""

from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from skerry.core.game import Game
from skerry.games import home_of
from skerry.lab.openings.atlas import Atlas, read_atlas

KEPT = 16  # atlases that a process remembers
ENDING = "atlas"


class Era(StrEnum):
    """Whose games an atlas is of: the best net's, or an early one's of the same run."""

    BEST = "best"
    EARLY = "early"


def name_file(game: str, era: Era = Era.BEST) -> str:
    """What the file of an atlas is called."""
    return f"{game}.{ENDING}" if era is Era.BEST else f"{game}-{era}.{ENDING}"


def find_file(game: str, era: Era = Era.BEST, folder: str = "") -> Path | None:
    """The file of an atlas: in one's own folder, or else as it came."""
    home = home_of(game)
    came = files(home) / "openings" if home else files(__package__) / "data"
    places = [Path(folder)] if folder else []
    for place in (*places, Path(str(came))):
        path = place / name_file(game, era)
        if path.is_file():
            return path
    return None


def find_atlas(game: Game, era: Era = Era.BEST, folder: str = "") -> Atlas | None:
    """An atlas for a game with its options, if there is one."""
    path = find_file(game.name, era, folder)
    found = None if path is None else _read(path, path.stat().st_mtime_ns)
    return found if found is not None and found.game == game else None


def list_commands(game: Game) -> tuple[str, ...]:
    """How an atlas of a game comes about."""
    usual = type(game)().options
    options = "".join(
        f" -o {name}={value}" for name, value in game.options.items() if value != usual[name]
    )
    return (
        f"skerry selfplay {game.name}{options} --games 100000 --out {game.name}.npz",
        f"skerry openings build {game.name} {game.name}.npz{options} "
        f"--out atlases/{name_file(game.name)}",
    )


def advise(game: Game) -> str:
    """What to do where there is no atlas."""
    play, build = list_commands(game)
    return (
        f"there are no games of {game.title} on this board yet: `{play}` plays some, `{build}` "
        "makes an atlas of them, and --data atlases finds it"
    )


@lru_cache(maxsize=KEPT)
def _read(path: Path, _: int) -> Atlas:
    return read_atlas(path)
