"""Games of the archive as records, written in the processes of the pool."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from skerry.records import write_text
from skerry.server.play.clocks import Clock
from skerry.server.play.table import Ply, Seat, Table, read_outcome, record
from skerry.server.workers.warm import Key, open_game


class ExportedGame(NamedTuple):
    """What a record says of a game, as the database has it."""

    key: Key
    position: str
    seed: int | None
    seats: list[dict[str, Any]]  # as fields of a Seat
    plies: list[tuple[int, int]]  # actions, and what they took
    clock: dict[str, Any] | None
    ending: dict[str, Any] | None
    void: bool


def write_games(games: Sequence[ExportedGame]) -> str:
    """A file of records."""
    return write_text(record(_set_up(game)) for game in games) + "\n"


def _set_up(game: ExportedGame) -> Table:
    return Table(
        id="",
        start=open_game(game.key).position(game.position),
        seats=tuple(Seat(**seat) for seat in game.seats),
        created=0,
        since=0,
        updated=0,
        seed=game.seed,
        clock=None if game.clock is None else Clock.read(game.clock),
        plies=tuple(Ply(action, 0, spent) for action, spent in game.plies),
        ending=None if game.ending is None else read_outcome(game.ending),
        void=game.void,
    )
