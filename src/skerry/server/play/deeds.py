"""What may happen to a table: moves, ends, and who sits where; ``actions`` has the rest.

Every function takes a table and the time, and returns the next table or raises a ``Refusal``.
Whoever acts is known by the seats held: one online, all of them for people at one screen.
"""

from collections.abc import Mapping
from dataclasses import replace

from skerry.core.errors import shorten
from skerry.core.playthrough import Playthrough
from skerry.core.state import Outcome, State
from skerry.core.texts import N_
from skerry.server.db.durations import SECOND
from skerry.server.play.table import (
    DRAW,
    LONGEST_GAME,
    MAY_SWAP,
    OPEN,
    SWAPPED,
    TAKEBACK,
    Declined,
    Held,
    Ply,
    Seat,
    Table,
    hold_clock,
    name_engine,
)
from skerry.server.web.errors import Forbidden, Refusal, Stale, Taken
from skerry.server.web.secrets import Signed, conceal
from skerry.server.web.text import skeleton


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


def move(table: Table, held: Held, text: str, now: int, person: Signed | None = None) -> Table:
    """Play a move, or a whole turn of several."""
    actor(table, held)
    if table.is_waiting:
        raise Refusal("a seat is still open; the game begins when somebody has joined")
    seat = table.to_move
    if seat is None or seat not in held:
        raise Forbidden(f"it is {table.name_of(seat or 0)}'s turn, and you do not hold that seat")
    actions = [int(action) for action in table.state.parse_turn(text)]
    free = frozenset(number for number in held if not table.seats[number].claimed)
    return play(_seat(table, _settle_down(table, free, None, person), now), actions, now)


def sit(table: Table, held: Held, name: str, now: int, person: Signed | None = None) -> Table:
    """Sit down under a name: that of the account for whoever has one."""
    if person is None:
        check_names(table, held, name)
    seats = _settle_down(table, held, name, person, seen=now)
    return change(_seat(table, seats, now), now)


def list_handed_on(table: Table, held: Held) -> Held:
    """The seats that somebody takes by a link which whoever made the game has as well."""
    if table.admin in held:
        return frozenset()
    return frozenset(n for n in held & table.links if not table.seats[n].claimed)


def give_secrets(table: Table, fresh: Mapping[int, str]) -> Table:
    """The table whose seats of these numbers are opened by other secrets."""
    seats = tuple(
        replace(seat, secret=conceal(fresh[n])) if n in fresh else seat
        for n, seat in enumerate(table.seats)
    )
    return keep_line(replace(table, seats=seats), table.line)


def check_names(table: Table, held: Held, name: str) -> None:
    """See that nobody at the table only looks like another.

    Two of the very same name are told apart by the titles of their seats.
    """
    for number, seat in enumerate(table.seats):
        if number not in held and name != seat.name and skeleton(name) == skeleton(seat.name):
            raise Taken(f"{shorten(name)} looks like {shorten(seat.name)}, who is here already")


def _settle_down(
    table: Table, held: Held, name: str | None, person: Signed | None, seen: int | None = None
) -> tuple[Seat, ...]:
    """The seats, of which those that are held and have links are taken.

    What belongs to an account stays so, under its name, whoever has the secret of the seat.
    """
    seats = list(table.seats)
    for number in held & table.links:
        seat = replace(seats[number], claimed=True)
        if seen is not None:
            seat = replace(seat, seen=seen)
        if person is not None and seat.account in (None, person.id):
            seat = replace(seat, account=person.id, name=person.name)
        elif seat.account is None and name is not None:
            seat = replace(seat, name=name)
        seats[number] = seat
    return tuple(seats)


def _seat(table: Table, seats: tuple[Seat, ...], now: int) -> Table:
    """The table with these seats; time may run from the moment when nobody is missing."""
    after = replace(table, seats=seats)
    if after.began is None and after.is_full:
        after = replace(after, began=now, since=now)
    return keep_line(after, table.line)


def check_renewal(table: Table, held: Held, seat: int, absent: Held) -> None:
    """See that a seat may be given to somebody else, by whoever made the game.

    A wrong guest is sent away by a new link; who has begun to play stays until they leave.
    """
    if table.admin not in held:
        raise Forbidden("only whoever made the game can replace the link of a seat")
    is_playing = table.seats[seat].claimed and seat in table.line.moved
    if is_playing and seat not in absent:
        raise Forbidden(
            f"{table.name_of(seat)} plays here, and the link stays theirs until they leave"
        )


def answer(table: Table, action: int, now: int) -> Table:
    """Play what the engine chose that is to move."""
    if table.thinker is None:
        raise Stale("no engine is to move")
    return play(table, [action], now)


