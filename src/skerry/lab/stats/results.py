"""What was played, as ratings and tables see it."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import inf, sqrt

SURE = 1.96  # standard errors on each side of a 95 % interval

Returns = tuple[float, ...]
Pair = tuple[str, str]


@dataclass(frozen=True)
class Played:
    """One game: who sat on each seat, what each seat made of it, and who forfeited it and why."""

    players: tuple[str, ...]
    returns: Returns
    forfeited_by: str | None = None
    reason: str = ""

    @property
    def shares(self) -> tuple[float, ...]:
        """The game as one point: the winner has it all, those who draw have equal parts."""
        best = max(self.returns)
        winners = self.returns.count(best)
        return tuple((value == best) / winners for value in self.returns)

    def won_by(self, player: str) -> float:
        """The part of the game that a player won, on all its seats."""
        return sum(s for name, s in zip(self.players, self.shares, strict=True) if name == player)

    def pairs(self) -> set[Pair]:
        """Every two players who met, in alphabetical order."""
        return set(combinations(sorted(set(self.players)), 2))


# Games that share an opening: not independent of each other, but of all other blocks.
Block = tuple[Played, ...]


def points(block: Block, player: str) -> float:
    """What a player made of a block: the mean return over its seats in all of its games."""
    made = [
        value
        for game in block
        for name, value in zip(game.players, game.returns, strict=True)
        if name == player
    ]
    return sum(made) / len(made)


def list_forfeits(blocks: Iterable[Block], player: str) -> tuple[str, ...]:
    """Why a player forfeited games, game by game."""
    games = (game for block in blocks for game in block)
    return tuple(game.reason for game in games if game.forfeited_by == player)


def estimate(values: Iterable[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval; infinite for fewer than two values."""
    values = list(values)
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, inf
    spread = sum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, SURE * sqrt(spread / n)
