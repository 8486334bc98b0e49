"""A record that is written while a game is played: move by move, with all that is said of them.

Records are immutable. A ``Scoresheet`` is not: moves are played on it, commented, varied and taken
back, and ``record()`` is what has been written so far.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from skerry.core.errors import RecordError
from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.state import Move, State
from skerry.records.tree import (
    Line,
    Ply,
    Record,
    check_depth,
    check_headers,
    check_result,
    check_texts,
    find_result,
    settle_start,
)


@dataclass
class OpenPly:
    """A ply of which more may be said."""

    said: Ply
    variations: "list[OpenLine]" = field(default_factory=list)  # beside those of ``said``

    @property
    def is_timed(self) -> bool:
        """Whether anything is known of the clock."""
        return (self.said.left, self.said.spent) != (None, None)

    def close(self) -> Ply:
        """All that was said."""
        if not self.variations:
            return self.said
        lines = tuple(line.close() for line in self.variations)
        return replace(self.said, variations=(*self.said.variations, *lines))


class OpenLine:
    """A line that is being written; ``here`` is where it has come to.

    What is said is said of the last action, and a variation goes instead of all that was played at
    once: a turn such as ``a3-c4``.
    """

    def __init__(self, here: Playthrough, line: Line | None = None, depth: int = 0) -> None:
        """Go on with a line that has come to ``here``."""
        line = line or Line()
        self.here = here
        self.comments = list(line.comments)
        self.plies = [OpenPly(ply) for ply in line.plies]
        self._depth = depth
        self._first = len(self.plies) - 1  # of the plies that were played at once

    @property
    def state(self) -> State:
        return self.here.state

    def play(
        self,
        move: str | Move | int,
        *comments: str,
        mark: str = "",
        left: int | None = None,
        spent: int | None = None,
    ) -> None:
        """Play a move or a whole turn, and say what there is to say of its last action."""
        here = self.here.follow([move])
        *others, last = [point.action or 0 for point in here.since(self.here.plies)]
        said = Ply(last, comments, mark=mark, left=left, spent=spent)
        self._first = len(self.plies)
        self.plies += [*(OpenPly(Ply(action)) for action in others), OpenPly(said)]
        self.here = here

    def comment(self, *comments: str) -> None:
        """Say more of the last move, or of the whole line where there is none yet."""
        check_texts("comment", comments)
        if self.plies:
            last = self.plies[-1]
            last.said = replace(last.said, comments=(*last.said.comments, *comments))
        else:
            self.comments += comments

    def annotate(
        self, mark: str | None = None, left: int | None = None, spent: int | None = None
    ) -> None:
        """Give the last move a mark or its times; what is None stays as it is."""
        if not self.plies:
            raise RecordError("marks and clocks stand after the move they belong to")
        given = {"mark": mark, "left": left, "spent": spent}
        changes: Any = {name: value for name, value in given.items() if value is not None}
        self.plies[-1].said = replace(self.plies[-1].said, **changes)

    def vary(self) -> "OpenLine":
        """A line that could have been played instead of what was played last, still empty."""
        if not self.plies:
            raise RecordError("a variation stands after the move it replaces")
        check_depth(self._depth + 1)
        at_once = len(self.plies) - self._first
        first = self.here.since(self.here.plies - at_once)[0]
        line = OpenLine(first.before or first, depth=self._depth + 1)
        self.plies[self._first].variations.append(line)
        return line

    def take_back(self) -> None:
        """Take the last action back, with all that was said of it."""
        if not self.plies or self.here.before is None:
            raise RecordError("there is no move to take back")
        self.plies.pop()
        self.here = self.here.before
        self._first = len(self.plies) - 1

    def close(self) -> Line:
        """What has been written; RecordError where a variation has no move yet."""
        if self._depth and not self.plies:
            raise RecordError("a variation needs at least one move")
        return Line(tuple(ply.close() for ply in self.plies), tuple(self.comments))


class Scoresheet(OpenLine):
    """The main line of a record that is being written, with its headers."""

    def __init__(
        self,
        game: Game,
        start: State | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        seed: int | None = None,
    ) -> None:
        """Begin at a start, by default ``game.initial(seed)``."""
        start, self.seed = settle_start(game, start, seed)
        super().__init__(Playthrough(start))
        self.headers = dict(headers or {})
        check_headers(self.headers)

    @classmethod
    def of(cls, record: Record) -> "Scoresheet":
        """Go on with a record; its result is left to ``record``."""
        sheet = cls(record.game, record.start, record.headers)
        sheet.seed = record.seed
        OpenLine.__init__(sheet, record.play, record.line)
        return sheet

    def record(self, result: str | None = None) -> Record:
        """What has been written so far.

        The result is what the game came to unless another is given, such as after a resignation.
        """
        result = find_result(self.state) if result is None else result
        record = Record(self.here.start, self.close(), result, self.headers, self.seed)
        check_result(self.state, result)
        record.remember(self.here)
        return record
