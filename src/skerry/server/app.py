"""The web app put together: which parts there are, how they know each other, and their routes."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import chain

from fastapi import FastAPI
from sqlalchemy.exc import DBAPIError
from starlette.middleware.gzip import GZipMiddleware

from skerry import __version__
from skerry.lab.openings.books import Books
from skerry.lab.report.shipped import list_shipped
from skerry.lab.work.process import follow_parent
from skerry.server.archive import routes as archive_routes
from skerry.server.archive.archive import Archive
from skerry.server.bots import routes as bot_routes
from skerry.server.bots.events import BotEvents
from skerry.server.bots.registry import LEFT, BotRegistry
from skerry.server.bots.service import BotService
from skerry.server.correspondence import routes as correspondence_routes
from skerry.server.correspondence.digests import Digests
from skerry.server.correspondence.vacations import Vacations
from skerry.server.db import health
from skerry.server.db.downtime import Uptime
from skerry.server.db.engine import open_database
from skerry.server.db.health import Health
from skerry.server.db.migrate import migrate
from skerry.server.db.notify import Channel
from skerry.server.db.outside import Outside
from skerry.server.db.retry import persist
from skerry.server.install import routes as install_routes
from skerry.server.keeping import routes as keeping_routes
from skerry.server.keeping.announcements import Announcements
from skerry.server.keeping.audit import Audit
from skerry.server.keeping.mail import Mail
from skerry.server.keeping.outbox import Outbox
from skerry.server.learn import lesson_routes, puzzle_routes
from skerry.server.learn import pages as learn_pages
from skerry.server.lobby import pages as lobby_pages
from skerry.server.lobby import routes as lobby_routes
from skerry.server.lobby import socket as lobby_socket
from skerry.server.lobby.hall import Hall
from skerry.server.lobby.service import LobbyService
from skerry.server.lobby.store import LOBBY, ChallengeStore
from skerry.server.manual import openapi
from skerry.server.manual import site as site_routes
from skerry.server.manual.openapi import ABOUT, describe_routes
from skerry.server.manual.site import Manual
from skerry.server.moderation import pages as moderation_pages
from skerry.server.moderation import routes as moderation_routes
from skerry.server.moderation.office import Office
from skerry.server.openings import routes as opening_routes
from skerry.server.people import mail_routes, own_routes, people_routes
from skerry.server.people import pages as people_pages
from skerry.server.people import routes as sign_routes
from skerry.server.people.accounts import Accounts
from skerry.server.people.addresses import Addresses
from skerry.server.people.cases import Cases
from skerry.server.people.complaints import Complaints
from skerry.server.people.guessing import Guesses
from skerry.server.people.hashing import Hasher
from skerry.server.people.leaving import Leaving
from skerry.server.people.passkeys import Passkeys
from skerry.server.people.profile import Profiles
from skerry.server.people.recovery import Recovery
from skerry.server.people.ties import Ties
from skerry.server.play import pictures
from skerry.server.play import routes as game_routes
from skerry.server.play import socket as game_socket
from skerry.server.play.announcer import CHANGED, Announcer
from skerry.server.play.clocks import read_time
from skerry.server.play.conditions import routes as condition_routes
from skerry.server.play.creation import Creation
from skerry.server.play.engines import Engines, find_named
from skerry.server.play.flags import Deadlines
from skerry.server.play.hub import Hub
from skerry.server.play.opponents import Opponents, always_alone
from skerry.server.play.presence import Presence
from skerry.server.play.service import Service
from skerry.server.play.store import Store
from skerry.server.play.views import Views
from skerry.server.positions import routes as position_routes
from skerry.server.positions.routes import KnownBoards
from skerry.server.positions.trials import Trials
from skerry.server.push import routes as push_routes
from skerry.server.push.messenger import Messenger
from skerry.server.push.subscriptions import Subscriptions
from skerry.server.ratings import routes as rating_routes
from skerry.server.ratings.book import RatingBook
from skerry.server.ratings.ladder import Ladder
from skerry.server.reports import own_routes as own_report_routes
from skerry.server.reports import routes as report_routes
from skerry.server.reports import solved as solved_routes
from skerry.server.reports.commissions import Commissions
from skerry.server.reports.measuring import Laboratory
from skerry.server.reports.press import Press
from skerry.server.settings import Settings
from skerry.server.sharing import cards as card_routes
from skerry.server.sharing.cards import Cards
from skerry.server.showing.seekers import Seekers
from skerry.server.study import pages as study_pages
from skerry.server.study import routes as study_routes
from skerry.server.study import socket as study_socket
from skerry.server.study.attention import Attention
from skerry.server.study.drafts import Drafts
from skerry.server.study.films import Films
from skerry.server.study.model import LARGEST_CHANGE, LARGEST_STUDY
from skerry.server.study.shelf import Shelf
from skerry.server.tournaments import pages as event_pages
from skerry.server.tournaments import routes as event_routes
from skerry.server.tournaments import socket as event_socket
from skerry.server.tournaments.organisation import Organisation
from skerry.server.web import metrics as metrics_route
from skerry.server.web import pages
from skerry.server.web.access import Identities, Tokens
from skerry.server.web.entrants import Acquaintances, EntrantNames, EntrantRatings
from skerry.server.web.guard import Guard
from skerry.server.web.limits import Limits
from skerry.server.web.logs import set_up
from skerry.server.web.metrics import Metrics
from skerry.server.web.pages import KeptPages
from skerry.server.web.parts import Parts
from skerry.server.web.refusals import add_handlers
from skerry.server.workers.errands import Answers
from skerry.server.workers.lanes import plan_lanes
from skerry.server.workers.pool import Pool
from skerry.server.workers.warm import Rulebook

ROUTES = (
    game_routes,
    condition_routes,
    pictures,
    position_routes,
    lesson_routes,
    puzzle_routes,
    game_socket,
    push_routes,
    study_socket,
    study_routes,
    study_pages,
    archive_routes,
    bot_routes,
    lobby_socket,
    lobby_routes,
    lobby_pages,
    rating_routes,
    sign_routes,
    own_routes,
    mail_routes,
    people_routes,
    people_pages,
    moderation_routes,
    moderation_pages,
    keeping_routes,
    correspondence_routes,
    event_socket,
    event_routes,
    event_pages,
    openapi,
    site_routes,
    health,
    metrics_route,
    learn_pages,
    own_report_routes,
    report_routes,
    solved_routes,
    opening_routes,
    card_routes,
    install_routes,
    pages,
)
COMPRESSION = 5  # of 9, which takes three times as long for 3 % less
TRIED = 10_000  # plies of lines that pages of courses and puzzles try
Work = Callable[[], Awaitable[None]]


class ServerProcess:
    """One server process: its parts, what they do without being asked, and how they end."""

    def __init__(self, settings: Settings, now: Callable[[], int] = read_time) -> None:
        settings.check()
        self._database = database = open_database(settings)
        self._channel = channel = Channel(database.url) if database.is_shared else None
        self.metrics = metrics = Metrics()
        rulebook, trials, ratings = Rulebook(), Trials(TRIED), RatingBook(database, now)
        self._pool = pool = Pool(plan_lanes(settings), metrics)
        # Who plays, and who is told.
        announcer = Announcer(across=database.is_shared)
        store = Store(database, rulebook, announcer, ratings)
        hub = Hub(metrics, settings.away, now)
        self._engines = engines = Engines(pool, metrics, announcer.refresh, find_named(settings))
        deadlines = Deadlines(store, metrics, now)
        alone = always_alone if channel is None else channel.alone
        self._opponents = opponents = Opponents(store, hub, engines, settings, metrics, now, alone)
        registry = BotRegistry(database, now)
        events = BotEvents(registry, store)
        self._uptime = Uptime(database, now)
        self._subscriptions = subscriptions = Subscriptions(database, now)
        self._messenger = messenger = Messenger(store, hub, subscriptions, settings, metrics, now)
        for follower in (deadlines.consider, opponents.consider, messenger.consider):
            announcer.follow(follower)
        announcer.tell(hub)
        announcer.tell(events)
        if channel is not None:
            Presence(channel, hub)
            channel.heard |= {CHANGED: announcer.hear, LEFT: events.dismiss}
            channel.missed.append(announcer.missed)
        outside = Outside(database, channel)
        outside.follow(announcer.missed)
        self.announcements = announcements = Announcements(database, now, channel)
        outside.follow(announcements.forget)
        # What visitors can do.
        ties, audit, books = Ties(database, now), Audit(database, now), Books(settings.openings)
        creation = Creation(store, rulebook, hub, engines, opponents, metrics, settings, books, now)
        service = Service(store, deadlines, hub, creation, metrics, ties, now)
        views = Views(deadlines, hub, engines, opponents, books, now)
        bots = BotService(registry, events, store, deadlines, creation, service, now)
        vacations = Vacations(database, store, deadlines, settings.vacation, now)
        self._mail = mail = Mail(settings)
        self._accounts = accounts = Accounts(database, Hasher(), now, settings.named_engines)
        # Where they meet.
        self._challenges = challenges = ChallengeStore(database)
        hall, ladder = (
            Hall(challenges, events, metrics, now),
            Ladder(database, ratings, accounts, settings.top_level, now),
        )
        lobby = LobbyService(challenges, creation, rulebook, settings, ratings.rate, ties, now)
        events.list_challenges = lobby.list_for
        if channel is not None:
            channel.heard[LOBBY] = challenges.hear
            channel.missed.append(hall.changed)
        organisation = Organisation(database, channel, outside, announcer, settings, now).open(
            store, creation, rulebook, accounts, ratings.rate
        )
        found = [
            challenges, hall, lobby, *organisation.parts,
            settings, database, metrics, rulebook, trials, pool, store, hub, deadlines, creation,
            service, views, registry, events, bots, Limits(settings), Shelf(database),
            Archive(database), ratings, ladder, Drafts(deadlines),
            Attention(pool, settings.analysing), Cards(),
            Films(pool), Press(pool), subscriptions, Health(database, channel), Answers(),
            KnownBoards(), KeptPages(), accounts, Guesses(settings.guesses),
            announcements, audit, mail, vacations, ties,
            Recovery(database, accounts, now), Passkeys(database, accounts, now),
            Leaving(database, store, service, now), Profiles(database, rulebook),
            Complaints(database, now), Manual(settings), Office(database, accounts, now),
            Cases(audit, accounts, now), Addresses(database, mail, settings.site, now), books,
            Commissions(settings, database),
        ]  # fmt: skip
        roles = {
            Tokens: registry, Identities: accounts, EntrantNames: accounts, Seekers: challenges,
            Acquaintances: ties, EntrantRatings: ladder,
        }  # fmt: skip
        self.parts: Parts = {type(part): part for part in found} | roles
        self._work: list[Work] = [
            lambda: _get_ready(engines, rulebook, self.parts[Press], settings.warm),
            self._uptime.keep_noting,
            outside.watch,
            announcements.keep_reading,
            vacations.watch,
            Outbox(database, mail, now).watch,
            Digests(database, store, mail, settings.site, now).watch,
            deadlines.watch,
            opponents.sweep,
            events.tell,
            messenger.tidy_up,
            creation.tidy_up,
            messenger.resume,
            messenger.retell,
            hall.keep_reading,
            lobby.pair,
            lambda: lobby.sweep(hall.present),
            lambda: Laboratory(self.parts[Commissions]).watch(),
            *organisation.work,
        ]
        metrics.ask("games_live", "Games that are being played", store.count_playing)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Bring the database up to date, and go on with what was being played, until the end."""
        async with AsyncExitStack() as stack:
            stack.enter_context(self._database.own())
            stack.push_async_callback(self._database.close)
            await persist(self._reach_database)  # a worker may start while it is away
            await migrate(self._database.engine)
            await self._subscriptions.open()
            await self.announcements.read()
            await self.parts[RatingBook].catch_up()
            await self._challenges.open()
            for part in (self._pool, self._engines, self._accounts, self._mail):
                stack.push_async_callback(part.close)
            work = list(self._work)
            if self._channel is not None:
                await self._channel.open()
                work.append(self._channel.listen)
            stack.push_async_callback(self._note_end)
            tasks = [asyncio.create_task(persist(task)) for task in work]
            stack.push_async_callback(_cancel, tasks)
            for user in (self._opponents, self._messenger):  # first, as they need the others
                stack.push_async_callback(user.close)
            yield

    async def _reach_database(self) -> None:
        async with self._database.connect():
            pass

    async def _note_end(self) -> None:
        with suppress(DBAPIError, ConnectionError):  # the next server then knows a little less
            await self._uptime.note()


