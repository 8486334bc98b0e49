"""What visitors get to see of tables."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from skerry.core.game import Game
from skerry.server.play.actions import list_possible
from skerry.server.play.boards import describe
from skerry.server.play.engines import Engines
from skerry.server.play.flags import Deadlines
from skerry.server.play.hub import Absence, Hub, list_absent
from skerry.server.play.opponents import Opponents
from skerry.server.play.table import OPEN, PERSON, Held, Table, held_by
from skerry.server.web.secrets import Secrets

WAITING = "Waiting for a bot to join"
SHARED = 512  # documents that several viewers get are put together once


@dataclass
class Views:
    """Games for those who look at them."""

    deadlines: Deadlines
    hub: Hub
    engines: Engines
    opponents: Opponents
    now: Callable[[], int]

    async def find(self, id: str) -> Table:
        """A game as it is now."""
        return await self.deadlines.find(id)

    async def look(self, id: str) -> Table:
        """A game that somebody looks at, which lets engines among themselves go on."""
        table = await self.find(id)
        self.hub.look(id)
        if table.has_engines and not table.is_over:
            self.engines.warm_up(table.game)
        self.opponents.consider(table)
        return table

    def show(self, table: Table, secrets: Secrets = (), theme: str = "light") -> dict[str, Any]:
        """The document of a game for whoever has these secrets."""
        return document(
            table,
            held=held_by(table, secrets),
            online=self.hub.online(table.id),
            absence=self.hub.absence(table),
            theme=theme,
            now=self.now(),
            warm=table.is_over or self.engines.is_warm(table.game),
        )


def document(
    table: Table,
    held: Held,
    online: Held,
    absence: Absence | None,
    theme: str,
    now: int,
    warm: bool,
) -> dict[str, Any]:
    """Everything about a game that a visitor with these seats may know."""
    content = dict(_document(table, theme))
    content["seats"] = [
        {
            **shown,
            "claimed": seat.is_taken,
            "online": number in online or seat.kind not in (PERSON, OPEN),
        }
        for number, (seat, shown) in enumerate(
            zip(table.seats, list_sitting(table.game, table.seats), strict=True)
        )
    ]
    content["clock"] = _clock(table, now)
    content["yours"] = sorted(held)
    if not held and not table.is_over:  # what players say to each other is theirs meanwhile
        content["chat"] = []
    content["can"] = list_possible(table, held, now, list_absent(absence, now))
    content["absent"] = absence and {
        "seat": absence.seat,
        "wait": max(0, absence.until - now),
    }
    content["thinking"] = table.thinker is not None
    content["engine"] = ("ready" if warm else "warming") if table.has_engines else None
    return content


@lru_cache(maxsize=SHARED)
def _document(table: Table, theme: str) -> dict[str, Any]:
    """The part of a document that is the same for everybody."""
    return {
        "id": table.id,
        "version": table.version,
        "revision": table.revision,
        "ply": len(table.plies),
        **describe(table.line, theme, table.ending),
        **({"words": WAITING} if table.is_waiting and not table.is_over else {}),
        **({"words": _offer_swap(table)} if table.can_swap else {}),
        "swap": table.swap,
        "offers": {
            "draw": table.draw,
            "takeback": table.takeback and table.takeback.seat,
            "declined": [asdict(one) for one in table.declined],
        },
        "result": table.result,
        "stand_in": table.stand_in,
        "rematch": table.rematch and f"/g/{table.rematch}",
        "chat": [
            {"n": line.n, "name": line.name, "text": line.text, "at": line.at}
            for line in table.chat
        ],
    }


def _offer_swap(table: Table) -> str:
    seat = table.to_move or 0
    return f"{table.name_of(seat)} to move, or to take over {table.name_of(1 - seat)}'s seat"


def list_sitting(game: Game | type[Game], seats: Iterable[Any]) -> list[dict[str, Any]]:
    """Who sits where, of seats in their order."""
    return [
        {
            "seat": number,
            "title": game.seats[number],
            "kind": seat.kind,
            "name": seat.name,
            "left": seat.left,
        }
        for number, seat in enumerate(seats)
    ]


def _clock(table: Table, now: int) -> dict[str, Any] | None:
    if table.clock is None:
        return None
    left = [table.time_left(seat, now) for seat in range(len(table.seats))]
    return {
        "settings": table.clock.settings(),
        "remaining": [None if time is None else max(0, time) for time in left],
        "running": table.running,
        "grace": _grace(table, now),
        "now": now,
    }


def _grace(table: Table, now: int) -> int:
    """For how much longer the time of the seat to move does not count."""
    if table.running is None:
        return 0
    return max(0, table.since + table.grace(table.running) - now)