def forfeit(table: Table, why: str, now: int) -> Table:
    """The engine that is to move has lost by what it did; of three, another one plays on."""
    if table.thinker is None or table.to_move is None:
        raise Stale("no engine is to move")
    return _depart(table, table.to_move, now, f"forfeits: {why}")


def play(table: Table, actions: list[int], now: int) -> Table:
    """The table after some actions of the seat to move."""
    line, plies = table.line, list(table.plies)
    spent = table.elapsed(now)
    for action in actions:
        line = line.after(action)
        plies.append(Ply(action, now, spent))
        spent = 0
    mover = table.state.turn
    after = change(
        table,
        now,
        plies=tuple(plies),
        since=now,
        draw=table.draw if table.draw == mover else None,
        takeback=None,
        declined=_pass_over(table, mover),
    )
    after = hold_clock(keep_line(after, line), now)
    if len(plies) >= LONGEST_GAME and not after.is_over:
        reason = N_(f"{LONGEST_GAME:,} plies were played, and more are not kept: a draw")
        drawn = Outcome((0.0,) * len(table.seats), None, None, reason)
        after = keep_line(replace(after, ending=drawn), line)
    return _settle(after)


def _pass_over(table: Table, mover: int) -> tuple[Declined, ...]:
    """To play on is to decline what others have asked for."""
    asked = table.takeback
    found = []
    if table.draw not in (None, mover):
        found.append(Declined(DRAW, table.draw, mover))
    if asked is not None and mover in asked.waiting:
        found.append(Declined(TAKEBACK, asked.seat, mover))
    return tuple(found)


def keep_line(table: Table, line: Playthrough) -> Table:
    """Save the table from finding out its line by itself."""
    table.__dict__["line"] = line
    return table


def _settle(table: Table) -> Table:
    """Note when a game is over; nothing is open between seats then."""
    if not table.is_over:
        return table
    after = replace(table, draw=None, takeback=None, finished=table.updated)
    return keep_line(after, table.line)


def change(table: Table, now: int, **changes: object) -> Table:
    """The next version of a table; moves that stay are not played again."""
    after = replace(
        table,
        version=table.version + 1,
        revision=table.revision + 1,
        updated=max(now, table.updated),
        **changes,  # type: ignore[arg-type]
    )
    count = len(after.plies)
    if count < len(table.plies):  # taken back
        return keep_line(after, table.line.points[count])
    return after if count > len(table.plies) else keep_line(after, table.line)


def end(table: Table, now: int, loser: int | None, reason: str) -> Table:
    """End a game off the board. With more than two seats nobody can be said to have won."""
    seats = len(table.seats)
    returns = [0.0] * seats
    winner = None
    if loser is not None:
        returns = [-1.0 if seat == loser else 1 / (seats - 1) for seat in range(seats)]
        if seats == 2:
            winner = 1 - loser
            reason = N_(f"{reason}: {table.name_of(winner)} wins")
    ending = Outcome(tuple(returns), winner, None, reason)
    return _settle(change(table, now, ending=ending))


def resign(table: Table, held: Held, now: int) -> Table:
    """Give up; a game that nobody has joined is just called off."""
    seat = actor(table, held)
    if table.is_waiting:
        return _call_off(table, now, N_("Nobody joined"))
    return _depart(table, seat, now, "resigned")


def _depart(table: Table, seat: int, now: int, how: str) -> Table:
    """Somebody is out of the game. Two or more who are still there play on, with an engine."""
    others = table.persons - {seat}
    if not others or len(table.seats) == 2:
        return end(table, now, seat, f"{table.name_of(seat)} {how}")
    name = table.seats[seat].name
    engine = Seat(
        table.stand_in,
        f"{name_engine(table.stand_in)} for {name}",
        left=name,
        left_at=len(table.plies),
        account=table.seats[seat].account,
    )
    seats = (*table.seats[:seat], engine, *table.seats[seat + 1 :])
    return change(table, now, seats=seats, rated=False, takeback=None)


def claim(table: Table, held: Held, now: int, absent: Held) -> Table:
    """Go on without somebody who has left when it was their turn: with two seats, as the winner."""
    return _depart(table, _check_left(table, held, absent), now, "left")


def claim_draw(table: Table, held: Held, now: int, absent: Held) -> Table:
    """Be content with a draw when the only other one has left."""
    seat = _check_left(table, held, absent)
    if len(table.seats) != 2:
        raise Refusal("the others play on: let an engine take the seat")
    return end(table, now, None, N_(f"{table.name_of(seat)} left: a draw"))


def _check_left(table: Table, held: Held, absent: Held) -> int:
    """The seat of somebody who has left when it was their turn."""
    actor(table, held)
    seat = table.to_move
    if seat is None or seat in held or seat not in absent:
        raise Refusal("whoever is to move is here, or was a moment ago; wait for the move")
    if table.is_open:
        raise Refusal("not everybody has moved yet; call the game off")
    return seat


