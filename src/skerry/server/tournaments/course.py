"""How an event goes on by itself: results are noted, rounds paired, and one day it is over.

``proceed`` is a pure function of the event, of what has ended since, and of the time. So whoever
calls it, however often and in whichever process, comes to the same event; the store keeps one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from skerry.lab.contest.pairing.arena import pair_arena
from skerry.lab.contest.pairing.contest import ARENA, Contest
from skerry.lab.contest.pairing.systems import is_over, pair_next
from skerry.server.db.durations import MINUTE
from skerry.server.play.table import Table
from skerry.server.tournaments.event import (
    CALLED_OFF,
    GATHERING,
    OVER,
    PLAYING,
    Event,
    HeldBout,
    is_level,
)

MOST_MISSED = 2  # games in a row that somebody did not come to, and is not paired any more
MOST_BOUTS = 2000  # of an arena
BYES = 10_000  # the number of the first bye of a round, above those of bouts that may be added


@dataclass(frozen=True)
class BoutEnding:
    """How the game of a bout ended: seats that share the point, and of those who did not come."""

    winners: tuple[int, ...]
    absent: tuple[int, ...] = ()


def judge(table: Table) -> BoutEnding | None:
    """How a game ended for those who were paired; None while it goes on.

    Whoever lost by the clock or resigned without ever having moved did not come to play. In a game
    of three an engine may have played on for somebody: it wins nothing for them or for the others.
    """
    outcome = table.outcome
    if outcome is None:
        return None
    gone = frozenset(n for n, seat in enumerate(table.seats) if seat.left is not None)
    best = max(outcome.returns)
    winners = tuple(n for n, made in enumerate(outcome.returns) if made == best and n not in gone)
    moved = {
        seat
        for ply, seat in enumerate(table.movers)
        if seat not in gone or ply < (table.seats[seat].left_at or 0)
    }
    lost = gone if len(table.seats) > 2 else frozenset(range(len(table.seats))) - set(winners)
    is_off_board = table.ending is not None or bool(gone)
    return BoutEnding(winners, tuple(sorted(lost - moved)) if is_off_board else ())


def proceed(event: Event, endings: Mapping[str, BoutEnding], now: int) -> Event:
    """The event as it is to be now; the same one if nothing has to be done."""
    after = event
    if after.state == PLAYING:
        after = _note_endings(after, endings, now)
    if after.state == GATHERING:
        after = _begin_if_due(after, now)
    if after.state == PLAYING:
        after = _pair(after, now)
    return event if after is event else replace(after, version=event.version + 1)


def begin(event: Event, now: int) -> Event:
    """The event that begins: from now on the order of seeds stays as it is.

    Those with a rating come first, the best first, then everybody else as they joined.
    """
    order = sorted(event.entries, key=lambda e: (e.rating is None, -(e.rating or 0), e.number))
    minutes = event.terms.minutes
    return event.change(
        state=PLAYING,
        began=now,
        ends=None if minutes is None else now + minutes * MINUTE,
        entries=tuple(replace(entry, number=n) for n, entry in enumerate(order)),
    )


def has_enough(event: Event) -> bool:
    """Whether it can begin."""
    return len(event.entries) >= event.terms.seats


def _begin_if_due(event: Event, now: int) -> Event:
    terms = event.terms
    is_full = terms.quorum is not None and len(event.entries) >= terms.quorum
    if not is_full and (event.due is None or now < event.due):
        return event
    if terms.quorum is not None and not is_full and terms.starts is None:
        return event.change(state=CALLED_OFF, finished=now)
    if not has_enough(event) or (not is_full and terms.starts is None):
        return event.change(state=CALLED_OFF, finished=now)
    return begin(event, now)


def _note_endings(event: Event, endings: Mapping[str, BoutEnding], now: int) -> Event:
    """What has been decided, and who stays away."""
    if not any(bout.is_open and bout.game in endings for bout in event.bouts):
        return event
    bouts = []
    entries = {entry.entrant: entry for entry in event.entries}
    for bout in event.bouts:
        ending = endings.get(bout.game or "") if bout.is_open else None
        if ending is None:
            bouts.append(bout)
            continue
        bouts.append(replace(bout, winners=ending.winners, absent=ending.absent))
        most = 1 if event.terms.system == ARENA else MOST_MISSED
        for seat, player in enumerate(bout.players):
            missed = entries[player].missed + 1 if seat in ending.absent else 0
            entries[player] = replace(entries[player], missed=missed)
            if missed >= most and entries[player].left is None:
                entries[player] = replace(entries[player], left=now)
    return event.change(bouts=tuple(bouts), entries=tuple(entries.values()))


def _pair(event: Event, now: int) -> Event:
    """The event with what is to be played next, or at its end."""
    contest = event.contest
    if event.terms.system == ARENA:
        return _pair_arena(event, contest, now)
    paired = pair_next(contest)
    while paired.is_settled and not is_over(paired):  # all who were paired in this round have gone
        paired = pair_next(paired)
    if is_over(paired):
        return _keep(event, paired).change(state=OVER, finished=now)
    return event if paired is event.contest else _keep(event, paired)


def _pair_arena(event: Event, contest: Contest, now: int) -> Event:
    is_late = event.ends is not None and now >= event.ends
    if is_late or len(event.bouts) >= MOST_BOUTS:
        return event.change(state=OVER, finished=now) if contest.is_settled else event
    # Those who have waited longest come first; levels wait for others and not for each other.
    last = {player: n for n, bout in enumerate(event.bouts) for player in bout.players}
    free = sorted(contest.active, key=lambda name: last.get(name, -1))
    levels = frozenset(name for name in contest.entrants if is_level(name))
    paired = pair_arena(contest, free, levels)
    return event if paired is contest else _keep(event, paired)


def _keep(event: Event, contest: Contest) -> Event:
    """The event with the bouts that a contest has beyond those that are known."""
    known = {(bout.round, bout.number) for bout in event.bouts}
    bouts = list(event.bouts)
    for number, one in enumerate(contest.rounds):
        held = [
            HeldBout(number, n, bout.players, None, bout.winners, bout.absent)
            for n, bout in enumerate(one.bouts)
        ]
        held += [HeldBout(number, BYES + n, (name,), None, ()) for n, name in enumerate(one.byes)]
        bouts += [bout for bout in held if (bout.round, bout.number) not in known]
    return event.change(bouts=tuple(sorted(bouts, key=lambda bout: (bout.round, bout.number))))
