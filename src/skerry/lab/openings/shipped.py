"""The atlases there are: those that come with skerry, and those in a folder of one's own."""

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from skerry.core.game import Game
from skerry.games import home_of
from skerry.lab.openings.atlas import Atlas, read_atlas

KEPT = 16  # atlases that a process remembers
ENDING = "atlas"
OWN = "atlases"  # a folder of one's own, in examples


class Era(StrEnum):
    """Whose games an atlas is of: the best net's, or an early one's of the same run."""

    BEST = "best"
    EARLY = "early"


def name_file(game: str, era: Era = Era.BEST) -> str:
    """What the file of an atlas is called."""
    return f"{game}.{ENDING}" if era is Era.BEST else f"{game}-{era}.{ENDING}"


def find_file(game: Game, era: Era = Era.BEST, folder: str = "") -> Path | None:
    """The file of an atlas for a game with its options: one's own, or else as it came."""
    return next((path for path, _ in _list_files(game, era, folder)), None)


def find_atlas(game: Game, era: Era = Era.BEST, folder: str = "") -> Atlas | None:
    """An atlas for a game with its options, if there is one."""
    return next((atlas for _, atlas in _list_files(game, era, folder)), None)


def _list_files(game: Game, era: Era, folder: str) -> Iterator[tuple[Path, Atlas]]:
    home = home_of(game.name)
    came = files(home) / "openings" if home else files(__package__) / "data"
    for place in (*([Path(folder)] if folder else []), Path(str(came))):
        path = place / name_file(game.name, era)
        if path.is_file():
            atlas = _read(path, path.stat().st_mtime_ns)
            if atlas.game == game:
                yield path, atlas


def list_commands(game: Game) -> tuple[str, ...]:
    """How an atlas of a game comes about."""
    usual = type(game)().options
    options = "".join(
        f" -o {name}={value}" for name, value in game.options.items() if value != usual[name]
    )
    return (
        f"skerry selfplay {game.name}{options} --games 100000 --out {game.name}.npz",
        f"skerry openings build {game.name} {game.name}.npz{options} "
        f"--out {OWN}/{name_file(game.name)}",
    )


def advise(game: Game) -> str:
    """What to do where there is no atlas."""
    play, build = list_commands(game)
    return (
        f"there are no games of {game.title} on this board yet: `{play}` plays some, `{build}` "
        f"makes an atlas of them, and --data {OWN} finds it"
    )


@lru_cache(maxsize=KEPT)
def _read(path: Path, _: int) -> Atlas:
    return read_atlas(path)