def abort(table: Table, held: Held, now: int) -> Table:
    """Call a game off before everybody has moved: it counts for nothing."""
    seat = actor(table, held)
    if not table.is_open:
        raise Refusal("everybody has moved, so the game counts; resign to end it")
    return _call_off(table, now, N_(f"{table.name_of(seat)} called the game off"))


def _call_off(table: Table, now: int, reason: str) -> Table:
    return replace(end(table, now, None, reason), void=True, rated=False)


def flag(table: Table, now: int) -> Table:
    """The table after a flag has fallen; the same table if none has."""
    seat = table.running
    if table.deadline is None or seat is None or now < table.deadline:
        return table
    if table.is_open and table.event is None:
        return _call_off(table, now, N_(f"{table.name_of(seat)} did not move in time: no result"))
    has_come = seat in table.line.moved
    how = "ran out of time" if has_come else "did not come in time"
    return _depart(replace(table, rated=table.rated and has_come), seat, now, how)


def swap(table: Table, held: Held, now: int) -> Table:
    """Take over the seat that has made the first turn; names and clocks go with the persons."""
    actor(table, held)
    seat = table.to_move
    if not table.can_swap or seat is None:
        raise Refusal("seats are swapped after the first turn of a game with the swap rule")
    if seat not in held:
        raise Forbidden(f"{table.name_of(seat)} is to decide whether to swap")
    opener, other = table.seats[1 - seat], table.seats[seat]
    # What the first turn cost and earned stays with whoever made it.
    cost = sum(ply.spent for ply in table.plies)
    if table.clock is not None:
        cost -= SECOND * table.clock.increment
    moved = {
        seat: replace(opener, lost=opener.lost + cost),
        1 - seat: replace(other, lost=other.lost + table.elapsed(now) - cost),
    }
    return change(
        table,
        now,
        seats=(moved[0], moved[1]),
        swap=SWAPPED,
        since=now,
        admin=None if table.admin is None else 1 - table.admin,
        draw=None,
        takeback=None,
        declined=(),
    )


def join(table: Table, number: int, seat: Seat, now: int) -> Table:
    """Take a seat that is open."""
    if table.is_over or not 0 <= number < len(table.seats) or table.seats[number].kind != OPEN:
        raise Refusal("that seat is not open; GET /api/bots/open lists games with open seats")
    if any((seat.kind, seat.name) == (other.kind, other.name) for other in table.seats):
        raise Refusal("you already sit at this game; wait for somebody else to join")
    check_names(table, frozenset({number}), seat.name)
    seats = (*table.seats[:number], seat, *table.seats[number + 1 :])
    return change(_seat(table, seats, now), now)


def link_rematch(table: Table, successor: str) -> Table:
    """The table with the game that comes after it, which everybody wants."""
    return keep_line(replace(table, rematch=successor), table.line)


def want_rematch(table: Table, held: Held, now: int) -> Table:
    """The table at which these seats want a rematch as well."""
    if not table.is_over:
        raise Refusal("the game is not over yet; ask for a rematch when it is")
    if table.event is not None:
        raise Refusal("tournaments have no rematches; the next game is paired there")
    if not held and table.persons:
        raise Forbidden("you are only watching this game; a rematch is for those who played")
    if held and held <= table.wanting:
        raise Refusal("you have asked for a rematch; the others have to want one too")
    return change(table, now, wanting=table.wanting | held & table.persons)


def list_unwilling(table: Table) -> Held:
    """Those who have not said that they want a rematch; a seat that nobody took stays free."""
    there = {n for n in table.persons if table.seats[n].is_taken}
    return frozenset(there - table.wanting)


def rematch(table: Table, id: str, start: State, seed: int | None, now: int) -> Table:
    """A new game from this start, with everybody one seat further. Everybody keeps their secret."""
    if list_unwilling(table):
        raise Refusal("a rematch takes everybody who played; some have not said that they want one")
    seats = len(table.seats)
    turned = tuple(_refresh(table.seats[seat - 1]) for seat in range(seats))
    return Table(
        id=id,
        start=start,
        seed=seed,
        seats=turned,
        began=now if table.is_full else None,
        clock=table.clock,
        admin=None if table.admin is None else (table.admin + 1) % seats,
        public=table.public,
        rated=table.rated,
        stand_in=table.stand_in,
        swap=table.swap and MAY_SWAP,
        created=now,
        since=now,
        updated=now,
    )


def _refresh(seat: Seat) -> Seat:
    """Somebody at another game: nothing of the last one is left, and an engine stays."""
    if seat.left is not None:
        seat = replace(seat, name=name_engine(seat.kind), left=None, left_at=None, account=None)
    return replace(seat, lost=0, rating=None, rating_after=None, provisional=False)
