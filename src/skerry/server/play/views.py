"""What visitors get to see of tables and of what can be played, for programs and pages."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from skerry.core.game import Game
from skerry.games import GAMES, kind
from skerry.server.play.boards import describe
from skerry.server.play.table import OPEN, PERSON, Held, Table

WAITING = "Waiting for a bot to join"
SHARED = 512  # documents that several viewers get are put together once


def document(
    table: Table, held: Held, online: Held, theme: str, now: int, warm: bool
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
        **describe(table.course, theme, table.ending),
        **({"words": WAITING} if table.is_waiting and not table.is_over else {}),
        "offers": {"draw": table.draw, "takeback": table.takeback and table.takeback.seat},
        "rematch": table.rematch and f"/g/{table.rematch}",
        "chat": [
            {"n": line.n, "name": line.name, "text": line.text, "at": line.at}
            for line in table.chat
        ],
    }


def list_sitting(game: Game | type[Game], seats: Iterable[Any]) -> list[dict[str, Any]]:
    """Who sits where, of seats in their order."""
    return [
        {"seat": number, "title": game.seats[number], "kind": seat.kind, "name": seat.name}
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
        "now": now,
    }


def describe_kind(name: str) -> dict[str, Any]:
    """What there is to choose about a game."""
    game: type[Game] = kind(name)
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "low": option.low,
                "high": option.high,
                "help": option.meaning,
            }
            for option in game.option_specs
        ],
        "credit": game.credit,
        "summary": game.summary,
    }


def describe_kinds() -> list[dict[str, Any]]:
    return [describe_kind(name) for name in GAMES]
