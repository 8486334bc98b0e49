"""Lines of play that anybody tries on any board, remembered for a while."""

from collections.abc import Sequence

from skerry.core.errors import SkerryError
from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.state import State
from skerry.server.web.errors import Refusal
from skerry.server.web.lru import Recent

KEPT = 2048  # lines that somebody looked at lately


class Trials:
    """Lines by how they are written; whoever goes on from a known one pays for the new moves."""

    def __init__(self, kept: int = KEPT) -> None:
        self._known: Recent[tuple[Game, str, tuple[str, ...]], Playthrough] = Recent(kept)

    def find(self, start: State, moves: Sequence[str]) -> Playthrough:
        """The line of these moves or whole turns; a Refusal says which of them is wrong."""
        written = tuple(moves)
        known = len(written)
        line = None
        while known and line is None:
            line = self._known.get((start.game, start.position, written[:known]))
            known -= line is None
        line = line or Playthrough(start)
        for number in range(known, len(written)):
            line = _follow(line, written[number], number, len(written))
        self._known[start.game, start.position, written] = line
        return line


def _follow(line: Playthrough, written: str, number: int, count: int) -> Playthrough:
    try:
        return line.follow([written])
    except SkerryError as error:
        if number == count - 1:  # the one that is being tried
            raise
        raise Refusal(f"move {number + 1}: {error}") from None
