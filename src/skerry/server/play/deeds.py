"""Everything that may happen to a table.

Every function takes a table and the time, and returns the table that comes next or raises a
``Refusal``. Whoever acts is known by the seats held: one for a player online, all of them for
people at one screen.
"""

from collections.abc import Callable
from dataclasses import replace

from skerry.core.playthrough import Playthrough
from skerry.core.state import Outcome, State
from skerry.server.play.table import OPEN, Held, Ply, Seat, Table, Takeback
from skerry.server.web.errors import Forbidden, Refusal, Stale


def actor(table: Table, held: Held) -> int:
    """The seat that acts: the one to move if it is among those held."""
    if table.is_over:
        raise Refusal("the game is over; ask for a rematch to play on")
    if not held:
        raise Forbidden("you are only watching this game; open the link of a seat to play")
    return table.to_move if table.to_move in held else min(held)


def expect(table: Table, version: int) -> None:
    """See that a visitor acts on the table as it is."""
    if version != table.version:
        raise Stale("the game has moved on since you saw it; look at it again")


def move(table: Table, held: Held, text: str, now: int) -> Table:
    """Play a move, or a whole turn of several."""
    actor(table, held)
    if table.is_waiting:
        raise Refusal("a seat is still open; the game begins when somebody has joined")
    seat = table.to_move
    if seat is None or seat not in held:
        raise Forbidden(f"it is {table.name_of(seat or 0)}'s turn, and you do not hold that seat")
    return _play(table, [int(action) for action in table.state.parse_turn(text)], now)


def answer(table: Table, action: int, now: int) -> Table:
    """Play what the engine chose that is to move."""
    if table.thinker is None:
        raise Stale("no engine is to move")
    return _play(table, [action], now)


def _play(table: Table, actions: list[int], now: int) -> Table:
    line, plies = table.line, list(table.plies)
    spent = 0 if table.running is None else max(0, now - table.since)
    for action in actions:
        line = line.after(action)
        plies.append(Ply(action, now, spent))
        spent = 0
    # To play on is to decline the draw that somebody else offered.
    draw = table.draw if table.draw == line.movers[-1] else None
    after = _change(table, now, plies=tuple(plies), since=now, draw=draw, takeback=None)
    return _settle(_known(after, line))


def _known(table: Table, line: Playthrough) -> Table:
    """Save the table from finding out its line by itself."""
    table.__dict__["line"] = line
    return table


def _settle(table: Table) -> Table:
    """Note when a game is over; nothing is open between seats then."""
    if not table.is_over:
        return table
    after = replace(table, draw=None, takeback=None, finished=table.updated)
    return _known(after, table.line)


def _change(table: Table, now: int, **changes: object) -> Table:
    """The next version of a table; moves that stay are not played again."""
    after = replace(
        table,
        version=table.version + 1,
        revision=table.revision + 1,
        updated=max(now, table.updated),
        **changes,  # type: ignore[arg-type]
    )
    return after if "plies" in changes else _known(after, table.line)


def _end(table: Table, now: int, loser: int | None, reason: str) -> Table:
    """End a game off the board. With more than two seats nobody can be said to have won."""
    seats = len(table.seats)
    returns = [0.0] * seats
    winner = None
    if loser is not None:
        returns = [-1.0 if seat == loser else 1 / (seats - 1) for seat in range(seats)]
        if seats == 2:
            winner = 1 - loser
            reason = f"{reason}: {table.name_of(winner)} wins"
    ending = Outcome(tuple(returns), winner, None, reason)
    return _settle(_change(table, now, ending=ending))


def resign(table: Table, held: Held, now: int) -> Table:
    """Give up; a game that nobody has joined is just called off."""
    seat = actor(table, held)
    if table.is_waiting:
        return replace(_end(table, now, None, "Nobody joined"), public=False, rated=False)
    return _end(table, now, seat, f"{table.name_of(seat)} resigned")


def flag(table: Table, now: int) -> Table:
    """The table after a flag has fallen; the same table if none has."""
    if table.deadline is None or table.running is None or now < table.deadline:
        return table
    return _end(table, now, table.running, f"{table.name_of(table.running)} ran out of time")


