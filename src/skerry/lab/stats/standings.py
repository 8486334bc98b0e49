"""What a match came to: points and Elo of each player, with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from skerry.lab.contest.match import Match
from skerry.lab.contest.schedule import decide_pair
from skerry.lab.stats.ratings import rate
from skerry.lab.stats.results import Block, estimate, list_forfeits, points
from skerry.lab.stats.sequential import ERROR


@dataclass(frozen=True)
class MatchScore:
    """A player's points per game (the mean return, -1 to 1) with its 95 % interval, and Elo.

    Elo is above the other player, or above the mean of the others if there are two. Players in
    ``better_than`` lost too much to be as good, by a test that stays valid however often one looks.
    ``forfeits`` are the reasons why the player forfeited games, one for each.
    """

    player: str
    games: int
    points: float
    margin: float
    elo: float
    elo_low: float
    elo_high: float
    better_than: tuple[str, ...]
    forfeits: tuple[str, ...] = ()


def standings(match: Match, blocks: Sequence[Block]) -> list[MatchScore]:
    """Points, Elo and intervals of all players."""
    games = sum(map(len, blocks))
    ratings = rate(blocks, match.players)
    decided = verdicts(match, blocks)
    table = []
    for name in match.players:
        mean, margin = estimate(points(block, name) for block in blocks)
        elo, width = ratings.above_others(name)
        worse = tuple(other for better, other in decided if better == name)
        lost = list_forfeits(blocks, name)
        interval = elo - width, elo + width
        table.append(MatchScore(name, games, mean, margin, elo, *interval, worse, lost))
    return table


def verdicts(match: Match, blocks: Sequence[Block]) -> list[tuple[str, str]]:
    """Who is better than whom, as far as that is decided."""
    pairs = list(combinations(match.players, 2))
    decided = [(pair, decide_pair(blocks, *pair, ERROR / len(pairs))) for pair in pairs]
    return [(a, b) if verdict > 0 else (b, a) for (a, b), verdict in decided if verdict]
