"""Quick pairing: who plays whom of those who wait, the nearest first and others after a while."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

from skerry.server.db.durations import SECOND
from skerry.server.lobby.challenge import Caller, Challenge, check_answer
from skerry.server.web.errors import Refusal

NEAR = 100  # a difference of ratings that nobody minds
WIDER = 20  # what is added to it with every second of waiting
PAUSE = 3.0  # seconds after which somebody who waits is compared with the others again


def width(challenge: Challenge, now: int) -> float:
    """How far from their own rating somebody would play by now."""
    return NEAR + WIDER * max(0, now - challenge.created) / SECOND


def rating_of(challenge: Challenge) -> float | None:
    """The mean rating of all who have one."""
    known = [one.rating for one in challenge.joined if one.rating is not None]
    return sum(known) / len(known) if known else None


def distance(one: Challenge, other: Challenge) -> float:
    """How far two are apart; whoever has no rating plays with anybody."""
    ratings = (rating_of(one), rating_of(other))
    return 0.0 if None in ratings else abs(ratings[0] - ratings[1])  # type: ignore[operator]


def fits(one: Challenge, other: Challenge, now: int) -> bool:
    """Whether those who wait in two challenges would play together now."""
    if one.id == other.id or one.terms.key != other.terms.key:
        return False
    if len(one.joined) + len(other.joined) > one.terms.seats or not _is_wanted(one, other):
        return False
    return distance(one, other) <= max(width(one, now), width(other, now))


def _is_wanted(one: Challenge, other: Challenge) -> bool:
    """Whether one of two is paired by us, and nobody is kept out or meets themselves."""
    if not (one.terms.quick or other.terms.quick):
        return False
    return _may_come(one, other) and _may_come(other, one)


def _may_come(host: Challenge, guests: Challenge) -> bool:
    if host.terms.addressee is not None:
        return False
    try:
        for one in guests.joined:
            check_answer(host, Caller(**{name: getattr(one, name) for name in SHARED}))
            if host.find({one.secret}, one.entrant) is not None:
                return False
    except Refusal:
        return False
    return True


SHARED = ("name", "secret", "kind", "entrant", "account", "rating")


def find_partner(seeker: Challenge, waiting: Iterable[Challenge], now: int) -> Challenge | None:
    """The challenge whose players are nearest to somebody, if any are near enough.

    Of those that are equally near, a game that lacks fewer players goes first, and then whoever has
    waited longest.
    """
    found = [one for one in waiting if one.is_open and fits(seeker, one, now)]
    return min(
        found,
        key=lambda one: (distance(seeker, one), -len(one.joined), one.created, one.id),
        default=None,
    )


def list_pairs(waiting: Iterable[Challenge], now: int) -> list[tuple[Challenge, Challenge]]:
    """Who could play together now, the nearest first; everybody is in one pair at most."""
    alike: defaultdict[object, list[Challenge]] = defaultdict(list)
    for one in waiting:
        if one.is_open and one.terms.addressee is None:
            alike[one.terms.key].append(one)
    pairs = [
        (distance(one, other), one.created + other.created, one, other)
        for group in alike.values()
        if any(one.terms.quick for one in group)
        for one, other in combinations(group, 2)
        if fits(one, other, now)
    ]
    taken: set[str] = set()
    chosen = []
    for _, _, one, other in sorted(pairs, key=lambda pair: pair[:2]):
        if not taken & {one.id, other.id}:
            taken |= {one.id, other.id}
            chosen.append((one, other))
    return chosen


def order_hosts(one: Challenge, other: Challenge) -> tuple[Challenge, Challenge]:
    """Whose challenge the other joins: one that is listed stays, and otherwise the older one."""
    first, second = sorted((one, other), key=lambda c: (c.terms.quick, c.created, c.id))
    return first, second
