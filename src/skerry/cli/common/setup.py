"""What several commands share: their parameters, and how a game and a state come from them."""

import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from skerry.cli.common.terminal import escape_controls
from skerry.core.errors import OptionsError, SkerryError, shorten
from skerry.core.options import read_options

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.core.state import State

INTERRUPTED = 130  # the exit code, as shells have it


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
    return typer.Option("--ray", metavar="HOST:PORT", help=text)


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
    typer.Option(
        "--net",
        metavar="FILE",
        help="The net that guides the search, or none; by default the one that comes with skerry, "
        "in games where it is stronger.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def make_game(name: str, given: Sequence[str] | None) -> "Game":
    """The game of that name with these options; names may be written with capitals."""
    from skerry.games import kind

    return kind(name.lower())(**read_options(given or ()))


def make_start(game: "Game", position: str | None, seed: int | None) -> "State":
    """Where a command starts: a position, or the start of the game."""
    if position is None:
        return game.initial(seed or 0)
    if seed is not None:
        raise OptionsError("give --seed or --position, not both: a position needs no deal")
    return game.position(position)


def play_moves(state: "State", moves: Sequence[str]) -> "list[State]":
    """The state, then the one after each move; an error names the move."""
    states = [state]
    for number, move in enumerate(moves, 1):
        try:
            states.append(states[-1].play(move))
        except SkerryError as error:
            raise type(error)(f"move {number} {shorten(move)}: {error}") from None
    return states


@contextmanager
def compile_notice(what: str) -> Iterator[None]:
    """Say on stderr what takes so long while kernels are compiled; nothing on later runs."""
    from skerry.core.kernels import on_compile

    said = False

    def say() -> None:
        nonlocal said
        if not said:
            said = True
            typer.echo(f"compiling the rules of {what}; later runs start at once ...", err=True)

    with on_compile(say):
        yield


@contextmanager
def interrupts_kill() -> Iterator[None]:
    """A running kernel never looks for Ctrl-C, so let the system act on it."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def interrupts_stop() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks for an end, of which whoever works is told; a second one is obeyed."""
    asked = False

    def ask(*_: object) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


def finish_interrupted(stopped: Callable[[], bool]) -> None:
    """End as an interrupted command does, once what it had was shown."""
    if stopped():
        raise typer.Exit(INTERRUPTED)


@contextmanager
def progress_line(wanted: bool) -> Iterator[Callable[[str], None]]:
    """One line on a terminal, each written over the one before; nothing is left of it."""
    shown = wanted and os.isatty(2)

    def show(text: str) -> None:
        if shown:
            typer.echo(f"\r\x1b[K{text}", err=True, nl=False)

    try:
        yield show
    finally:
        show("")


def on_this_board(game: "Game") -> str:
    """What is compiled for a game: boards of another size may need other kernels."""
    return f"{game.title} for this board size"


def print_json(content: Any) -> None:
    """JSON for programs, on stdout."""
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    # Only texts hold control characters that JSON lets stand, so they can be escaped in the whole.
    typer.echo(
        escape_controls(json.dumps(content, indent=2, ensure_ascii=not is_unicode), keep="\n")
    )
