"""Parameters that several commands have."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from skerry.cli.common.setup import make_game
from skerry.core.errors import shorten

if TYPE_CHECKING:
    from skerry.core.game import Game


def whole_number(name: str, low: int = 0, high: int | None = None) -> Callable[[object], int]:
    """A reader of numbers in a range, for parameters; typer's own says what its parser thinks."""

    def read(value: object) -> int:
        text = str(value).strip()
        number = int(text) if re.fullmatch(r"[+-]?[0-9]{1,19}", text) else None
        if number is None or number < low or (high is not None and number > high):
            limits = f"of at least {low}" if high is None else f"from {low} to {high}"
            raise typer.TyperException(
                f"{name} must be a whole number {limits}, not {shorten(text)}"
            )
        return number

    return read


def number_option(
    name: str, text: str, low: int = 0, high: int | None = None, metavar: str = "N"
) -> Any:
    """An option that takes a whole number in a range."""
    return typer.Option(name, metavar=metavar, parser=whole_number(name, low, high), help=text)


def text_option(name: str, metavar: str, text: str) -> Any:
    """An option that takes a text, or the name of a file or folder."""
    return typer.Option(name, metavar=metavar, help=text)


def _complete_game(typed: str) -> list[str]:
    from skerry.games import GAMES

    return [name for name in GAMES if name.startswith(typed.lower())]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game; skerry games lists them.", autocompletion=_complete_game
    ),
]
GameChoice = Annotated[
    str | None,
    typer.Argument(
        metavar="[GAME]", help="A game; skerry games lists them.", autocompletion=_complete_game
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="A game option, such as side=4; may be repeated.",
    ),
]


class ChosenGame(NamedTuple):
    """A game, and its options."""

    game: GameName
    option: Options = None

    def make(self) -> "Game":
        return make_game(self.game, self.option)


Position = Annotated[
    str | None,
    typer.Option("--position", "-p", metavar="TEXT", help="Start from this position."),
]


def seed_option(text: str) -> Any:
    """``--seed``, which decides more in some commands than in others."""
    return number_option("--seed", text)


def ray_option(text: str) -> Any:
    """``--ray``: some commands have all of their work done on a cluster, others a part of it."""
    return text_option("--ray", "HOST:PORT", text)


Seed = Annotated[int | None, seed_option("Seed of the deal, in games that start with one.")]
Moves = Annotated[
    str,
    typer.Option(
        "--moves", "-m", metavar="MOVES", help="Moves to play from there, separated by spaces."
    ),
]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII characters only.")]
NetFile = Annotated[
    str | None,
    text_option(
        "--net",
        "FILE",
        "The net that guides the search, or none; by default the one that comes with skerry, "
        "in games where it is stronger.",
    ),
]
Data = Annotated[
    str,
    text_option("--data", "FOLDER", "Where data of one's own are, before those that came."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
