"""What a match came to: points and Elo of each player, with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

from skerry.lab.match import Match
from skerry.lab.ratings import rate
from skerry.lab.results import Block, estimate, points


@dataclass(frozen=True)
class Standing:
    """A player's points per game (the mean return, -1 to 1) with its 95 % interval, and Elo.

    Elo is above the other player, or above the mean of the others if there are two.
    """

    player: str
    games: int
    points: float
    margin: float
    elo: float
    elo_low: float
    elo_high: float


def standings(match: Match, blocks: Sequence[Block]) -> list[Standing]:
    """Points, Elo and intervals of all players."""
    games = sum(map(len, blocks))
    ratings = rate(blocks, match.players)
    table = []
    for name in match.players:
        mean, margin = estimate(points(block, name) for block in blocks)
        elo, width = ratings.above_others(name)
        table.append(Standing(name, games, mean, margin, elo, elo - width, elo + width))
    return table
