"""What there is to tell about a table, and to whom: that it is their turn, or how it ended."""

import json
from dataclasses import dataclass

from skerry.server.db.durations import HOUR, MINUTE, SECOND
from skerry.server.languages.catalogues import ENGLISH
from skerry.server.languages.choice import speaking
from skerry.server.languages.figures import listed
from skerry.server.play.clocks import A_DAY
from skerry.server.play.creation import NOBODY
from skerry.server.play.table import Table
from skerry.server.web.secrets import conceal

AN_HOUR, A_MINUTE = HOUR // SECOND, MINUTE // SECOND  # in seconds, as push services count
UNHURRIED = 7 * A_DAY  # seconds for which a push service keeps what no clock limits
BRIEFEST = A_MINUTE
LIVE = AN_HOUR  # with less time left than that, a device is to be woken up


@dataclass(frozen=True)
class Notice:
    """A message for whoever has a seat. ``mark`` tells it from all others about the seat.

    ``lifetime`` is for how many seconds it is worth reading.
    """

    game: str
    seat: int
    title: str
    body: str
    mark: str
    lifetime: int = UNHURRIED

    @property
    def is_urgent(self) -> bool:
        return self.lifetime < LIVE

    def write(self) -> bytes:
        """What the browser gets; of several about one game it shows the last."""
        path = f"/g/{self.game}"
        return json.dumps({"title": self.title, "body": self.body, "path": path}).encode()


def list_notices(table: Table, now: int) -> list[Notice]:
    """What may be told about a table as it is now, to seats that are known by links.

    It is said in English: whoever has moved, and may have brought this about, is another reader.
    """
    with speaking(ENGLISH):
        return _list_notices(table, now)


def _list_notices(table: Table, now: int) -> list[Notice]:
    if table.is_over:
        # A rematch has the same secrets, under which only the latest news is known to be told.
        return [] if table.rematch else [_tell_end(table, seat) for seat in sorted(table.links)]
    seat = table.to_move
    movers = table.movers
    if seat is None or seat not in table.links or table.is_waiting or movers[-1:] == (seat,):
        return []  # nobody is told of a turn in which they have begun to move
    return [_tell_turn(table, seat, now)]


def find_game(mark: str) -> str:
    """The game that a mark is about, which it begins with."""
    return mark.partition(" ")[0]


def list_knowing(table: Table, notice: Notice) -> list[str]:
    """The hashes of the secrets of those who have brought about what another seat is told."""
    movers = [seat for seat in table.movers[-1:] if seat != notice.seat]
    keys = (find_key(table, seat) for seat in movers)
    return [key for key in keys if key is not None]


def find_key(table: Table, number: int) -> str | None:
    """By what browsers are told about a seat: the hash of its secret, or what stands for that if
    an account alone opens it."""
    seat = table.seats[number]
    if seat.secret is not None or seat.owner is None:
        return seat.secret
    return conceal(f"{table.id} {number} {seat.owner}")


def _tell_turn(table: Table, seat: int, now: int) -> Notice:
    last = table.plies[-1].at if table.plies else table.created
    left = table.time_left(seat, now)
    words, lifetime = _name_others(table, seat), UNHURRIED
    if left is not None:
        lifetime = max(BRIEFEST, left // SECOND)
        words += f", {write_left(lifetime)} left"
    title = f"Your turn in {table.game.title}"
    return Notice(table.id, seat, title, words, f"{table.id} {len(table.plies)} {last}", lifetime)


def _tell_end(table: Table, seat: int) -> Notice:
    outcome = table.outcome
    words = f"{_name_others(table, seat)}: {outcome.reason if outcome else ''}"
    title = f"Your game of {table.game.title} is over"
    if outcome is not None and outcome.winner is not None:
        result = "won" if outcome.winner == seat else "lost"
        title = f"You {result} your game of {table.game.title}"
    return Notice(table.id, seat, title, words, f"{table.id} over")


def _name_others(table: Table, seat: int) -> str:
    """Whom somebody plays against, by their names as far as they have some."""
    others = [
        table.name_of(number) if other.name == NOBODY else other.name
        for number, other in enumerate(table.seats)
        if number != seat
    ]
    return f"Against {listed(others)}"


def write_left(seconds: int) -> str:
    """A time in its largest unit, as people say it."""
    for size, name in ((A_DAY, "day"), (AN_HOUR, "hour"), (A_MINUTE, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "less than a minute"
