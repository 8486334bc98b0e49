"""Whoever has a seat and does not look at the game is told when it is their turn.

A move never waits for this. A change is looked at again a moment later: whoever has come back by
then, or has merely loaded the page anew, needs no message. Each message is claimed in the database
before it is sent, so of several workers one sends it, and what is not sent when a process ends is
sent by the next.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field

from sqlalchemy.exc import DBAPIError

from skerry.server.db.durations import DAY, SECOND
from skerry.server.db.retry import persist
from skerry.server.play.hub import Hub
from skerry.server.play.store import Store
from skerry.server.play.table import Held, Table
from skerry.server.push.address import read_endpoint
from skerry.server.push.delivery import Receipt, post
from skerry.server.push.encryption import Addressee, encrypt
from skerry.server.push.notices import Notice, find_game, find_key, list_knowing, list_notices
from skerry.server.push.subscriptions import Claim, Subscription, Subscriptions
from skerry.server.settings import Settings
from skerry.server.web.errors import NotFound, Refusal
from skerry.server.web.logs import log
from skerry.server.web.metrics import Metrics
from skerry.server.web.refusals import note_absence

DELAY = 2.0  # seconds until a change is looked at again
MOST_WAITING = 1000  # games of which somebody has yet to be told; beyond that nobody is
AT_ONCE = 16  # connections to push services
PAUSES = (5.0, 30.0)  # seconds before a message is tried again
LONGEST_PAUSE = 120.0  # that a push service can ask for
ROUND = 60.0  # seconds after which somebody looks for what others have left behind
SENT, GONE, FAILED = "sent", "gone", "failed"


@dataclass(eq=False)
class Messenger:
    """The messages that are on their way; a follower of games, as the announcer has them."""

    store: Store
    hub: Hub
    subscriptions: Subscriptions
    settings: Settings
    metrics: Metrics
    now: Callable[[], int]
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _waiting: dict[str, Held] = field(default_factory=dict)  # by game, seats that do not look
    _lines: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    _untold: dict[str, Held] = field(default_factory=dict)  # because the database was away
    _away: asyncio.Event = field(default_factory=asyncio.Event)
    _closed: bool = False

    def consider(self, table: Table, visitor: str | None = None) -> None:
        """A table has changed: tell whoever is concerned and does not see it."""
        id = table.id
        seats = frozenset(notice.seat for notice in self._list(table))
        if seats:
            self._begin(id, seats)

    def _begin(self, id: str, seats: Held) -> None:
        """Tell these seats of a game, if they do not look a moment later."""
        if self._closed:
            return
        if id in self._waiting:
            self._waiting[id] |= seats
            return
        if len(self._tasks) >= MOST_WAITING:
            log("too many messages wait to be sent", level=logging.WARNING, game=id)
            return
        self._waiting[id] = seats
        self._start(self._tell(id))

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _list(self, table: Table) -> list[Notice]:
        """What is news to somebody who does not look."""
        looking = self.hub.looking(table.id)
        return [notice for notice in list_notices(table, self.now()) if notice.seat not in looking]

    async def _tell(self, id: str) -> None:
        """Tell whoever does not look a moment later."""
        try:
            await asyncio.sleep(DELAY)
        except asyncio.CancelledError:
            await self._leave(id, self._waiting.pop(id))
            raise
        seats = self._waiting.pop(id)  # what changes from now on is told anew
        try:
            table = await self.store.find(id)
            for notice in self._list(table):
                claims = await self._claim(table, notice)
                await asyncio.gather(*(self._deliver(claim, notice) for claim in claims))
        except (DBAPIError, ConnectionError):
            if len(self._untold) < MOST_WAITING:
                self._untold[id] = seats
            self._away.set()
        except Exception:
            log("nobody could be told", level=logging.ERROR, game=id, exc_info=True)

    async def retell(self) -> None:
        """Tell what could not be told while the database was away, as soon as it is back."""
        while True:
            await self._away.wait()
            await self.subscriptions.count()  # or this begins again, which is noted
            self._away.clear()
            untold, self._untold = self._untold, {}
            for id, seats in untold.items():
                self._begin(id, seats)

    async def _leave(self, id: str, seats: Held) -> None:
        """Leave it to the next process to tell these seats; nobody is connected here any more."""
        table = await self.store.find(id)
        for notice in list_notices(table, self.now()):
            if notice.seat in seats:
                for claim in await self._claim(table, notice):
                    await self.subscriptions.hand_over(claim)

    async def _claim(self, table: Table, notice: Notice) -> list[Claim]:
        seat, key = table.seats[notice.seat], find_key(table, notice.seat)
        if key is None:
            return []
        account = seat.owner if seat.secret is None else None
        knowing = list_knowing(table, notice)
        mark, lifetime = notice.mark, notice.lifetime
        return await self.subscriptions.claim(key, mark, knowing, lifetime, account)

    async def resume(self) -> None:
        """Send, from time to time, what processes have left behind that are gone."""
        at_start = True
        while True:
            await asyncio.sleep(DELAY)  # whoever was here before is back by then
            for claim in await self.subscriptions.take_over(at_start):
                if self._closed:
                    await self.subscriptions.hand_over(claim)
                else:
                    self._start(self._resume(claim))
            at_start = False
            await asyncio.sleep(ROUND)

    async def _resume(self, claim: Claim) -> None:
        try:
            notice = await self._find_news(claim)
            if notice is not None:
                await self._deliver(claim, notice)
            else:
                await self.subscriptions.settle(claim)
        except (DBAPIError, ConnectionError) as error:  # it is found again when its lease is over
            note_absence(error)
        except Exception:
            log("nobody could be told", level=logging.ERROR, mark=claim.mark, exc_info=True)

    async def _deliver(self, claim: Claim, notice: Notice) -> None:
        """Send a message, and try again a few times if the push service has trouble."""
        try:
            result = await self._insist(claim, notice)
        except asyncio.CancelledError:
            await self.subscriptions.hand_over(claim)  # the next process goes on at once
            raise
        if result is not None:
            self.metrics.pushes.labels(result=result).inc()
        # However long that takes: what counts as untold would be told again.
        await persist(lambda: self.subscriptions.settle(claim))

    async def _insist(self, claim: Claim, notice: Notice) -> str | None:
        """What became of a message; None if there was no need for it any more."""
        for pause in (*PAUSES, None):
            receipt = await self._try(claim.subscription, notice)
            if receipt is not None and receipt.is_gone:
                await self.subscriptions.forget(claim.subscription.endpoint)
                return GONE
            if receipt is not None and receipt.is_final:
                return SENT if receipt.is_taken else FAILED
            if pause is None:
                break
            wait = min(LONGEST_PAUSE, max(pause, receipt.wait if receipt else 0))
            await asyncio.sleep(wait)
            if await self._find_news(claim) is None:
                return None
        return FAILED

    async def _find_news(self, claim: Claim) -> Notice | None:
        """What was to be told, if it still is what there is to tell."""
        try:
            table = await self.store.find(find_game(claim.mark))
        except NotFound:
            return None
        found = (notice for notice in self._list(table) if notice.mark == claim.mark)
        return next((n for n in found if find_key(table, n.seat) == claim.secret), None)

    async def _try(self, subscription: Subscription, notice: Notice) -> Receipt | None:
        """What the push service answers; None if it cannot be reached."""
        allowed = self.settings.allowed_services
        try:
            service = read_endpoint(subscription.endpoint, allowed).origin
            contact = self.settings.contact or self.settings.site or subscription.origin
            headers = {
                "Authorization": self.subscriptions.signer.sign(
                    service, contact, self.now() // SECOND
                ),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(notice.lifetime),
                "Topic": notice.game,  # of several about one game, the last is kept
                "Urgency": "high" if notice.is_urgent else "normal",
            }
            reader = Addressee.read(subscription.p256dh, subscription.auth)
            body = encrypt(notice.write(subscription.language), reader)
            async with self._lines:
                receipt = await post(subscription.endpoint, headers, body, allowed)
        except (OSError, ValueError, Refusal) as error:
            log("a push service was not reached", level=logging.WARNING, reason=str(error))
            return None
        if not receipt.is_taken:
            log("a push service refused", level=logging.WARNING, status=receipt.status)
        return receipt

    async def tidy_up(self) -> None:
        """Forget, day by day, the browsers that never came back."""
        while True:
            await self.subscriptions.prune()
            await asyncio.sleep(DAY / SECOND)

    async def close(self) -> None:
        self._closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
