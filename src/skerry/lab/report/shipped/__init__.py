"""The reports that come with the package, each by its name: ``skirt-6`` is Skirt on side 6."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from skerry.core.errors import OptionsError, shorten
from skerry.games import GAMES, kind
from skerry.lab.report.page.texts import say_board
from skerry.lab.report.result.findings import Report, read_report

FOLDER = Path(__file__).parent
STRONG = FOLDER / "strong"  # what `skerry corpus --json` says of games of the best nets


@cache
def list_shipped() -> dict[str, tuple[str, ...]]:
    """The names of all reports by game, smaller boards first."""
    found = {path.stem for path in FOLDER.glob("*.json")}
    return {
        game: tuple(sorted((name for name in found if _split(name)[0] == game), key=_split))
        for game in GAMES
    }


def name_boards(game: str) -> dict[str, str]:
    """The boards of a game that there are reports of, by the names of these: ``Side 6``."""
    sizes = {next(iter(options.values())): options for options in kind(game).sizes if options}
    boards = {name: say_board(sizes[_split(name)[1]]) for name in list_shipped().get(game, ())}
    return {name: board[:1].upper() + board[1:] for name, board in boards.items()}


def _split(name: str) -> tuple[str, int]:
    game, _, size = name.rpartition("-")
    return game, int(size)


def find_path(name: str) -> Path:
    """The JSON file of a report; OptionsError if there is none of that name."""
    if not any(name in names for names in list_shipped().values()):
        raise OptionsError(f"there is no report {shorten(name)}")
    return FOLDER / f"{name}.json"


def load_shipped(name: str) -> Report:
    """A report."""
    return read_report(find_path(name))


@cache
def tell_strong(name: str) -> str:
    """What the best nets say of the seats of a board, in a sentence; nothing if none has played."""
    path = STRONG / f"{name}.json"
    if not path.is_file():
        return ""
    told = json.loads(path.read_text("utf-8"))
    seats = kind(_split(name)[0]).seats
    points = ", ".join(
        f"{seat} {100 * won['value']:.1f} %"
        for seat, won in zip(seats, told["points"], strict=True)
    )
    margin = max(100 * (won["high"] - won["low"]) / 2 for won in told["points"])
    drawn = f", {100 * told['draws']['value']:.1f} % drawn" if told["draws"]["value"] else ""
    games = f"{told['games']:,} games, {_count_looks(told)} simulations a move"
    return (
        f"Between nets that have learnt the game: {points} of the points, ± {margin:.1f}{drawn} "
        f"({games})."
    )


def _count_looks(told: dict[str, Any]) -> int:
    return max(int(player["simulations"]) for player in told["card"]["players"])