async def _get_ready(engines: Engines, rulebook: Rulebook, press: Press, count: int) -> None:
    """See that nobody waits for what many ask for first; games before reports."""
    await engines.get_ready(rulebook, count)
    if count:
        await press.get_ready(chain(*list_shipped().values()))


async def _cancel(tasks: "list[asyncio.Task[None]]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def create_app(settings: Settings | None = None) -> FastAPI:
    """An app with these settings, by default those of the environment."""
    settings = settings or Settings.read()
    process = ServerProcess(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with process.run():
            await asyncio.to_thread(learn_pages.draw_start)  # nobody is to wait for it
            _calm_collector()
            yield

    app = FastAPI(
        title="skerry",
        description=ABOUT,
        version=__version__,
        lifespan=lifespan,
        openapi_url=None,  # it is among our routes, with a limit
        docs_url=None,  # they would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.parts = process.parts
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=COMPRESSION)
    app.add_middleware(
        Guard,
        metrics=process.metrics,
        larger={"/api/studies/": LARGEST_CHANGE, "/api/studies": LARGEST_STUDY},
        site=settings.site,
        at_once=settings.at_once,
        announced=lambda: process.announcements.current,
    )
    for module in ROUTES:
        describe_routes(module.router)
        app.include_router(module.router)
    add_handlers(app)
    return app


def create_worker() -> FastAPI:
    """An app in a process of its own, set up by the environment."""
    follow_parent()  # of several workers; otherwise they would keep the port when it is killed
    settings = Settings.read()
    set_up(settings.log_level)
    return create_app(settings)


def _calm_collector() -> None:
    """Look for garbage less often, and not among what stays for ever: compiled rules, classes.

    A full collection takes some tenths of a second here, during which every move waits.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
    gc.enable()
