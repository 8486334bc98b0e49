"""Passwords as hashes (argon2id), made in a thread of their own.

A hash takes a tenth of a second and 46 MiB, which is what makes guessing slow. So there is one at a
time, moves never wait for it, and if too many wait for theirs the next are told to come back.
"""

import asyncio
import os
import threading
import unicodedata
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from skerry.server.web.errors import Busy, Refusal

# As OWASP recommends for argon2id: https://cheatsheetseries.owasp.org, Password Storage.
HASHER = PasswordHasher(time_cost=1, memory_cost=46 * 1024, parallelism=1)
SHORTEST, LONGEST = 8, 200
MOST_WAITING = 32
NICENESS = 5
Found = TypeVar("Found")


def _make_up() -> str:
    """A hash that no password has, for names that nobody has: to compare with it takes as long."""
    cost = f"m={HASHER.memory_cost},t={HASHER.time_cost},p={HASHER.parallelism}"
    salt, hash = (
        b64encode(os.urandom(size)).rstrip(b"=").decode()
        for size in (HASHER.salt_len, HASHER.hash_len)
    )
    return f"$argon2id$v=19${cost}${salt}${hash}"


NOBODYS = _make_up()


def check_password(password: str, name: str) -> None:
    """See that a password is worth having."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refusal(
            f"a password has {SHORTEST} to {LONGEST} characters; a sentence is a good one"
        )
    if name.casefold() in password.casefold() and len(password) < len(name) + SHORTEST:
        raise Refusal("this password is hardly more than the name; choose another")
    if len(set(password)) < 4:
        raise Refusal("this password is easily guessed; choose another")


class Hasher:
    """Hashes passwords, and compares them with hashes."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(1, "passwords", initializer=_step_back)
        self._waiting = 0

    async def hash(self, password: str) -> str:
        return await self._run(HASHER.hash, _normalise(password))

    async def verify(self, password: str, kept: str | None) -> bool:
        """Whether a password is the one of this hash; without one it takes as long, and is not."""
        matches = await self._run(_verify, kept or NOBODYS, _normalise(password))
        return matches and kept is not None

    async def _run(self, work: Callable[..., Found], *order: object) -> Found:
        if self._waiting >= MOST_WAITING:
            raise Busy("too many people sign in at once; try again in a few seconds")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, work, *order)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _normalise(password: str) -> bytes:
    """The same letters from any keyboard."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def _verify(kept: str, password: bytes) -> bool:
    try:
        return HASHER.verify(kept, password)
    except (Argon2Error, InvalidHashError):
        return False


def _step_back() -> None:
    """Let whatever else the server does go first."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
