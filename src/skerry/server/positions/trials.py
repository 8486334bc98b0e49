"""Lines of play that anybody tries on any board, remembered for a while."""

from collections.abc import Sequence
from typing import NamedTuple

from skerry.core.errors import SkerryError
from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.state import State
from skerry.server.web.errors import Refusal
from skerry.server.web.lru import Recent

KEPT = 100_000  # plies of lines that somebody looked at lately, of 1.5 kB each


class _KnownLine(NamedTuple):
    """A line as it was written, and as it was played."""

    written: tuple[str, ...]
    line: Playthrough

    @property
    def weight(self) -> int:
        return 1 + self.line.plies


class Trials:
    """Lines by how they are written; whoever goes on from a known one pays for the new moves.

    A line is known by hashes of its moves, each made from the one before: however long it is, its
    beginnings are all looked for in one walk.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._known: Recent[tuple[Game, str, int], _KnownLine] = Recent(
            kept, weigh=lambda known: known.weight
        )

    def find(self, start: State, moves: Sequence[str]) -> Playthrough:
        """The line of these moves or whole turns; a Refusal says which of them is wrong."""
        written = tuple(moves)
        hashes = [0]
        for move in written:
            hashes.append(hash((hashes[-1], move)))
        line, known = self._find_longest(start, written, hashes)
        for number in range(known, len(written)):
            line = _follow(line, written[number], number, len(written))
        self._known[start.game, start.position, hashes[-1]] = _KnownLine(written, line)
        return line

    def _find_longest(
        self, start: State, written: tuple[str, ...], hashes: list[int]
    ) -> tuple[Playthrough, int]:
        """The longest known beginning of a line, and how many of its moves that is."""
        for count in range(len(written), 0, -1):
            found = self._known.get((start.game, start.position, hashes[count]))
            if found is not None and found.written == written[:count]:
                return found.line, count
        return Playthrough(start), 0


def _follow(line: Playthrough, written: str, number: int, count: int) -> Playthrough:
    try:
        return line.follow([written])
    except SkerryError as error:
        if number == count - 1:  # the one that is being tried
            raise
        raise Refusal(f"move {number + 1}: {error}") from None
