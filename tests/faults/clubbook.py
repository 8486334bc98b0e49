"""What a club has promised to its members, and whether it is so in the end.

Accounts, games that came of the lobby, ratings, tournaments, what moderators did and mails: all of
it is there once that was acknowledged, nothing is there twice, and nothing opens to anybody whom it
does not belong to. Nothing here asks a server.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from faults.checker import DOUBLED, GONE, LOST, UNEXPLAINED, WRONG, Flaw

OPENED = "opened to others"
HONEST = {200, 201, 204, 401, 403, 404, 409, 422, 429, 503}  # what a member may be answered


@dataclass
class ClubBook:
    """What members were told. Names are those of accounts."""

    accounts: dict[str, str] = field(default_factory=dict)  # ids, of those acknowledged
    games: dict[str, tuple[str, str]] = field(default_factory=dict)  # who plays
    ended: set[str] = field(default_factory=set)  # games of which that was acknowledged
    entered: dict[str, set[str]] = field(default_factory=dict)  # by tournament
    begun: set[str] = field(default_factory=set)  # tournaments
    decided: list[tuple[str, int | None]] = field(default_factory=list)  # reasons and answers
    mailed: set[str] = field(default_factory=set)  # addresses
    left: list[str] = field(default_factory=list)  # tokens of sessions that were ended
    strange: list[str] = field(default_factory=list)  # answers that nobody should get


@dataclass
class TableSeen:
    """A game in the end: who sits there, by ids, and whose seats each member may play."""

    seats: tuple[str | None, ...]
    over: bool
    rated: bool
    void: bool = False
    yours: dict[str, tuple[int, ...]] = field(default_factory=dict)  # by name; "" is a stranger


@dataclass
class BoutSeen:
    """A bout of a tournament: who met, and in which game."""

    players: tuple[str, ...]
    game: str | None
    winners: tuple[int, ...] | None


@dataclass
class EventSeen:
    """A round robin in the end."""

    state: str
    entrants: tuple[str, ...]
    bouts: tuple[BoutSeen, ...] = ()
    is_whole: bool = True  # nobody has left it, as who does not come has


@dataclass
class ClubSeen:
    """What there is in the end, by names of accounts and ids of games."""

    people: dict[str, str | None] = field(default_factory=dict)
    rated: dict[str, list[tuple[str, int]]] = field(default_factory=dict)  # games and numbers
    counted: dict[str, int] = field(default_factory=dict)  # rated games, as ratings say
    tables: dict[str, TableSeen] = field(default_factory=dict)
    events: dict[str, EventSeen] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)  # of the audit log
    letters: set[str] = field(default_factory=set)  # addresses: taken, or waiting to be
    opened: list[str] = field(default_factory=list)  # tokens that still open something


def check_club(told: ClubBook, seen: ClubSeen) -> list[Flaw]:
    """All that is wrong."""
    flaws = [Flaw(WRONG, "club", words) for words in told.strange]
    flaws += [Flaw(OPENED, "session", "a session that was ended") for _ in seen.opened]
    for name, id in told.accounts.items():
        if seen.people.get(name) != id:
            flaws.append(Flaw(GONE, name, f"account {id} was acknowledged: {seen.people}"))
    flaws += _check_tables(told, seen)
    flaws += _check_ratings(told, seen)
    for id, event in seen.events.items():
        flaws += _check_event(told, seen, id, event)
    counts = Counter(seen.reasons)
    for reason, status in told.decided:
        count = counts.pop(reason, 0)
        if count > 1:
            flaws.append(Flaw(DOUBLED, "audit", reason))
        if count == 0 and status == 204:
            flaws.append(Flaw(LOST, "audit", reason))
        if count and status is not None and 400 <= status < 500:
            flaws.append(Flaw(UNEXPLAINED, "audit", f"{reason} was refused, and is there"))
    flaws += [Flaw(UNEXPLAINED, "audit", reason) for reason in counts]
    flaws += [Flaw(LOST, "mail", address) for address in sorted(told.mailed - seen.letters)]
    return flaws


def _check_tables(told: ClubBook, seen: ClubSeen) -> Iterable[Flaw]:
    ids = {id: name for name, id in told.accounts.items()}
    for id, players in told.games.items():
        table = seen.tables.get(id)
        if table is None:
            yield Flaw(GONE, id, f"the game of {players}")
            continue
        sitting = sorted(ids.get(one or "", "somebody else") for one in table.seats)
        if sitting != sorted(players):
            yield Flaw(WRONG, id, f"{sitting} sit there, and not {players}")
        if id in told.ended and not table.over:
            yield Flaw(LOST, id, "its end was acknowledged")
    for id, table in seen.tables.items():
        for name, held in table.yours.items():
            own = tuple(n for n, one in enumerate(table.seats) if one and ids.get(one) == name)
            if set(held) - set(own):
                yield Flaw(OPENED, id, f"seats {held} to {name or 'a stranger'}")
            if set(own) - set(held):
                yield Flaw(LOST, id, f"seats {own} of {name}, who has {held}")


def _check_ratings(told: ClubBook, seen: ClubSeen) -> Iterable[Flaw]:
    names = {id: name for name, id in told.accounts.items()}
    for id, table in seen.tables.items():
        if not (table.over and table.rated) or table.void:
            continue
        for one in table.seats:
            name = names.get(one or "")
            if name is not None and id not in [game for game, _ in seen.rated.get(name, [])]:
                yield Flaw(LOST, name, f"the rating of game {id}")
    for name, changes in seen.rated.items():
        twice = [game for game, n in Counter(game for game, _ in changes).items() if n > 1]
        if twice:
            yield Flaw(DOUBLED, name, f"rated twice for {twice}")
        numbers = [number for _, number in changes]
        if numbers != list(range(1, len(numbers) + 1)) or seen.counted.get(name, 0) != len(numbers):
            words = f"rated games {numbers}, of which {seen.counted.get(name, 0)} count"
            yield Flaw(WRONG, name, words)
        for game, _ in changes:
            table = seen.tables.get(game)
            if table is not None and not (table.over and table.rated):
                yield Flaw(UNEXPLAINED, name, f"game {game} is rated, and not over")


def _check_event(told: ClubBook, seen: ClubSeen, id: str, event: EventSeen) -> Iterable[Flaw]:
    """Whoever has entered is there once, and everybody meets everybody once."""
    here = Counter(event.entrants)
    for name in told.entered.get(id, ()):
        if not here[told.accounts[name]]:
            yield Flaw(LOST, id, f"{name} had entered")
    if max(here.values(), default=1) > 1:
        yield Flaw(DOUBLED, id, f"entrants: {event.entrants}")
    if id in told.begun and event.state == "gathering":
        yield Flaw(LOST, id, "its beginning was acknowledged")
    pairs = Counter(frozenset(bout.players) for bout in event.bouts)
    if any(count > 1 for count in pairs.values()):
        yield Flaw(DOUBLED, id, f"two met twice: {pairs}")
    wanted = {frozenset(pair) for pair in combinations(event.entrants, 2)}
    if event.state == "over" and event.is_whole and set(pairs) != wanted:
        yield Flaw(LOST, id, f"it is over, and these have met: {list(pairs)}")
    games = Counter(bout.game for bout in event.bouts if bout.game)
    if any(count > 1 for count in games.values()):
        yield Flaw(DOUBLED, id, f"one game for two bouts: {games}")
    for bout in event.bouts:
        table = seen.tables.get(bout.game or "")
        if table is not None and sorted(filter(None, table.seats)) != sorted(bout.players):
            yield Flaw(WRONG, id, f"{table.seats} play the game of {bout.players}")
        if event.state == "over" and bout.winners is None:
            yield Flaw(LOST, id, f"the result of {bout.players}")
        if table is not None and bout.winners is not None and not table.over:
            yield Flaw(UNEXPLAINED, id, f"{bout.players} have a result, and still play")
