"""Challenges: what somebody wants to play, who may answer, and who has.

Challenges are immutable, and nothing here reads a clock or a database: a function takes a challenge
and returns the one that comes next, or raises a ``Refusal``.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from skerry.core.errors import shorten
from skerry.core.texts import N_
from skerry.server.db.durations import DAY, HOUR, SECOND
from skerry.server.play.clocks import DAYS
from skerry.server.play.table import BOT, PERSON, Seat
from skerry.server.web.errors import Forbidden, NotFound, Refusal, Taken, Unauthorised
from skerry.server.web.text import skeleton

OPEN_STATE, BEGUN, DECLINED = "open", "begun", "declined"
EVERYBODY, MEMBERS = "everybody", "members"
AUDIENCES = (EVERYBODY, MEMBERS)
GONE = 60 * SECOND  # after which nobody waits for somebody who is not connected
LIVE_AGE = 2 * HOUR  # that a challenge reaches if its players have to be there
SLOW_AGE = 7 * DAY  # and where they need not
OVER = N_("this challenge is over; look at the lobby for others")
TOO_LATE = N_("somebody was faster: this game has begun without you; look at the lobby for others")


@dataclass(frozen=True)
class Terms:
    """What is to be played, and with whom.

    ``seat`` is where whoever makes the challenge wants to sit, by chance if it is not said. Of an
    ``addressee`` alone an answer is taken. A ``quick`` one is paired and not listed.
    """

    game: str
    options: dict[str, int]
    seats: int
    usual: bool  # whether the board is the one that everybody plays on
    clock: dict[str, Any] | None = None
    rated: bool = False
    seat: int | None = None
    swap: bool = False
    even: bool = False  # whether it begins with an even start
    audience: str = EVERYBODY
    bots: bool = True
    low: int | None = None
    high: int | None = None
    addressee: str | None = None
    called: str | None = None  # the addressee's name
    quick: bool = False

    @property
    def is_slow(self) -> bool:
        """Whether nobody has to be there when the game begins."""
        return self.clock is not None and self.clock["kind"] == DAYS

    @property
    def is_listed(self) -> bool:
        return not self.quick and self.addressee is None

    @property
    def key(self) -> tuple[object, ...]:
        """What two have to agree on to play together."""
        chosen = (tuple(sorted(part.items())) for part in (self.options, self.clock or {}))
        return (self.game, *chosen, self.rated, self.swap, self.even)


@dataclass(frozen=True)
class Caller:
    """Somebody who makes or answers challenges: a guest, a person with an account, or a bot.

    ``secret`` is the hash of what will open their seat; ``shown`` are hashes of all that they have
    shown. A guest is no ``entrant``.
    """

    name: str
    secret: str
    kind: str = PERSON
    entrant: str | None = None
    account: str | None = None
    rating: int | None = None
    visitor: str = ""
    shown: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Joined:
    """Somebody who has joined a challenge; the first is whoever made it.

    ``secret`` is the hash of what opens their seat; nothing if their account alone does.
    ``fill`` is the level of the engines that they would have in the seats that are free. ``seen``
    is when they were last connected.
    """

    kind: str
    name: str
    secret: str
    seen: int
    entrant: str | None = None
    account: str | None = None
    rating: int | None = None
    fill: int | None = None
    visitor: str = ""

    def seat(self) -> Seat:
        return Seat(self.kind, self.name, self.secret or None, claimed=True, account=self.account)


@dataclass(frozen=True)
class Challenge:
    """A challenge, and what has become of it: ``table`` is the game that it has led to."""

    id: str
    terms: Terms
    joined: tuple[Joined, ...]
    created: int
    until: int
    version: int = 0
    state: str = OPEN_STATE
    table: str | None = None
    ended: int | None = None

    @property
    def is_open(self) -> bool:
        return self.state == OPEN_STATE

    @property
    def is_full(self) -> bool:
        return len(self.joined) == self.terms.seats

    @property
    def fill(self) -> int | None:
        """The level on which all who have joined agree, if there is one."""
        wanted = {one.fill for one in self.joined}
        return wanted.pop() if len(self.joined) > 1 and len(wanted) == 1 else None

    def find(self, shown: Collection[str], entrant: str | None) -> int | None:
        """Who among those that have joined shows one of these hashes, or is that entrant."""
        for number, one in enumerate(self.joined):
            if one.secret in shown or (entrant is not None and one.entrant == entrant):
                return number
        return None

    def own(self, caller: Caller) -> int:
        """The number of somebody who acts on what they have joined."""
        number = self.find(caller.shown, caller.entrant)
        if number is None:
            raise Forbidden("you have not joined this challenge")
        return number


def make(id: str, terms: Terms, caller: Caller, now: int) -> Challenge:
    """A new challenge."""
    if terms.rated:
        check_rated(terms, caller)
    age = SLOW_AGE if terms.is_slow else LIVE_AGE
    return Challenge(id, terms, (_arrive(caller, now),), now, now + age)


def check_rated(terms: Terms, caller: Caller) -> None:
    """See that a game can be rated."""
    if caller.entrant is None:
        raise Unauthorised("rated games need an account: sign in, or play one that is not rated")
    if not terms.usual:
        raise Refusal("rated games are played on the usual board; leave its options as they are")
    if terms.clock is None:
        raise Refusal("rated games have a clock; choose one")


def check_answer(challenge: Challenge, caller: Caller) -> None:
    """See that somebody may answer a challenge."""
    terms = challenge.terms
    if challenge.state == BEGUN:
        raise Taken(TOO_LATE)
    if not challenge.is_open:
        raise NotFound(OVER)
    if terms.addressee is not None and terms.addressee != caller.entrant:
        raise Forbidden(f"this challenge is for {shorten(terms.called or 'somebody else')}")
    if terms.rated:
        check_rated(terms, caller)
    if terms.addressee is None:
        _check_audience(terms, caller)
    for one in challenge.joined:
        is_other = one.name != caller.name or one.entrant != caller.entrant
        if is_other and skeleton(one.name) == skeleton(caller.name):
            raise Taken(
                f"your name looks like {shorten(one.name)}, who is here already; take another"
            )


def _check_audience(terms: Terms, caller: Caller) -> None:
    if caller.kind == BOT and not terms.bots:
        raise Forbidden("this challenge is for people; bots may answer those with `bots`")
    if terms.audience == MEMBERS and caller.entrant is None:
        raise Unauthorised("this challenge is for members; sign in to answer it")
    if terms.low is None and terms.high is None:
        return
    rating = caller.rating
    if rating is None:
        raise Forbidden("this challenge is for players with a rating in this game")
    if (terms.low is not None and rating < terms.low) or (
        terms.high is not None and rating > terms.high
    ):
        raise Forbidden(f"your rating of {rating} is not among those that this challenge is for")


def join(challenge: Challenge, caller: Caller, now: int) -> Challenge:
    """The challenge that somebody else has joined; what was agreed without them is not."""
    check_answer(challenge, caller)
    before = tuple(replace(one, fill=None) for one in challenge.joined)
    return _change(challenge, joined=(*before, _arrive(caller, now)))


def merge(first: Challenge, others: Sequence[Challenge]) -> Challenge:
    """The first challenge, joined by all who wait in the others."""
    found = [one for challenge in (first, *others) for one in challenge.joined]
    return _change(first, joined=tuple(replace(one, fill=None) for one in found))


def leave(challenge: Challenge, number: int) -> Challenge | None:
    """The challenge without somebody who has joined; None if nobody is left."""
    if not challenge.is_open:
        raise Taken("this game has begun; go there, and call it off if you do not want to play")
    others = (*challenge.joined[:number], *challenge.joined[number + 1 :])
    if not others:
        return None
    terms = challenge.terms if number else replace(challenge.terms, seat=None)
    return _change(challenge, terms=terms, joined=tuple(replace(one, fill=None) for one in others))


def decline(challenge: Challenge, caller: Caller, now: int) -> Challenge:
    """The challenge that whoever was challenged does not want."""
    if challenge.terms.addressee is None or challenge.terms.addressee != caller.entrant:
        raise Forbidden("this challenge is not for you to decline")
    if not challenge.is_open:
        raise NotFound(OVER)
    return _change(challenge, state=DECLINED, ended=now)


def vote(challenge: Challenge, caller: Caller, level: int | None) -> Challenge:
    """The challenge after somebody has said which engines may have the seats that are free."""
    number = challenge.own(caller)
    if challenge.state == BEGUN:
        return challenge
    if not challenge.is_open:
        raise NotFound(OVER)
    if challenge.terms.seats < 3:
        raise Refusal("engines fill games of three; begin a game against one on its page instead")
    if len(challenge.joined) < 2:
        raise Refusal("nobody has joined yet; begin a game against engines on its page instead")
    own = replace(challenge.joined[number], fill=level)
    others = (challenge.joined[:number], challenge.joined[number + 1 :])
    return _change(challenge, joined=(*others[0], own, *others[1]))


def begin(challenge: Challenge, table: str, now: int) -> Challenge:
    """The challenge that has led to a game."""
    return _change(challenge, state=BEGUN, table=table, ended=now)


def list_gone(challenge: Challenge, now: int) -> list[int]:
    """Those who are not connected any more, where they would have to be; the last ones first."""
    if challenge.terms.is_slow:
        return []
    late = [n for n, one in enumerate(challenge.joined) if one.seen < now - GONE]
    return late[::-1]


def _arrive(caller: Caller, now: int) -> Joined:
    return Joined(
        kind=caller.kind,
        name=caller.name,
        secret=caller.secret,
        seen=now,
        entrant=caller.entrant,
        account=caller.account,
        rating=caller.rating,
        visitor=caller.visitor,
    )


def _change(challenge: Challenge, **changes: Any) -> Challenge:
    return replace(challenge, version=challenge.version + 1, **changes)
