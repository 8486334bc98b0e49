"""Games kept in a folder: each as a record of its own, so that nothing is lost or played twice."""

from itertools import product
from pathlib import Path

from skerry.core.errors import RecordError
from skerry.lab.contest.forfeit import find_played
from skerry.lab.contest.match import Match, describe
from skerry.lab.stats.results import Played
from skerry.records import Record, read_all, save

DAMAGED = ".damaged"  # what is added to the name of a file that is set aside


class GameFolder:
    """The finished games of one match."""

    def __init__(self, folder: Path, match: Match) -> None:
        self.folder = folder
        self.match = match
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, block: int, seating: int) -> Path:
        return self.folder / f"game-{block + 1}-{seating + 1}.skr"

    def save(self, block: int, seating: int, record: Record) -> Played:
        """Keep a game that has just ended, all or nothing; returns how it ended."""
        played = self._judge(block, seating, [record])
        if played is None:
            raise RecordError("only finished games are kept")
        save(self.path(block, seating), record)
        return played

    def find(self, block: int, seating: int) -> Played | None:
        """How a game ended that is kept here; RecordError if it is of another match.

        A file that is damaged or breaks off does not count: it is set aside and played again.
        """
        path = self.path(block, seating)
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            played = self._judge(block, seating, read_all(content.decode()))
        except AnotherMatch:
            raise
        except (RecordError, UnicodeDecodeError):
            played = None
        if played is None:
            path.replace(path.with_name(path.name + DAMAGED))
        return played

    def _judge(self, block: int, seating: int, records: list[Record]) -> Played | None:
        """How the game ended, None if it did not; AnotherMatch if it is not the one expected."""
        ways = [
            describe(self.match, block, seating, swapped)
            for swapped in (False, True)[: 1 + self.match.swap]
        ]
        for record, said in product(records, ways):
            if record.game == self.match.game and said.items() <= record.headers.items():
                players = tuple(said[seat] for seat in self.match.game.seats)
                return find_played(players, record)
        raise AnotherMatch(
            f"round {ways[0]['Round']} in {self.folder} belongs to another match or to "
            "former levels: name another folder"
        )


class AnotherMatch(RecordError):
    """A folder holds games of a match with other players, levels, rules, seed or opening."""