def join(table: Table, number: int, seat: Seat, now: int) -> Table:
    """Take a seat that is open."""
    if table.is_over or not 0 <= number < len(table.seats) or table.seats[number].kind != OPEN:
        raise Refusal("that seat is not open; GET /api/bots/open lists games with open seats")
    if any((seat.kind, seat.name) == (other.kind, other.name) for other in table.seats):
        raise Refusal("you already sit at this game; wait for somebody else to join")
    seats = (*table.seats[:number], seat, *table.seats[number + 1 :])
    return _change(table, now, seats=seats)


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
        return _end(table, now, None, "Draw by agreement")
    if table.draw is not None:
        raise Refusal("you have already offered a draw; wait for the answer")
    return _change(table, now, draw=seat)


def accept_draw(table: Table, held: Held, now: int) -> Table:
    actor(table, held)
    _check_offered(table.draw, held, "draw")
    return _end(table, now, None, "Draw by agreement")


def decline_draw(table: Table, held: Held, now: int) -> Table:
    actor(table, held)
    _check_offered(table.draw, held, "draw")
    return _change(table, now, draw=None)


def _check_offered(offer: int | None, held: Held, what: str) -> None:
    if offer is None:
        raise Refusal(f"nobody has asked for a {what}")
    if held <= {offer}:
        raise Forbidden(f"you asked for the {what} yourself; the others have to answer")


def ask_takeback(table: Table, held: Held, now: int) -> Table:
    """Take back the last turn: at once if nobody else is concerned, otherwise with their consent.

    A turn that is not finished is nobody else's business, but its time is: it is not given back.
    """
    actor(table, held)
    if table.rated:
        raise Refusal("moves in rated games cannot be taken back; play on or resign")
    turn = _last_own_turn(table, held)
    if turn is None:
        raise Refusal("you have no move to take back")
    seat = table.line.movers[turn]
    others = table.persons - held
    if not others:
        return _take_back(table, turn, now)
    if table.to_move == seat == table.line.movers[-1]:
        spent = sum(ply.spent for ply in table.plies[turn:])
        return replace(_take_back(table, turn, now), since=table.since - spent)
    if table.takeback is not None:
        raise Refusal("somebody has already asked for a takeback; wait for the answer")
    return _change(table, now, takeback=Takeback(seat, others))


def accept_takeback(table: Table, held: Held, now: int) -> Table:
    asked = _takeback_for(table, held)
    waiting = asked.waiting - held
    turn = _last_own_turn(table, frozenset({asked.seat}))
    if waiting or turn is None:
        return _change(table, now, takeback=replace(asked, waiting=waiting))
    return _take_back(table, turn, now)


def decline_takeback(table: Table, held: Held, now: int) -> Table:
    _takeback_for(table, held)
    return _change(table, now, takeback=None)


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
    movers = table.line.movers
    last = max((n for n, mover in enumerate(movers) if mover in held), default=None)
    while last is not None and last > 0 and movers[last - 1] == movers[last]:
        last -= 1
    return last


def _take_back(table: Table, count: int, now: int) -> Table:
    """Keep so many plies. The time spent on the others is given back with them."""
    plies = table.plies[:count]
    return _change(table, now, plies=plies, since=now, draw=None, takeback=None)


def link_rematch(table: Table, successor: str, now: int) -> Table:
    """The table with the game that comes after it."""
    return _change(table, now, rematch=successor)


def rematch(table: Table, held: Held, id: str, start: State, seed: int | None, now: int) -> Table:
    """A new game from this start, with everybody one seat further. Everybody keeps their secret."""
    if not table.is_over:
        raise Refusal("the game is not over yet; ask for a rematch when it is")
    if not held and table.persons:
        raise Forbidden("you are only watching this game; a rematch is for those who played")
    seats = len(table.seats)
    return Table(
        id=id,
        start=start,
        seed=seed,
        seats=tuple(table.seats[seat - 1] for seat in range(seats)),
        clock=table.clock,
        admin=None if table.admin is None else (table.admin + 1) % seats,
        public=table.public,
        rated=table.rated,
        created=now,
        since=now,
        updated=now,
    )


ACTIONS: dict[str, Callable[[Table, Held, int], Table]] = {
    "resign": resign,
    "offer-draw": offer_draw,
    "accept-draw": accept_draw,
    "decline-draw": decline_draw,
    "ask-takeback": ask_takeback,
    "accept-takeback": accept_takeback,
    "decline-takeback": decline_takeback,
}
REMATCH = "rematch"
