"""Tournaments: everybody against everybody, or against their neighbours on a ladder.

``rounds`` plays them round by round instead, by the systems that ``pairing`` knows.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random

from skerry.agents.python import Agent
from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.lab.beginnings import EvenStart
from skerry.lab.contest.match import Match, check_players
from skerry.lab.contest.schedule import decide_pair
from skerry.lab.contest.swap import check_swap
from skerry.lab.stats.ratings import rate
from skerry.lab.stats.results import Block, list_forfeits
from skerry.lab.stats.sequential import ERROR
from skerry.search.players import SEEDS

LONGEST_NAME = 60  # characters of a player in the name of a folder


@dataclass(frozen=True)
class Tournament:
    """What is to be played: ``games`` of each pair that meets, rounded up to whole blocks.

    With ``reach`` only players at most so many places apart in the list meet. In games of three
    seats a pair meets with one and with two seats each, in all seatings.
    """

    game: Game
    players: tuple[str, ...]
    games: int
    seed: int = 0
    opening: int = 2
    reach: int | None = None
    swap: bool = False
    agents: Mapping[str, Agent] = field(default_factory=dict, compare=False)  # as in a match
    starts: tuple[EvenStart, ...] = ()

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise OptionsError("a tournament needs at least 2 players")
        check_players(self.players, self.agents)
        if self.reach is not None and self.reach < 1:
            raise OptionsError("reach must be at least 1: otherwise nobody would meet")
        if self.swap:
            check_swap(self.game)

    @property
    def pairings(self) -> tuple[Match, ...]:
        """A match for every two who meet."""
        places = range(len(self.players))
        reach = len(self.players) if self.reach is None else self.reach
        return tuple(
            self.match_of(self.players[a], self.players[b])
            for a, b in combinations(places, 2)
            if b - a <= reach
        )

    def match_of(self, *players: str) -> Match:
        """The match of some players: the same whoever else plays, so that more can join later."""
        names = tuple(sorted(players))
        seed = Random(f"{self.seed} {' '.join(names)}").randrange(SEEDS)
        agents = {name: agent for name, agent in self.agents.items() if name in names}
        terms = (seed, self.opening, self.swap, agents, self.starts)
        return Match(self.game, names, self.games, *terms)


def folders(tournament: Tournament, folder: Path) -> dict[Path, Match]:
    """Where the games of every pair are kept."""
    return {folder_of(match, folder): match for match in tournament.pairings}


def folder_of(match: Match, folder: Path) -> Path:
    """Where the games of a match are kept."""
    return folder / " - ".join(map(_file_name, match.players))


def _file_name(spec: str) -> str:
    """A player in letters that every file system takes."""
    name = re.sub(r"[^a-z0-9.,=]+", "-", spec.lower())
    if len(name) <= LONGEST_NAME and re.fullmatch(r"[a-z]+(:[a-z0-9.,=]+)?", spec):
        return name
    # Something was lost, so that others could have the same name.
    return f"{name[:LONGEST_NAME]}-{sha256(spec.encode()).hexdigest()[:8]}"


@dataclass(frozen=True)
class Placing:
    """A player in the final table; draws count as half a win. ``forfeits`` are reasons, by game."""

    player: str
    elo: float
    margin: float
    games: int
    won: float
    forfeits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Meeting:
    """Two players: what the first won against the second, and by how much it is rated higher.

    The difference is that of the ratings from all games of the tournament, not of theirs alone.
    ``better`` is who won too much against the other to be no better, by a test of their own games
    that stays valid however often one looks.
    """

    player: str
    other: str
    games: int
    won: float
    elo: float
    margin: float
    better: str | None


@dataclass(frozen=True)
class Crosstable:
    """How a tournament stands: the best player first."""

    places: tuple[Placing, ...]
    meetings: tuple[Meeting, ...]
    games: int


def tabulate(
    players: Sequence[str],
    results: Sequence[Sequence[Block]],
    anchor: str | None = None,
    at: float = 0.0,
) -> Crosstable:
    """The table of all pairings; ratings are relative to ``anchor``, or to the mean of all."""
    blocks = [block for pairing in results for block in pairing]
    games = [game for block in blocks for game in block]
    ratings = rate(blocks, players)
    places = []
    for rating in ratings.table(anchor, at):
        played = [game for game in games if rating.player in game.players]
        won = sum(game.won_by(rating.player) for game in played)
        lost = list_forfeits(blocks, rating.player)
        places.append(Placing(rating.player, rating.elo, rating.margin, len(played), won, lost))
    order = [place.player for place in places]
    met = {pair: _between(blocks, *pair) for pair in combinations(order, 2)}
    met = {pair: own for pair, own in met.items() if own}
    meetings = []
    for (player, other), own in met.items():
        won = sum(game.won_by(player) for block in own for game in block)
        verdict = decide_pair(own, player, other, ERROR / len(met))
        meetings.append(
            Meeting(
                player,
                other,
                sum(map(len, own)),
                won,
                *ratings.difference(player, other),
                better={1: player, -1: other}.get(verdict),
            )
        )
    return Crosstable(tuple(places), tuple(meetings), len(games))


def _between(blocks: Sequence[Block], player: str, other: str) -> list[Block]:
    """The blocks that two players played with each other, in order."""
    return [block for block in blocks if {player, other} <= set(block[0].players)]
