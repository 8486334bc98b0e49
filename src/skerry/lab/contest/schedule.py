"""What to play next: everything in turn, or more where more is needed until a goal is reached.

A schedule is a list of rounds. Each is planned from the results of all rounds but the last one
before it, so that cores need not wait for the slowest game, and from nothing else: the same
results lead to the same games on any number of cores, and after any interruption.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import inf
from typing import Protocol

from skerry.lab.contest.match import Match, blocks_for
from skerry.lab.stats.ratings import Ratings, rate
from skerry.lab.stats.results import Block, points
from skerry.lab.stats.sequential import ERROR, decide

LEAST_ROUND = 8  # blocks in a round at least, which occupies many cores
LEAST_GAMES = 40  # of each match before a goal can be reached, unless told otherwise

Rounds = list[list[tuple[int, int]]]  # of matches and their blocks


class StoppingRule(Protocol):
    """When it is enough."""

    def is_open(self, match: Match, blocks: list[Block], ratings: Ratings) -> bool:
        """Whether a match needs more games."""

    def share_out(self, matches: int) -> "StoppingRule":
        """The goal of each of several matches that are to reach it together."""


@dataclass(frozen=True)
class Precise:
    """Every two who meet are rated with a 95 % interval of at most ± ``margin`` Elo."""

    margin: float

    def is_open(self, match: Match, blocks: list[Block], ratings: Ratings) -> bool:
        return widest(match, ratings) > self.margin

    def share_out(self, matches: int) -> "Precise":
        return self


@dataclass(frozen=True)
class Decided:
    """Of every two who meet it is known who is better.

    If all are equally strong, the chance of any false decision is at most ``error``.
    """

    error: float = ERROR

    def is_open(self, match: Match, blocks: list[Block], ratings: Ratings) -> bool:
        pairs = list(combinations(match.players, 2))
        return not all(decide_pair(blocks, *pair, self.error / len(pairs)) for pair in pairs)

    def share_out(self, matches: int) -> "Decided":
        return Decided(self.error / matches)


def decide_pair(blocks: Sequence[Block], player: str, other: str, error: float) -> int:
    """1 if a player is better than another, -1 if worse, 0 if that is open; holds at any time."""
    # Returns go from -1 to 1, so half their difference does.
    return decide(((points(b, player) - points(b, other)) / 2 for b in blocks), error)


def widest(match: Match, ratings: Ratings) -> float:
    """The widest margin between two players of a match."""
    return max(ratings.difference(*pair)[1] for pair in combinations(match.players, 2))


@dataclass
class Schedule:
    """The blocks of several matches, round by round, with ``games`` of each match as the most."""

    matches: Sequence[Match]
    goal: StoppingRule | None = None
    least: int = LEAST_GAMES
    rounds: Rounds = field(default_factory=list)

    def plan(self, results: Sequence[list[Block]]) -> bool:
        """Add a round, given the blocks of each match that count so far; False if it is enough."""
        given = [sum(m == number for r in self.rounds for m, _ in r) for number in self._numbers]
        if not self.rounds:
            counts = [self._at_first(match) for match in self.matches]
            deepest = max(counts)
            order = [(m, b) for b in range(deepest) for m in self._numbers if b < counts[m]]
        else:
            order = self._fill(given, self._needs(results), results)
        if order:
            self.rounds.append(order)
        return bool(order)

    @property
    def _numbers(self) -> range:
        return range(len(self.matches))

    def _at_first(self, match: Match) -> int:
        if self.goal is None:
            return match.blocks
        return min(match.blocks, blocks_for(match, self.least))

    def _needs(self, results: Sequence[list[Block]]) -> list[float]:
        """How badly more games are wanted in each match: the square of its widest margin, or 0."""
        if self.goal is None:
            return [0.0] * len(self.matches)
        if not all(results):
            return [1.0] * len(self.matches)
        ratings = rate(block for blocks in results for block in blocks)
        goal = self.goal.share_out(len(self.matches))
        return [
            widest(match, ratings) ** 2 * goal.is_open(match, blocks, ratings)
            for match, blocks in zip(self.matches, results, strict=True)
        ]

    def _fill(
        self, given: list[int], needs: list[float], results: Sequence[list[Block]]
    ) -> list[tuple[int, int]]:
        """A round where the interval is widest, as it will be after what is planned already."""
        order = []
        for _ in range(max(len(self.matches), LEAST_ROUND)):
            wanted = [
                need * max(len(results[m]), 1) / given[m]
                if given[m] < self.matches[m].blocks
                else -inf
                for m, need in enumerate(needs)
            ]
            chosen = max(self._numbers, key=lambda m: wanted[m])
            if wanted[chosen] <= 0:
                break
            order.append((chosen, given[chosen]))
            given[chosen] += 1
        return order
