"""How many look for a game, for pages that only mention it."""

from typing import Protocol

from skerry.server.languages.choice import gettext, ngettext


class Seekers(Protocol):
    """Whoever knows who waits in the lobby."""

    async def count_people(self) -> int:
        """How many look for a game."""


def tell_seekers(count: int) -> str:
    """How many look for a game, on one line whatever their number."""
    if not count:
        return gettext("Meet others in the lobby")
    said = ngettext(
        "{n} person is looking for a game: meet in the lobby",
        "{n} people are looking for a game: meet in the lobby",
        count,
    )
    return said.format(n=count)
