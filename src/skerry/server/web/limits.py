"""What one visitor may ask for, so that there is enough for everybody.

Routes name their limits as dependencies, which FastAPI checks before the route runs:

    @router.get("/games", dependencies=[spend("reads")])
"""

import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

from fastapi import Depends

from skerry.server.settings import Settings
from skerry.server.web.access import Visitor
from skerry.server.web.errors import TooMany
from skerry.server.web.lru import Recent
from skerry.server.web.parts import Part

REMEMBERED = 20_000  # visitors; whoever was away longest is forgotten first
MINUTE = 60.0
DAY = 86_400.0
Rate = Literal["creates", "moves", "chats", "previews", "reads", "downloads"]
RATES: dict[Rate, str] = {
    "creates": "new games",
    "moves": "moves",
    "chats": "chat messages",
    "previews": "pictures",
    "reads": "requests",
    "downloads": "downloads",
}
Quota = Literal["games", "studies", "subscriptions"]
# What to do instead.
QUOTAS: dict[Quota, str] = {
    "games": "continue one of them",
    "studies": "continue one of them",
    "subscriptions": "try again tomorrow",
}
Share = Literal["sockets", "judged"]


class TokenBucket:
    """A token bucket for every visitor: so many a minute, with a minute's worth at once."""

    def __init__(self, what: str, per_minute: int, now: Callable[[], float]) -> None:
        self._what = what
        self._rate = per_minute
        self._now = now
        self._levels: Recent[str, tuple[float, float]] = Recent(REMEMBERED)

    def spend(self, visitor: str) -> None:
        """Take a token; TooMany says how long to wait for the next."""
        if not self._rate:
            return
        now = self._now()
        level, at = self._levels.get(visitor) or (float(self._rate), now)
        level = min(float(self._rate), level + (now - at) * self._rate / MINUTE)
        enough = level >= 1
        self._levels[visitor] = (level - 1 if enough else level, now)
        if not enough:
            wait = max(1, round((1 - level) * MINUTE / self._rate))
            raise TooMany(f"too many {self._what} from your address; try again in {wait} s")


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


class Limits:
    """All limits of visitors, by the names of their settings."""

    def __init__(self, settings: Settings, now: Callable[[], float] = time.monotonic) -> None:
        self.rates = {
            name: TokenBucket(what, getattr(settings, name), now) for name, what in RATES.items()
        }
        self.quotas = {
            name: DailyQuota(name, getattr(settings, name), now, advice)
            for name, advice in QUOTAS.items()
        }
        self.shares: dict[Share, Concurrency] = {
            "sockets": Concurrency(
                "too many live connections from your address; close some pages", settings.sockets
            ),
            "judged": Concurrency(
                "enough answers from your address are being judged; wait for one of them",
                settings.thinking,
            ),
        }


def spend(*names: Rate) -> Any:
    """A dependency that takes a token from each of these buckets."""

    async def check(limits: Part[Limits], visitor: Visitor) -> None:
        for name in names:
            limits.rates[name].spend(visitor)

    return Depends(check)


def spender(name: Rate) -> Any:
    """A dependency for live connections: a function that takes a token, once for each message."""

    async def find(limits: Part[Limits], visitor: Visitor) -> Callable[[], None]:
        return partial(limits.rates[name].spend, visitor)

    return Depends(find)


def reserve(name: Quota) -> Any:
    """A dependency that counts against a quota, unless the request fails."""

    async def check(limits: Part[Limits], visitor: Visitor) -> AsyncIterator[None]:
        with limits.quotas[name].reserve(visitor):
            yield

    return Depends(check)


def hold(name: Share) -> Any:
    """A dependency that lasts as long as its request or connection."""

    async def check(limits: Part[Limits], visitor: Visitor) -> AsyncIterator[None]:
        with limits.shares[name].hold(visitor):
            yield

    return Depends(check)
