"""The parts of this subject, put together."""

from collections.abc import Callable

from skerry.server.db.engine import Database
from skerry.server.db.notify import Channel
from skerry.server.db.outside import Outside
from skerry.server.play.announcer import Announcer
from skerry.server.play.creation import Creation
from skerry.server.play.store import Store
from skerry.server.settings import Settings
from skerry.server.tournaments.director import Director, Rate
from skerry.server.tournaments.gallery import Gallery
from skerry.server.tournaments.service import EventService
from skerry.server.tournaments.store import EventStore
from skerry.server.web.entrants import EntrantNames
from skerry.server.workers.warm import Rulebook


class Organisation:
    """All that tournaments need: ``parts`` for routes, and ``work`` that never ends."""

    def __init__(
        self,
        database: Database,
        channel: Channel | None,
        outside: Outside,
        announcer: Announcer,
        settings: Settings,
        now: Callable[[], int],
    ) -> None:
        self._settings, self._now = settings, now
        self._announcer = announcer
        self._gallery = gallery = Gallery()
        self._events = EventStore(database, gallery.changed, channel)
        outside.follow(gallery.everything_changed)
        if channel is not None:
            channel.missed.append(gallery.everything_changed)

    def open(
        self,
        tables: Store,
        creation: Creation,
        rulebook: Rulebook,
        names: EntrantNames,
        rate: Rate,
    ) -> "Organisation":
        """Begin to follow the games."""
        director = Director(self._events, tables, creation, names, rate, self._now)
        self._announcer.follow(director.consider)
        service = EventService(self._events, director, rulebook, self._settings, self._now)
        self.parts = [self._events, self._gallery, director, service]
        self.work = [director.watch, director.pair_arenas]
        return self
