"""Guessing passwords is slowed down: for every visitor, and for every account."""

import time
from collections.abc import Callable

from skerry.core.texts import N_
from skerry.server.web.errors import TooMany
from skerry.server.web.limits import TokenBucket
from skerry.server.web.lru import Recent
from skerry.server.web.text import fold

REMEMBERED = 20_000
BURST = 600.0  # seconds' worth of attempts for an account, whoever makes them; then one a minute


class Guesses:
    """Attempts to sign in: ``per_minute`` for a visitor, and one for an account from strangers.

    Wherever somebody has signed in before, the account is not closed by what strangers do.
    """

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._visitors = TokenBucket(N_("attempts to sign in"), per_minute, now)
        self._accounts = TokenBucket("attempts", min(1, per_minute), now, BURST)
        self._known: Recent[tuple[str, str], bool] = Recent(REMEMBERED)

    def check(self, name: str, visitor: str) -> None:
        """TooMany if somebody has to wait before the next attempt."""
        self._visitors.spend(visitor)
        folded = fold(name)
        if self._known.get((folded, visitor)):
            return
        wait = self._accounts.ask(folded)
        if wait:
            raise TooMany(
                f"there were too many attempts to sign in under this name; try again in {wait} s",
                wait,
            )

    def welcome(self, name: str, visitor: str) -> None:
        """Somebody has signed in."""
        self._known[fold(name), visitor] = True
