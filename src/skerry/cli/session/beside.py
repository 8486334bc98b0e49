"""An engine that is compiled in a process of its own while somebody thinks about a first move."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from skerry.cli.common.setup import say_ready
from skerry.cli.common.terminal import progress_line
from skerry.core.game import Game
from skerry.games import make
from skerry.lab.work.process import PipedProcess
from skerry.search.players import searches
from skerry.search.warmup import count_missing, has_nets, in_per_cent, warm_up

if TYPE_CHECKING:
    from skerry.search.players import Player


def compile_engine(pipe: Connection, name: str, options: dict[str, int]) -> None:
    """Compile what the engine of a game needs, and tell over a pipe how much of it is done."""
    with in_per_cent(count_missing(), pipe.send):
        warm_up(make(name, **options))


@contextmanager
def engine_beside(game: Game, players: "Sequence[Player | None]") -> Iterator[Callable[[], None]]:
    """Have engines compiled beside a game of people on a machine that has none of them yet.

    What comes of it waits until that is done, and shows on a terminal how much of it is.
    """
    engines = [engine for engine in players if engine is not None and searches(engine.name)]
    if not engines or None not in players or has_nets():
        yield lambda: None
        return
    process = PipedProcess(compile_engine, game.name, dict(game.options))

    def wait() -> None:
        with progress_line(True) as show, suppress(EOFError, OSError):
            while True:
                say_ready(show)(process.pipe.recv())

    try:
        yield wait
    finally:
        process.stop()
