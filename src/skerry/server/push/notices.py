"""What there is to tell about a table, and to whom: that it is their turn, or how it ended."""

import json
from dataclasses import dataclass

from skerry.server.db.durations import HOUR, MINUTE, SECOND
from skerry.server.languages.choice import gettext, ngettext, pgettext, speaking
from skerry.server.languages.figures import call, listed
from skerry.server.languages.sentences import translate
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
    """A message for whoever has a seat of a table. ``mark`` tells it from all others about it.

    ``lifetime`` is for how many seconds it is worth reading. What it says depends on the reader:
    whoever has moved, and may have brought this about, is another one.
    """

    table: Table
    seat: int
    mark: str
    lifetime: int = UNHURRIED
    left: int | None = None  # seconds on the clock

    @property
    def game(self) -> str:
        return self.table.id

    @property
    def is_urgent(self) -> bool:
        return self.lifetime < LIVE

    def write(self, language: str) -> bytes:
        """What a browser gets; of several about one game it shows the last."""
        with speaking(language):
            title, body = self.say()
        content = {"title": title, "body": body, "path": f"/g/{self.game}"}
        return json.dumps(content, ensure_ascii=False).encode()

    def say(self) -> tuple[str, str]:
        """A title and a line below it."""
        table = self.table
        return (
            _say_end(table, self.seat) if table.is_over else _say_turn(table, self.seat, self.left)
        )


def list_notices(table: Table, now: int) -> list[Notice]:
    """What may be told about a table as it is now, to seats that are known by links."""
    if table.is_over:
        # A rematch has the same secrets, under which only the latest news is known to be told.
        seats = () if table.rematch else sorted(table.links)
        return [Notice(table, seat, f"{table.id} over") for seat in seats]
    seat = table.to_move
    movers = table.movers
    if seat is None or seat not in table.links or table.is_waiting or movers[-1:] == (seat,):
        return []  # nobody is told of a turn in which they have begun to move
    last = table.plies[-1].at if table.plies else table.created
    mark, time = f"{table.id} {len(table.plies)} {last}", table.time_left(seat, now)
    if time is None:
        return [Notice(table, seat, mark)]
    left = max(BRIEFEST, time // SECOND)
    return [Notice(table, seat, mark, left, left)]


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


def _say_turn(table: Table, seat: int, left: int | None) -> tuple[str, str]:
    title = pgettext("a notice", "Your turn in {game}").format(game=table.game.title)
    if left is None:
        return title, pgettext("a notice", "Against {names}").format(
            names=_name_others(table, seat)
        )
    body = pgettext("a notice", "Against {names}, {time}")
    return title, body.format(names=_name_others(table, seat), time=write_left(left))


def _say_end(table: Table, seat: int) -> tuple[str, str]:
    outcome = table.outcome
    title = pgettext("a notice", "Your game of {game} is over")
    if outcome is not None and outcome.winner == seat:
        title = pgettext("a notice", "You won your game of {game}")
    elif outcome is not None and outcome.winner is not None:
        title = pgettext("a notice", "You lost your game of {game}")
    reason = "" if outcome is None else translate(outcome.reason)
    body = pgettext("a notice", "Against {names}: {reason}")
    body = body.format(names=_name_others(table, seat), reason=reason)
    return title.format(game=table.game.title), body


def _name_others(table: Table, seat: int) -> str:
    """Whom somebody plays against, by their names as far as they have some."""
    return listed(
        translate(table.name_of(number)) if other.name == NOBODY else call(other.name)
        for number, other in enumerate(table.seats)
        if number != seat
    )


def write_left(seconds: int) -> str:
    """A time on the clock in its largest unit, as people say it."""
    if seconds >= A_DAY:
        count = seconds // A_DAY
        words = ngettext("{n} day left", "{n} days left", count)
    elif seconds >= AN_HOUR:
        count = seconds // AN_HOUR
        words = ngettext("{n} hour left", "{n} hours left", count)
    elif seconds >= A_MINUTE:
        count = seconds // A_MINUTE
        words = ngettext("{n} minute left", "{n} minutes left", count)
    else:
        return gettext("less than a minute left")
    return words.format(n=count)
