"""A tournament as the server holds it: an event, its entries, and the bouts that were paired.

Events are immutable, and nothing here reads a clock or a database: a function takes an event and
returns the one that comes next, or raises a ``Refusal``. How it goes on by itself is in ``course``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

from skerry.lab.contest.pairing.contest import (
    ARENA,
    ROUND_ROBIN,
    SWISS,
    THREE,
    Bout,
    Contest,
    ContestRound,
)
from skerry.server.db.durations import DAY, MINUTE
from skerry.server.play.clocks import DAYS
from skerry.server.web.entrants import LEVEL, Entrant
from skerry.server.web.errors import Forbidden, Refusal, Taken

GATHERING, PLAYING, OVER, CALLED_OFF = "gathering", "playing", "over", "off"
UNFINISHED = (GATHERING, PLAYING)
MOST_ENTRANTS = 128
MOST_IN_ROBIN = {2: 32, 3: 24}  # by seats: everybody plays everybody
MOST_ROUNDS = 30
MOST_MINUTES = 240  # of an arena
AHEAD = 60 * DAY  # that a start may be planned
PATIENCE = 30 * DAY  # that an event waits for its start


@dataclass(frozen=True)
class EventTerms:
    """What is played, by which system, and when it begins.

    It begins at a time (``starts``), when so many take part (``quorum``), or when whoever made it
    says so. An arena lasts some ``minutes``, everything else some ``rounds``.
    """

    title: str
    game: str
    options: Mapping[str, int]
    seats: int
    clock: Mapping[str, Any]
    system: str
    rounds: int | None = None
    minutes: int | None = None
    rated: bool = False
    starts: int | None = None
    quorum: int | None = None

    @property
    def most(self) -> int:
        """How many can take part."""
        return MOST_IN_ROBIN[self.seats] if self.system == ROUND_ROBIN else MOST_ENTRANTS

    @property
    def is_slow(self) -> bool:
        """Whether nobody has to be there when a game begins."""
        return bool(self.clock["kind"] == DAYS)

    def check(self, now: int) -> None:
        """Refusal if this cannot be held."""
        Contest(self.system, (), self.seats, self.rounds)
        if (self.system == ARENA) != (self.minutes is not None):
            raise Refusal("an arena lasts a number of minutes, and nothing else does")
        if self.rounds is not None and self.system not in (ROUND_ROBIN, SWISS):
            raise Refusal("rounds are chosen for round-robin and swiss; others have what they need")
        if self.system == ARENA and self.is_slow:
            raise Refusal("an arena is played with a clock of minutes, not of days")
        if self.starts is not None and not now - MINUTE <= self.starts <= now + AHEAD:
            raise Refusal("starts is a time in the next 60 days, in milliseconds since 1970")
        if self.quorum is not None and not self.seats <= self.quorum <= self.most:
            raise Refusal(f"quorum is from {self.seats} to {self.most}")


@dataclass(frozen=True)
class Entry:
    """Somebody who takes part; ``number`` is the place in the order of seeds, once it has begun.

    ``secret`` is the hash of what opens the seats of a bot. ``left`` is since when somebody is not
    paired any more, and ``missed`` how many games in a row they did not come to.
    """

    entrant: str
    name: str
    joined: int
    number: int = 0
    rating: int | None = None
    secret: str | None = None
    left: int | None = None
    missed: int = 0


@dataclass(frozen=True)
class HeldBout:
    """A bout with its game. One player alone has a bye.

    A game that has yet to be made is None. ``round`` counts from 0, and so does ``number`` within.
    """

    round: int
    number: int
    players: tuple[str, ...]
    game: str | None = None
    winners: tuple[int, ...] | None = None
    absent: tuple[int, ...] = ()

    @property
    def is_bye(self) -> bool:
        return len(self.players) == 1

    @property
    def is_open(self) -> bool:
        return self.winners is None and not self.is_bye


@dataclass(frozen=True)
class Event:
    """A tournament: what was agreed upon, who takes part, and what has been paired."""

    id: str
    terms: EventTerms
    maker: str
    made_by: str  # the name
    created: int
    seed: int
    state: str = GATHERING
    version: int = 0
    began: int | None = None
    ends: int | None = None  # when an arena pairs no more
    finished: int | None = None
    entries: tuple[Entry, ...] = ()
    bouts: tuple[HeldBout, ...] = ()

    @cached_property
    def names(self) -> dict[str, str]:
        return {entry.entrant: entry.name for entry in self.entries}

    @property
    def active(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.left is None)

    @cached_property
    def contest(self) -> Contest:
        """What is paired and ranked."""
        rounds = []
        for _, bouts in groupby(self.bouts, lambda bout: bout.round):
            held = list(bouts)
            games = [Bout(b.players, b.winners, b.absent) for b in held if not b.is_bye]
            byes = tuple(bout.players[0] for bout in held if bout.is_bye)
            rounds.append(ContestRound(tuple(games), byes))
        return Contest(
            self.terms.system,
            tuple(entry.entrant for entry in sorted(self.entries, key=lambda e: e.number)),
            self.terms.seats,
            self.terms.rounds,
            self.seed,
            frozenset(entry.entrant for entry in self.entries if entry.left is not None),
            tuple(rounds),
        )

    @property
    def due(self) -> int | None:
        """When something happens without anybody's doing."""
        if self.state == GATHERING:
            if self.terms.starts is not None:
                return self.terms.starts
            return self.created + PATIENCE
        return self.ends if self.state == PLAYING else None

    def find(self, entrant: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.entrant == entrant), None)

    def game_of(self, entrant: str) -> str | None:
        """The game that somebody has to play now."""
        return next(
            (b.game for b in reversed(self.bouts) if b.is_open and b.game and entrant in b.players),
            None,
        )

    def change(self, **changes: Any) -> "Event":
        """The next version of the event."""
        return replace(self, version=self.version + 1, **changes)

    def with_entry(self, entry: Entry) -> "Event":
        """The event with an entry as it is now."""
        if self.find(entry.entrant) is None:
            return self.change(entries=(*self.entries, entry))
        kept = tuple(entry if one.entrant == entry.entrant else one for one in self.entries)
        return self.change(entries=kept)


