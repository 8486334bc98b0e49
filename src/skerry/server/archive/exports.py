"""Games of the archive as records, written in the processes of the pool."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from skerry.records import write_text
from skerry.server.play.table import Ply, Seat, Table, read_outcome, record
from skerry.server.workers.warm import Key, open_game


class ExportedGame(NamedTuple):
    """What a record says of a game, as the database has it."""

    key: Key
    position: str
    seed: int | None
    seats: list[tuple[str, str | None, int | None]]  # who sat there, who had left it and when
    actions: list[int]
    ending: dict[str, Any] | None
    void: bool


def write_games(games: Sequence[ExportedGame]) -> str:
    """A file of records."""
    return write_text(record(_set_up(game)) for game in games) + "\n"


def _set_up(game: ExportedGame) -> Table:
    return Table(
        id="",
        start=open_game(game.key).position(game.position),
        seats=tuple(Seat("", name, left=left, left_at=at) for name, left, at in game.seats),
        created=0,
        since=0,
        updated=0,
        seed=game.seed,
        plies=tuple(Ply(action, 0) for action in game.actions),
        ending=None if game.ending is None else read_outcome(game.ending),
        void=game.void,
    )
