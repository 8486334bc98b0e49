"""What one visitor may ask for, so that there is enough for everybody.

Routes name their limits as dependencies, which FastAPI checks before the route runs:

    @router.get("/games", dependencies=[spend("reads")])
"""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from fastapi import Depends

from skerry.core.texts import N_
from skerry.server.settings import Settings
from skerry.server.web.access import Visitor
from skerry.server.web.errors import Busy, TooMany
from skerry.server.web.lru import Recent
from skerry.server.web.parts import Part

REMEMBERED = 20_000  # visitors; whoever was away longest is forgotten first
MINUTE = 60.0
DAY = 86_400.0
Rate = Literal["creates", "moves", "chats", "previews", "reads", "downloads", "told"]
RATES: dict[Rate, str] = {
    "creates": N_("new games"),
    "moves": N_("moves"),
    "chats": N_("chat messages"),
    "previews": N_("pictures"),
    "reads": N_("requests"),
    "downloads": N_("downloads"),
    "told": N_("live games"),
}
# What nobody asks for one by one waits rather than comes all at once. In seconds.
BURSTS: dict[Rate, float] = {"told": 10.0}
Quota = Literal["accounts", "games", "studies", "subscriptions"]
# What to do instead.
QUOTAS: dict[Quota, str] = {
    "accounts": N_("sign in to one of them"),
    "games": N_("continue one of them"),
    "studies": N_("continue one of them"),
    "subscriptions": N_("try again tomorrow"),
}
MOST_WAITING = 64  # requests of a visitor that wait for their turn
MOST_IN_ALL = 2000
Share = Literal["sockets", "judged", "taken"]
Pay = Callable[[int], None]
Pace = Callable[[int], Awaitable[None]]
PLIES_A_TOKEN = 25


class TokenBucket:
    """A token bucket for every visitor: so many a minute, with ``burst`` seconds' worth at once."""

    def __init__(
        self, what: str, per_minute: int, now: Callable[[], float], burst: float = MINUTE
    ) -> None:
        self._what = what
        self._rate = per_minute
        self._most = max(1.0, per_minute * burst / MINUTE)
        self._now = now
        self._levels: Recent[str, tuple[float, float]] = Recent(REMEMBERED)

    def spend(self, visitor: str, price: int = 1) -> None:
        """Take tokens; TooMany says how long to wait for so many.

        What costs more than there can be costs all of it.
        """
        wait = self.ask(visitor, price)
        if wait:
            raise TooMany(f"too many {self._what} from your address; try again in {wait} s", wait)

    def ask(self, visitor: str, price: int = 1) -> int:
        """Take tokens if there are enough; otherwise the seconds to wait for so many."""
        if not self._rate:
            return 0
        now = self._now()
        level, at = self._levels.get(visitor) or (self._most, now)
        level = min(self._most, level + (now - at) * self._rate / MINUTE)
        due = min(price, self._most)
        enough = level >= due
        self._levels[visitor] = (level - due if enough else level, now)
        return 0 if enough else max(1, round((due - level) * MINUTE / self._rate))


class DailyQuota:
    """So many a day for every visitor, whenever in the day."""

    def __init__(self, what: str, most: int, now: Callable[[], float], advice: str) -> None:
        self._what = what
        self._most = most
        self._now = now
        self._advice = advice
        self._made: defaultdict[str, deque[float]] = defaultdict(deque)

    @contextmanager
    def reserve(self, visitor: str) -> Iterator[None]:
        """Count one more, unless it fails after all."""
        if not self._most:
            yield
            return
        made, at = self._made[visitor], self._now()
        while made and made[0] < at - DAY:
            made.popleft()
        if len(made) >= self._most:
            raise TooMany(f"your address has made enough {self._what} for today; {self._advice}")
        made.append(at)
        if len(self._made) > REMEMBERED:
            self._made.pop(next(iter(self._made)))
        try:
            yield
        except BaseException:
            made.remove(at)
            raise


class Concurrency:
    """So many at the same time for every visitor."""

    def __init__(self, refusal: str, most: int) -> None:
        self._refusal = refusal
        self._most = most
        self._counts: defaultdict[str, int] = defaultdict(int)

    @contextmanager
    def hold(self, visitor: str) -> Iterator[None]:
        """Have one more for as long as this lasts."""
        if self._most and self._counts[visitor] >= self._most:
            raise TooMany(self._refusal)
        self._counts[visitor] += 1
        try:
            yield
        finally:
            self._counts[visitor] -= 1
            if not self._counts[visitor]:
                del self._counts[visitor]


