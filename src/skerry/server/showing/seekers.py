"""How many look for a game, for pages that only mention it."""

from typing import Protocol


class Seekers(Protocol):
    """Whoever knows who waits in the lobby."""

    async def count_people(self) -> int:
        """How many look for a game."""


def tell_seekers(count: int) -> str:
    """How many look for a game, on one line whatever their number."""
    if not count:
        return "Meet others in the lobby"
    if count == 1:
        return "1 person is looking for a game: meet in the lobby"
    return f"{count} people are looking for a game: meet in the lobby"
