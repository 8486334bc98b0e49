"""What several commands share: how a game and a state come about, and how work is interrupted."""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from skerry.core.errors import OptionsError, SkerryError, shorten
from skerry.core.options import read_options

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.core.state import State

INTERRUPTED = 130  # the exit code, as shells have it


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
def engine_notice() -> Iterator[None]:
    """Show on a terminal how much of an engine is compiled, as long as that goes on."""
    from skerry.cli.common.terminal import progress_line
    from skerry.search.warmup import count_missing, in_per_cent

    with progress_line(True) as show, in_per_cent(count_missing(), say_ready(show)):
        yield


def say_ready(show: Callable[[str], None]) -> Callable[[int], None]:
    """Say of an engine how much is compiled, in per cent."""
    return lambda done: show(f"the engine gets ready: {done} %")


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


def on_this_board(game: "Game") -> str:
    """What is compiled for a game: boards of another size may need other kernels."""
    return f"{game.title} for this board size"