@dataclass
class _Party:
    """The requests of a visitor."""

    inside: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class Gate:
    """So many requests of every visitor are worked on at once, and the others wait in their order.

    Requests that come at once are otherwise worked on one right after the other, and everybody who
    comes later waits for all of them. 0 ``each`` is no limit.
    """

    def __init__(self, each: int) -> None:
        self._each = each
        self._parties: dict[str, _Party] = {}
        self._total = 0

    async def enter(self, visitor: str) -> Callable[[], None]:
        """Wait for a turn; what comes back is called once, when the work is done."""
        if not self._each:
            return lambda: None
        party = self._parties.setdefault(visitor, _Party())
        if len(party.waiting) >= MOST_WAITING:
            raise TooMany("too many requests from your address at once; send them one by one", 1)
        if self._total >= MOST_IN_ALL:
            raise Busy("too many requests at once; try again in a few seconds")
        self._total += 1
        if party.inside < self._each:
            party.inside += 1
        else:
            await self._wait(visitor, party)
        left = False

        def leave() -> None:
            nonlocal left
            if not left:
                left = True
                self._leave(visitor, party)

        return leave

    async def _wait(self, visitor: str, party: _Party) -> None:
        turn = asyncio.get_running_loop().create_future()
        party.waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(visitor, party)
            else:
                party.waiting.remove(turn)
                self._total -= 1
            raise

    def _leave(self, visitor: str, party: _Party) -> None:
        """Somebody is done: whoever waits takes their place."""
        self._total -= 1
        while party.waiting:
            turn = party.waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        party.inside -= 1
        if not party.inside:
            self._parties.pop(visitor, None)


class Limits:
    """All limits of visitors, by the names of their settings."""

    def __init__(self, settings: Settings, now: Callable[[], float] = time.monotonic) -> None:
        self.rates = {
            name: TokenBucket(what, getattr(settings, name), now, BURSTS.get(name, MINUTE))
            for name, what in RATES.items()
        }
        self.quotas = {
            name: DailyQuota(name, getattr(settings, name), now, advice)
            for name, advice in QUOTAS.items()
        }
        self.shares: dict[Share, Concurrency] = {
            "sockets": Concurrency(
                N_("too many live connections from your address; close some pages"),
                settings.sockets,
            ),
            "judged": Concurrency(
                N_("enough answers from your address are being judged; wait for one of them"),
                settings.thinking,
            ),
            "taken": Concurrency(
                N_("you are downloading many games already; wait until that is done"),
                min(1, settings.downloads),
            ),
        }


def price_of(plies: int) -> int:
    """What it costs to look at a line of play: a token, and more for a long one."""
    return 1 + plies // PLIES_A_TOKEN


def spend(name: Rate, price: int = 1) -> Any:
    """A dependency that takes tokens from a bucket."""

    async def check(limits: Part[Limits], visitor: Visitor) -> None:
        limits.rates[name].spend(visitor, price)

    return Depends(check)


def spender(name: Rate) -> Any:
    """A dependency for what shows its price later: a function that takes so many tokens."""

    async def find(limits: Part[Limits], visitor: Visitor) -> Pay:
        return partial(limits.rates[name].spend, visitor)

    return Depends(find)


def pacer(name: Rate) -> Any:
    """A dependency for what is sent unasked: a function that waits until there are so many tokens.

    Whoever has too much sent to them gets it later, and less often.
    """

    async def find(limits: Part[Limits], visitor: Visitor) -> Pace:
        async def wait(price: int) -> None:
            while seconds := limits.rates[name].ask(visitor, price):
                await asyncio.sleep(seconds)

        return wait

    return Depends(find)


def reserve(name: Quota) -> Any:
    """A dependency that counts against a quota, unless the request fails."""

    async def check(limits: Part[Limits], visitor: Visitor) -> AsyncIterator[None]:
        with limits.quotas[name].reserve(visitor):
            yield

    return Depends(check)


def creating(name: Quota) -> list[Any]:
    """What a route depends on that makes something of which there are so many a day."""
    return [spend("creates"), reserve(name)]


def hold(name: Share) -> Any:
    """A dependency that lasts as long as its request or connection."""

    async def check(limits: Part[Limits], visitor: Visitor) -> AsyncIterator[None]:
        with limits.shares[name].hold(visitor):
            yield

    return Depends(check)
