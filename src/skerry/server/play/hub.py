"""Whoever is connected: what changes is sent to all who look at it.

A viewer is told *that* something changed and then sent the game as it is at that moment, so a slow
connection skips what it has missed instead of falling behind.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from skerry.server.db.durations import SECOND
from skerry.server.play.clocks import A_DAY, DAYS
from skerry.server.play.table import Held, Table
from skerry.server.web.lru import Recent
from skerry.server.web.metrics import Metrics
from skerry.server.web.secrets import Credentials
from skerry.server.web.sockets import Viewers

SPREAD = 2.0  # seconds in which those who come and go to watch are told of together
MOST_NAMED = 12  # of those who watch a game
WATCHED_FOR = 60.0  # seconds that a look at a page counts, for those who reload it
REMEMBERED = 4096  # games that somebody has left
RETURNING = 30  # seconds after a restart in which nobody counts as gone


@dataclass(eq=False)
class Viewer:
    """One connection to one game."""

    shown: Credentials
    theme: str
    flipped: bool = False
    hidden: bool = False  # behind other pages, where nobody sees it
    held: Held = frozenset()
    news: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True)
class Absence:
    """Somebody who is to move is not there; from ``until`` on the others need not wait."""

    seat: int
    until: int


@dataclass(frozen=True)
class Audience:
    """Those who watch a game without a seat there: guests, and people by their accounts."""

    guests: int = 0
    people: Mapping[str, str] = field(default_factory=dict)  # names by ids

    def __add__(self, other: "Audience") -> "Audience":
        return Audience(self.guests + other.guests, {**self.people, **other.people})

    @property
    def count(self) -> int:
        return self.guests + len(self.people)

    @property
    def names(self) -> list[str]:
        return sorted(self.people.values(), key=str.casefold)[:MOST_NAMED]


def list_absent(absence: Absence | None, now: int) -> Held:
    """The seats that need not be waited for."""
    return frozenset() if absence is None or now < absence.until else frozenset({absence.seat})


class Hub(Viewers[Viewer]):
    """All viewers, by the game they look at.

    ``elsewhere`` is who sits at the games of other workers: game -> worker -> seats, and
    ``looking_elsewhere`` who of them sees the page. ``tell`` is called with a game whose seats came
    or went here, or began or ceased to look.
    """

    def __init__(self, metrics: Metrics, away: int, now: Callable[[], int]) -> None:
        super().__init__()
        self._metrics = metrics
        self._away = away
        self._now = now
        self._started = now()
        self._left: Recent[str, dict[int, int]] = Recent(REMEMBERED)  # game -> seat -> when
        self._seen: dict[str, float] = {}
        self.elsewhere: dict[str, dict[str, Held]] = {}
        self.looking_elsewhere: dict[str, dict[str, Held]] = {}
        self.watching_elsewhere: dict[str, dict[str, Audience]] = {}
        self._astir: set[str] = set()  # games whose audience is told of in a moment
        self.tell: Callable[[str], None] = lambda id: None

    def here(self, id: str) -> Held:
        """The seats of a game that are connected to this worker."""
        return frozenset().union(*(viewer.held for viewer in self._viewers.get(id, ())))

    def online(self, id: str) -> Held:
        """The seats of a game that are connected."""
        return self.here(id).union(*self.elsewhere.get(id, {}).values())

    def looking_here(self, id: str) -> Held:
        """The seats of a game that see a page of it, by this worker."""
        found = (viewer.held for viewer in self._viewers.get(id, ()) if not viewer.hidden)
        return frozenset().union(*found)

    def looking(self, id: str) -> Held:
        """The seats of a game that see a page of it."""
        return self.looking_here(id).union(*self.looking_elsewhere.get(id, {}).values())

    def watching_here(self, id: str) -> Audience:
        """Those who watch a game by this worker; people with several pages are there once."""
        viewers = [viewer for viewer in self._viewers.get(id, ()) if not viewer.held]
        people = [viewer.shown.person for viewer in viewers]
        known = {person.id: person.name for person in people if person is not None}
        return Audience(people.count(None), known)

    def watching(self, id: str) -> Audience:
        """All who watch a game."""
        return sum(self.watching_elsewhere.get(id, {}).values(), self.watching_here(id))

    def stir(self, id: str) -> None:
        """The audience of a game has changed; everybody is told, but not of each one by one."""
        if id not in self._astir:
            self._astir.add(id)
            asyncio.get_running_loop().call_later(SPREAD, self._calm, id)

    def _calm(self, id: str) -> None:
        self._astir.discard(id)
        self.changed(id)

    def absence(self, table: Table) -> Absence | None:
        """Whether somebody who is to move has gone.

        Games without a clock are played at leisure, and in those by days the clock itself decides.
        """
        seat = table.to_move
        if (
            seat not in table.links
            or seat in self.online(table.id)
            or not table.seats[seat].claimed
        ):
            return None
        if table.clock is not None and table.clock.kind == DAYS:
            return None
        seconds = A_DAY if table.clock is None else self._away
        # Whoever left before a restart was here when they opened the page, at least; pages that are
        # open come back by themselves.
        left = (self._left.get(table.id) or {}).get(seat, table.seats[seat].seen)
        until = max(table.since, left) + SECOND * seconds
        return Absence(seat, max(until, self._started + SECOND * min(RETURNING, seconds)))

    def absent(self, table: Table) -> Held:
        """The seats that the others need not wait for any longer."""
        return list_absent(self.absence(table), self._now())

    def note_leaving(self, id: str, before: Held) -> None:
        """Some seats were connected before; those that are not any more have left just now."""
        gone = before - self.online(id)
        if gone:
            now = self._now()
            self._left[id] = (self._left.get(id) or {}) | dict.fromkeys(gone, now)

    def games_here(self) -> list[str]:
        """The games that somebody is connected to by this worker."""
        return list(self._viewers)

    @contextmanager
    def join(self, id: str, viewer: Viewer, held: Held) -> Iterator[None]:
        """Look at a game for as long as this lasts."""
        self._viewers[id].add(viewer)
        self.seat(id, viewer, held)
        if not held:
            self._stir_all(id)
        viewer.news.set()
        try:
            with self._metrics.websockets.track_inprogress():
                yield
        finally:
            watched = not viewer.held
            self.seat(id, viewer, frozenset(), hidden=True)
            self._forget(id, viewer)
            if watched:
                self._stir_all(id)
            if id not in self._viewers:
                self.look(id)

    def _stir_all(self, id: str) -> None:
        """Somebody came to watch, or left: here and at other workers."""
        self.stir(id)
        self.tell(id)

    def seat(self, id: str, viewer: Viewer, held: Held, hidden: bool | None = None) -> None:
        """Note which seats a viewer holds, and tell the others if somebody came or went."""
        before, online, looking = self.here(id), self.online(id), self.looking_here(id)
        viewer.held = held
        viewer.hidden = viewer.hidden if hidden is None else hidden
        after = self.here(id)
        self.note_leaving(id, online)
        if after != before:
            self.changed(id)
        if after != before or self.looking_here(id) != looking:
            self.tell(id)

    def look(self, id: str) -> None:
        """Note that somebody looked at a game without staying connected."""
        now = time.monotonic()
        self._seen.pop(id, None)
        self._seen[id] = now
        while self._seen and next(iter(self._seen.values())) < now - WATCHED_FOR:
            del self._seen[next(iter(self._seen))]

    def is_watched(self, id: str) -> bool:
        seen = self._seen.get(id, -WATCHED_FOR)
        return bool(self._viewers.get(id)) or seen > time.monotonic() - WATCHED_FOR

    def watched(self) -> set[str]:
        return set(self._viewers) | {id for id in self._seen if self.is_watched(id)}
