"""What one visitor may ask for, so that there is enough for everybody."""

import ipaddress
import time
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from skerry.server.settings import Settings
from skerry.server.web.errors import TooMany

REMEMBERED = 20_000  # visitors; whoever was away longest is forgotten first
MINUTE = 60.0
DAY = 86_400.0


def visitor_of(address: str | None) -> str:
    """Who counts as one visitor: an address, or a whole network of the size one home gets."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return address or "unknown"
    if found.version == 4:
        return str(found)
    mapped = found.ipv4_mapped
    return str(mapped or ipaddress.ip_network((found, 64), strict=False))


class Buckets:
    """So many a minute for every visitor, with a whole minute's worth at once."""

    def __init__(self, what: str, per_minute: int, now: Callable[[], float]) -> None:
        self._what = what
        self._rate = per_minute
        self._now = now
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, visitor: str) -> None:
        """Take one; TooMany says how long to wait."""
        if not self._rate:
            return
        now = self._now()
        level, at = self._levels.pop(visitor, (float(self._rate), now))
        level = min(float(self._rate), level + (now - at) * self._rate / MINUTE)
        enough = level >= 1
        self._levels[visitor] = (level - 1 if enough else level, now)
        while len(self._levels) > REMEMBERED:
            self._levels.popitem(last=False)
        if not enough:
            wait = max(1, round((1 - level) * MINUTE / self._rate))
            raise TooMany(f"too many {self._what} from your address; try again in {wait} s")


class Days:
    """So many in a day for every visitor."""

    def __init__(self, what: str, most: int, now: Callable[[], float]) -> None:
        self._what = what
        self._most = most
        self._now = now
        self._made: defaultdict[str, deque[float]] = defaultdict(deque)

    def spend(self, visitor: str) -> None:
        """Count one more."""
        if not self._most:
            return
        made = self._made[visitor]
        while made and made[0] < self._now() - DAY:
            made.popleft()
        if len(made) >= self._most:
            raise TooMany(
                f"your address has made enough {self._what} for today; go on with one of them"
            )
        made.append(self._now())
        if len(self._made) > REMEMBERED:
            self._made.pop(next(iter(self._made)))


class Limits:
    """All limits of visitors."""

    def __init__(self, settings: Settings, now: Callable[[], float] = time.monotonic) -> None:
        self.creates = Buckets("new games", settings.creates, now)
        self.moves = Buckets("moves", settings.moves, now)
        self.chats = Buckets("remarks", settings.chats, now)
        self.previews = Buckets("pictures", settings.previews, now)
        self.reads = Buckets("requests", settings.reads, now)
        self.downloads = Buckets("downloads", settings.downloads, now)
        self.games = Days("games", settings.games, now)
        self.studies = Days("studies", settings.studies, now)
        self._most_sockets = settings.sockets
        self._connected: defaultdict[str, int] = defaultdict(int)
        self._most_judged = settings.thinking
        self._judged: defaultdict[str, int] = defaultdict(int)

    @contextmanager
    def connect(self, visitor: str) -> Iterator[None]:
        """Hold a live connection."""
        refusal = "too many live connections from your address; close some pages"
        with _one_more(self._connected, visitor, self._most_sockets, refusal):
            yield

    @contextmanager
    def judge(self, visitor: str) -> Iterator[None]:
        """Have an answer to a puzzle judged."""
        refusal = "enough answers from your address are being judged; wait for one of them"
        with _one_more(self._judged, visitor, self._most_judged, refusal):
            yield


@contextmanager
def _one_more(
    counts: defaultdict[str, int], visitor: str, most: int, refusal: str
) -> Iterator[None]:
    """Count what a visitor has at the same time; TooMany if that is enough already."""
    if most and counts[visitor] >= most:
        raise TooMany(refusal)
    counts[visitor] += 1
    try:
        yield
    finally:
        counts[visitor] -= 1
        if not counts[visitor]:
            del counts[visitor]
