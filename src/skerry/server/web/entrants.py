"""Whoever is rated, paired or listed: persons by their accounts, bots and levels."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote, urlencode

from skerry.core.texts import N_
from skerry.server.web.errors import Refusal

PERSON, BOT, LEVEL = "person", "bot", "level"
KINDS = (PERSON, BOT, LEVEL)
DELETED = N_("Deleted player")  # what somebody is called whose account is gone


@dataclass(frozen=True, order=True)
class Entrant:
    """One of them; written as ``person:ID``, ``bot:NAME`` (folded) or ``level:N``."""

    kind: str
    key: str

    @classmethod
    def read(cls, text: str) -> "Entrant":
        kind, _, key = text.partition(":")
        if kind not in KINDS or not key or (kind == LEVEL and not key.isdecimal()):
            raise Refusal("an entrant is person:ID, bot:NAME or level:N")
        return cls(kind, key)

    def __str__(self) -> str:
        return f"{self.kind}:{self.key}"

    def link(self, name: str) -> str:
        """The page about somebody of that name."""
        if self.kind == PERSON:
            return f"/people/{quote(name, safe='')}"
        if self.kind == BOT:
            return f"/archive?{urlencode({'player': name})}"
        return f"/archive?{urlencode({'engine': str(self)})}"


class Acquaintances(Protocol):
    """Whoever knows who wants nothing to do with whom."""

    async def list_blocking(self, account: str, others: Collection[str]) -> Collection[str]:
        """Those of others, by the ids of their accounts, who have blocked somebody."""


class EntrantNames(Protocol):
    """Whoever knows what entrants are called."""

    async def name_entrants(self, entrants: Iterable[Entrant]) -> Mapping[Entrant, str]:
        """What each of them is called; those of whom nothing is left are deleted players."""

    async def resolve(self, entrant: Entrant) -> Entrant:
        """Whoever an entrant is now: a person whose account was merged is the other one."""


class EntrantRatings(Protocol):
    """Whoever knows how strong entrants are."""

    async def list_ratings(self, entrant: Entrant) -> list[dict[str, Any]]:
        """What somebody has in all games that they were rated in."""
