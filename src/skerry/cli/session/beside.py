"""Engines that are compiled in a process of their own while somebody plays against stand-ins."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import typer

from skerry.cli.common.setup import say_ready
from skerry.cli.common.terminal import progress_line
from skerry.core.game import Game
from skerry.core.state import Move, State
from skerry.games import make
from skerry.lab.work.process import PipedProcess
from skerry.search.players import searches
from skerry.search.warmup import count_missing, in_per_cent, is_ready, warm_up

if TYPE_CHECKING:
    from skerry.search.players import Player


def compile_engine(pipe: Connection, name: str, options: dict[str, int]) -> None:
    """Compile what the engine of a game needs, and tell over a pipe how much of it is done."""
    with in_per_cent(count_missing(), pipe.send):
        warm_up(make(name, **options))


class Workshop:
    """Where an engine is compiled beside a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.process = PipedProcess(compile_engine, game.name, dict(game.options))
        self.is_done = False
        self.has_told = False

    def look(self) -> bool:
        """Whether it is done."""
        while not self.is_done and self.process.pipe.poll(0):
            self._hear()
        return self.is_done

    def wait(self) -> None:
        """Wait until it is done, and show on a terminal how much is."""
        with progress_line(True) as show:
            while not self.is_done:
                done = self._hear()
                if done is not None:
                    say_ready(show)(done)

    def _hear(self) -> int | None:
        try:
            return int(self.process.pipe.recv())
        except (EOFError, OSError):
            self.is_done = True
            return None

    def tell(self, name: str) -> None:
        """Say once that somebody stands in."""
        if not self.has_told:
            self.has_told = True
            said = (
                f"compiling the engine of {name} beside the game; a plain one plays meanwhile ..."
            )
            typer.echo(said, err=True)


class EngineInMaking:
    """An engine for which a stand-in plays until it is compiled.

    Where none can, or where a seed makes the game one that can be played again, its first move
    waits for it.
    """

    def __init__(self, engine: "Player", workshop: Workshop) -> None:
        self.engine = engine
        self.workshop = workshop
        self.name, self.threads = engine.name, engine.threads

    def choose(self, state: State, seed: int | None = None) -> Move:
        from skerry.search.standin import stand_in

        if not self.workshop.look():
            understudy = stand_in(self.engine, state.game)
            if understudy is not None and seed is None:
                self.workshop.tell(self.name)
                return understudy.choose(state)
            self.workshop.wait()
        return self.engine.choose(state, seed)

    def follow(self, state: State, move: Move, after: State | None = None) -> None:
        if self.workshop.look():  # or seeing it might compile
            self.engine.follow(state, move, after)

    def appraise(self, state: State, seed: int | None = None) -> tuple[float, ...]:
        self.workshop.wait()
        return self.engine.appraise(state, seed)


@contextmanager
def engines_beside(
    game: Game, players: "Sequence[Player | None]"
) -> "Iterator[Sequence[Player | None]]":
    """These players; engines among them are compiled beside the game where they have to be."""
    searching = [player is not None and searches(player.name) for player in players]
    if not any(searching) or is_ready(game):
        yield players
        return
    workshop = Workshop(game)
    try:
        yield [
            EngineInMaking(player, workshop) if player is not None and searches else player
            for player, searches in zip(players, searching, strict=True)
        ]
    finally:
        workshop.process.stop()
