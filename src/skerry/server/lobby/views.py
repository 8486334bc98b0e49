"""What visitors get to see of challenges."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from skerry.games import GAMES, kind
from skerry.server.lobby.challenge import Challenge
from skerry.server.play.table import BOT
from skerry.server.web.kinds import describe_board

MOST_LISTED = 100


def describe_challenge(
    challenge: Challenge, shown: Collection[str] = (), entrant: str | None = None
) -> dict[str, Any]:
    """A challenge for whoever has shown these hashes, or is that entrant."""
    terms, own = challenge.terms, challenge.find(shown, entrant)
    return {
        "id": challenge.id,
        "game": terms.game,
        "title": kind(terms.game).title,
        "options": terms.options,
        "setup": describe_board(terms.game, terms.options),
        "clock": terms.clock,
        "rated": terms.rated,
        "seats": terms.seats,
        "seat": terms.seat,
        "swap": terms.swap,
        "even": terms.even,
        "audience": terms.audience,
        "bots": terms.bots,
        "low": terms.low,
        "high": terms.high,
        "quick": terms.quick,
        "to": terms.called,
        "joined": [
            {
                "name": one.name,
                "bot": one.kind == BOT,
                "entrant": one.entrant,
                "rating": one.rating,
                "fill": one.fill,
                "yours": number == own,
            }
            for number, one in enumerate(challenge.joined)
        ],
        "yours": own is not None,
        "for_you": entrant is not None and terms.addressee == entrant,
        "state": challenge.state,
        "url": challenge.table and f"/g/{challenge.table}",
        "created": challenge.created,
    }


def describe_lobby(
    waiting: Iterable[Challenge], *, brief: bool = False, game: str | None = None
) -> dict[str, Any]:
    """What everybody is told: the challenges that are open, and how many wait for which pairing."""
    found = [one for one in waiting if one.terms.game in GAMES]
    people = len(
        {
            one.entrant or one.secret
            for each in found
            if each.terms.addressee is None
            for one in each.joined
        }
    )
    if brief:
        return {"people": people}
    listed = [one for one in found if one.terms.is_listed and game in (None, one.terms.game)]
    quick = Counter(
        (one.terms.game, _write_clock(one), one.terms.rated)
        for one in found
        if one.terms.quick
        for _ in one.joined
    )
    return {
        "people": people,
        "open": [describe_challenge(one) for one in listed[-MOST_LISTED:][::-1]],
        "quick": [
            {"game": game, "clock": clock, "rated": rated, "waiting": count}
            for (game, clock, rated), count in sorted(quick.items())
        ],
    }


def _write_clock(challenge: Challenge) -> str:
    clock = challenge.terms.clock or {}
    return ",".join(f"{name}={value}" for name, value in sorted(clock.items()))


def list_mine(
    found: Iterable[Challenge], shown: Collection[str], entrant: str | None
) -> list[dict[str, Any]]:
    """The challenges that somebody has joined, or was sent, the newest first."""
    mine = [
        described
        for one in found
        if one.terms.game in GAMES
        for described in [describe_challenge(one, shown, entrant)]
        if described["yours"] or described["for_you"]
    ]
    return mine[-MOST_LISTED:][::-1]
