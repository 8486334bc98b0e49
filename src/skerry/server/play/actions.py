"""What can be done about a game besides moving, by name: asked, answered, given up.

As in ``deeds``, a table and the time make the next table, or a ``Refusal``.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from skerry.core.texts import N_
from skerry.server.play.deeds import (
    abort,
    actor,
    change,
    claim,
    claim_draw,
    end,
    keep_line,
    resign,
    swap,
    want_rematch,
)
from skerry.server.play.table import (
    DRAW,
    SWAPPED,
    TAKEBACK,
    Declined,
    Held,
    Table,
    Takeback,
    hold_clock,
)
from skerry.server.web.errors import Forbidden, Refusal


def offer_draw(table: Table, held: Held, now: int) -> Table:
    """Offer a draw; people at one screen have agreed by asking for it."""
    seat = actor(table, held)
    if len(table.seats) != 2:
        raise Refusal(f"draws cannot be agreed in {table.game.title}; play on or resign")
    if table.has_engines:
        raise Refusal("engines do not accept draws; play on or resign")
    if table.draw is not None and table.draw not in held:
        return accept_draw(table, held, now)
    if table.persons <= held:
        return end(table, now, None, N_("Draw by agreement"))
    if table.draw is not None:
        raise Refusal("you have already offered a draw; wait for the answer")
    _check_again(table, DRAW, seat)
    return change(table, now, draw=seat)


def accept_draw(table: Table, held: Held, now: int) -> Table:
    actor(table, held)
    _check_offered(table.draw, held, "draw")
    return end(table, now, None, N_("Draw by agreement"))


def decline_draw(table: Table, held: Held, now: int) -> Table:
    by = actor(table, held)
    _check_offered(table.draw, held, "draw")
    return change(table, now, draw=None, declined=_decline(table, DRAW, table.draw, by))


def _decline(table: Table, what: str, asker: int | None, by: int) -> tuple[Declined, ...]:
    return table.declined if asker is None else (*table.declined, Declined(what, asker, by))


def _check_again(table: Table, what: str, seat: int) -> None:
    """See that nobody asks again and again."""
    if any((one.what, one.seat) == (what, seat) for one in table.declined):
        raise Refusal(f"your {what} was declined; you may ask again after a move")


def _check_offered(offer: int | None, held: Held, what: str) -> None:
    if offer is None:
        raise Refusal(f"nobody has asked for a {what}")
    if held <= {offer}:
        raise Forbidden(f"you asked for the {what} yourself; the others have to answer")


def ask_takeback(table: Table, held: Held, now: int) -> Table:
    """Take back the last turn: at once if nobody else is concerned, otherwise with their consent.

    A turn that is not finished is nobody else's business, but its time is: it goes on.
    """
    actor(table, held)
    if table.rated:
        raise Refusal("moves in rated games cannot be taken back; play on or resign")
    turn = _last_own_turn(table, held)
    if turn is None:
        raise Refusal("you have no move to take back")
    if turn == 0 and table.swap == SWAPPED:
        raise Refusal("the seats have been swapped since the first turn; it stays")
    seat = table.movers[turn]
    others = table.persons - held
    if not others:
        return _take_back(table, turn, now)
    if table.to_move == seat == table.movers[-1]:
        back = change(table, now, plies=table.plies[:turn], draw=None, takeback=None)
        spent = sum(ply.spent for ply in table.plies[turn:])
        return keep_line(replace(back, since=table.since - spent - back.grace(seat)), back.line)
    if table.takeback is not None:
        raise Refusal("somebody has already asked for a takeback; wait for the answer")
    _check_again(table, TAKEBACK, seat)
    return change(table, now, takeback=Takeback(seat, others))


def accept_takeback(table: Table, held: Held, now: int) -> Table:
    asked = _takeback_for(table, held)
    waiting = asked.waiting - held
    turn = _last_own_turn(table, frozenset({asked.seat}))
    if waiting or turn is None:
        return change(table, now, takeback=replace(asked, waiting=waiting))
    return _take_back(table, turn, now)


def decline_takeback(table: Table, held: Held, now: int) -> Table:
    asked = _takeback_for(table, held)
    declined = _decline(table, TAKEBACK, asked.seat, min(held & asked.waiting))
    return change(table, now, takeback=None, declined=declined)


def _takeback_for(table: Table, held: Held) -> Takeback:
    """The takeback that these seats have to answer."""
    actor(table, held)
    asked = table.takeback
    _check_offered(None if asked is None else asked.seat, held, "takeback")
    if asked is None or not held & asked.waiting:
        raise Forbidden("this takeback is for others to answer")
    return asked


def _last_own_turn(table: Table, held: Held) -> int | None:
    """The number of the ply at which the last turn of these seats began."""
    movers = table.movers
    last = max((n for n, mover in enumerate(movers) if mover in held), default=None)
    while last is not None and last > 0 and movers[last - 1] == movers[last]:
        last -= 1
    return last


def _take_back(table: Table, count: int, now: int) -> Table:
    """Keep so many plies. Whoever spent time on the others does not get it back."""
    lost = [seat.lost for seat in table.seats]
    for mover, ply in zip(table.movers[count:], table.plies[count:], strict=True):
        lost[mover] += ply.spent
    if table.running is not None:
        lost[table.running] += table.elapsed(now)
    seats = tuple(replace(seat, lost=time) for seat, time in zip(table.seats, lost, strict=True))
    plies = table.plies[:count]
    back = change(
        table, now, plies=plies, seats=seats, since=now, draw=None, takeback=None, declined=()
    )
    return hold_clock(back, now)


ACTIONS: dict[str, Callable[[Table, Held, int], Table]] = {
    "resign": resign,
    "abort": abort,
    "swap": swap,
    "offer-draw": offer_draw,
    "accept-draw": accept_draw,
    "decline-draw": decline_draw,
    "ask-takeback": ask_takeback,
    "accept-takeback": accept_takeback,
    "decline-takeback": decline_takeback,
}
CLAIMS: dict[str, Callable[[Table, Held, int, Held], Table]] = {
    "claim": claim,
    "claim-draw": claim_draw,
}  # against those who are absent
NOT_IN_EVENTS = ("abort", "ask-takeback")
REMATCH = "rematch"
NAMES = (*ACTIONS, *CLAIMS, REMATCH)


def act(table: Table, held: Held, action: str, now: int, absent: Held) -> Table:
    """The table after an action, by its name."""
    if table.event is not None and action in NOT_IN_EVENTS:
        raise Refusal("games of a tournament count from their beginning; play on or resign")
    if action in ACTIONS:
        return ACTIONS[action](table, held, now)
    if action in CLAIMS:
        return CLAIMS[action](table, held, now, absent)
    raise Refusal(f"use one of {', '.join(NAMES)}")


def list_possible(table: Table, held: Held, now: int, absent: Held = frozenset()) -> list[str]:
    """The actions that whoever holds these seats could take now: those that are not refused."""
    found = []
    for name in (*ACTIONS, *CLAIMS):
        with suppress(Refusal):
            act(table, held, name, now, absent)
            found.append(name)
    with suppress(Refusal):
        want_rematch(table, held, now)
        found.append(REMATCH)
    return found