def join(event: Event, entry: Entry, now: int) -> Event:
    """Somebody takes part, or comes back."""
    before = event.find(entry.entrant)
    if before is not None and before.left is None:
        return event
    if event.state not in UNFINISHED:
        raise Refusal("this tournament is over; look for another one")
    system = event.terms.system
    if event.state == PLAYING:
        if system not in (ARENA, SWISS) or (before is None and system != ARENA):
            raise Refusal("this tournament has begun, and nobody can join it any more")
        if event.ends is not None and now >= event.ends:
            raise Refusal("this tournament is about to end, and nobody can join it any more")
    if before is not None:
        return event.with_entry(replace(before, left=None, missed=0))
    if len(event.entries) >= event.terms.most:
        raise Taken(f"{event.terms.most} take part already, and there is no room for more")
    return event.with_entry(replace(entry, number=len(event.entries)))


def leave(event: Event, entrant: str, now: int) -> Event:
    """Somebody does not take part any more; what they play goes on."""
    entry = event.find(entrant)
    if entry is None:
        raise Refusal("you do not take part in this tournament")
    if event.state not in UNFINISHED or entry.left is not None:
        return event
    if event.state == PLAYING:
        return event.with_entry(replace(entry, left=now))
    rest = [one for one in event.entries if one.entrant != entrant]
    return event.change(entries=tuple(replace(one, number=n) for n, one in enumerate(rest)))


def check_maker(event: Event, who: str | None, is_moderator: bool = False) -> None:
    """See that somebody may decide about an event."""
    if who != event.maker and not is_moderator:
        raise Forbidden("only whoever made a tournament, or a moderator, can do this")


def call_off(event: Event, now: int) -> Event:
    """The event that does not take place, or ends at once; games that go on just do not count."""
    if event.state not in UNFINISHED:
        raise Refusal("this tournament is over already")
    return event.change(state=CALLED_OFF, finished=now)


def is_level(entrant: str) -> bool:
    return Entrant.read(entrant).kind == LEVEL


def most_rounds(seats: int) -> int:
    """How many rounds can be asked for; seats of three meet more often."""
    return MOST_ROUNDS if seats != THREE else 2 * MOST_ROUNDS
