"""Playing matches: games on many cores, each kept as soon as it ends, until all is played."""

from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path

from skerry.lab.contest.gamefolder import GameFolder
from skerry.lab.contest.match import Match, play_game
from skerry.lab.contest.schedule import LEAST_GAMES, Schedule, StoppingRule
from skerry.lab.stats.results import Block, Played
from skerry.lab.work.executor import Cores, Crew, Site, Warn
from skerry.records import Record

Fixture = tuple[int, int, int]  # match, block, seating
Tell = Callable[[int, int], None]
HERE = Cores(1)


def ignore(*_: object) -> None:
    """For those who need no news."""


def play_matches(
    matches: Mapping[Path, Match],
    site: Site = HERE,
    *,
    goal: StoppingRule | None = None,
    least: int = LEAST_GAMES,
    tell: Tell = ignore,
    warn: Warn = ignore,
) -> list[list[Block]]:
    """Play what the folders do not hold yet; returns the blocks of every match.

    ``site`` is where they are played: one at a time on this machine, unless told otherwise.
    ``tell`` hears how many games are done of how many at most, ``warn`` of processes that died.
    With a ``goal``, matches that have reached it get no further games; ``least`` is how many each
    has at least.
    """
    campaign = _Campaign(matches, Schedule(list(matches.values()), goal, least), tell)
    workers: Crew[Fixture, Record]
    with site.hire(play_game, warn) as workers:
        while True:
            while workers.has_room and (fixture := campaign.next()) is not None:
                number, block, seating = fixture
                workers.start(fixture, campaign.folders[number].match, block, seating)
            if not workers.busy:
                return campaign.blocks(len(campaign.schedule.rounds))
            campaign.keep(*workers.wait())


class _Campaign:
    """Which games are done, and which are to be played next."""

    def __init__(self, matches: Mapping[Path, Match], schedule: Schedule, tell: Tell) -> None:
        self.schedule = schedule
        self.folders = [GameFolder(folder, match) for folder, match in matches.items()]
        self._played: dict[Fixture, Played] = {}
        self._waiting: deque[Fixture] = deque()
        self._complete = 0  # rounds of which all games are done, from the first on
        self._enough = False
        self._most = sum(match.blocks * len(match.seatings) for match in matches.values())
        self._tell = tell

    def next(self) -> Fixture | None:
        """A game to play now; None if all are played, or if others must end first."""
        while not self._waiting and not self._enough and self._may_plan():
            counted = max(len(self.schedule.rounds) - 1, 0)
            self._enough = not self.schedule.plan(self.blocks(counted))
            if not self._enough:
                self._waiting += self._find(self.schedule.rounds[-1])
                self._tell(len(self._played), self._most)
        return self._waiting.popleft() if self._waiting else None

    def keep(self, fixture: Fixture, record: Record) -> None:
        """Save a game that has ended."""
        number, block, seating = fixture
        self._played[fixture] = self.folders[number].save(block, seating, record)
        self._tell(len(self._played), self._most)

    def blocks(self, rounds: int) -> list[list[Block]]:
        """The blocks of every match in the first rounds."""
        found: list[list[Block]] = [[] for _ in self.folders]
        for number, block in (entry for order in self.schedule.rounds[:rounds] for entry in order):
            seatings = self.folders[number].match.seatings
            found[number].append(
                tuple(self._played[number, block, seating] for seating in range(len(seatings)))
            )
        return found

    def _may_plan(self) -> bool:
        """Whether all rounds but the last are complete."""
        rounds = self.schedule.rounds
        while self._complete < len(rounds) - 1 and self._is_complete(rounds[self._complete]):
            self._complete += 1
        return self._complete >= len(rounds) - 1

    def _is_complete(self, order: list[tuple[int, int]]) -> bool:
        return all(
            (number, block, seating) in self._played
            for number, block in order
            for seating in range(len(self.folders[number].match.seatings))
        )

    def _find(self, order: list[tuple[int, int]]) -> list[Fixture]:
        """Take up what is kept already; the rest is to be played."""
        missing = []
        for number, block in order:
            folder = self.folders[number]
            for seating in range(len(folder.match.seatings)):
                played = folder.find(block, seating)
                if played is None:
                    missing.append((number, block, seating))
                else:
                    self._played[number, block, seating] = played
        return missing
