"""Who is at the door: every connection, and until when it may wait.

A connection waits while we wait for it: for the head of a request, for the rest of a body, for the
next request. Whoever waits takes a place that others need, so places are bounded, for each visitor
and in all; if they are all taken, the one that has waited longest is sent away for whoever comes.
"""

import asyncio
import ipaddress
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from skerry.server.web.requests import split

HEAD_TIME = 10.0  # seconds to send the head of a request
BODY_TIME = 30.0  # seconds to send its body
READING_TIME = 30.0  # seconds in which somebody has to take something of an answer
SWEEP = 1.0  # seconds between looks for those whose time is over
ROOM = 8192  # connections, if the system lets us have so many files
KEPT_BACK = 256  # files for other things than connections


class Connection(Protocol):
    """Somebody who is connected."""

    visitor: str

    @property
    def is_held_up(self) -> bool:
        """Whether it is we who keep them from sending."""

    def expire(self) -> None:
        """They have waited for too long, or others need their place."""

    def abort(self) -> None:
        """They take nothing of what they asked for."""


def make_room() -> int:
    """Let this process have as many files as it may; how many connections fit in."""
    if sys.platform == "win32":
        return ROOM
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ROOM + KEPT_BACK
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    found = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
    return max(KEPT_BACK, found - KEPT_BACK)


@dataclass(eq=False)
class Door:
    """Lets ``most`` connections in, and ``share`` of one visitor (0: any number).

    Trusted ``proxies`` bring many visitors, so they may have as many as there are.
    """

    most: int = ROOM
    share: int = 0
    proxies: str = ""
    now: Callable[[], float] = time.monotonic
    _present: dict[str, set[Connection]] = field(default_factory=dict)
    _waiting: dict[Connection, float] = field(default_factory=dict)  # since the longest first
    _stalled: dict[Connection, float] = field(default_factory=dict)
    _sweeping: bool = False

    def admit(self, connection: Connection, others: int) -> bool:
        """Let somebody in besides so many ``others``; whether there is a place."""
        present = self._present.setdefault(connection.visitor, set())
        present.add(connection)
        is_crowd = self.share and len(present) > self.share and not self._is_proxy(connection)
        if is_crowd and not self._send_away(one for one in self._waiting if one in present):
            return False
        if others >= self.most and not self._send_away(self._waiting):
            return False
        self.wait(connection, HEAD_TIME)
        return True

    def _send_away(self, candidates: Iterable[Connection]) -> bool:
        found = next(iter(candidates), None)
        if found is None:
            return False
        self.leave(found)
        found.expire()
        return True

    def _is_proxy(self, connection: Connection) -> bool:
        for proxy in split(self.proxies):
            try:
                if proxy == "*" or ipaddress.ip_address(connection.visitor) in ipaddress.ip_network(
                    proxy, strict=False
                ):
                    return True
            except ValueError:
                continue  # a name of a host, or the network of a visitor
        return False

    def wait(self, connection: Connection, seconds: float) -> None:
        """Somebody may take so long, from now on."""
        self._waiting.pop(connection, None)
        self._waiting[connection] = self.now() + seconds
        self._sweep_later()

    def is_waiting(self, connection: Connection) -> bool:
        return connection in self._waiting

    def serve(self, connection: Connection) -> None:
        """Somebody has sent all of a request, and waits for us."""
        self._waiting.pop(connection, None)

    def stall(self, connection: Connection) -> None:
        """Somebody does not take what we send."""
        self._stalled[connection] = self.now() + READING_TIME
        self._sweep_later()

    def flow(self, connection: Connection) -> None:
        """Somebody takes what we send."""
        self._stalled.pop(connection, None)

    def leave(self, connection: Connection) -> None:
        """Somebody is gone, or is no longer our business."""
        self._waiting.pop(connection, None)
        self._stalled.pop(connection, None)
        present = self._present.get(connection.visitor, set())
        present.discard(connection)
        if not present:
            self._present.pop(connection.visitor, None)

    def sweep(self) -> None:
        """Send away those whose time is over."""
        now = self.now()
        for connection, until in list(self._waiting.items()):
            if until <= now and not connection.is_held_up:
                self.leave(connection)
                connection.expire()
        for connection, until in list(self._stalled.items()):
            if until <= now:
                self.leave(connection)
                connection.abort()

    def _sweep_later(self) -> None:
        if not self._sweeping:
            self._sweeping = True
            asyncio.get_running_loop().call_later(SWEEP, self._sweep_again)

    def _sweep_again(self) -> None:
        self._sweeping = False
        self.sweep()
        if self._waiting or self._stalled:
            self._sweep_later()
