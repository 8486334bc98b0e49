"""Depth: how many steps of skill there are between random play and the best that is known.

A step is as much as it takes to win 60 % of the points. A game with many of them can be learnt for
long; a small board has few.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from math import log10
from pathlib import Path
from typing import Any

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.lab.contest.tournament import Tournament
from skerry.lab.stats.figures import Figure
from skerry.lab.stats.ratings import rate
from skerry.lab.stats.results import Block
from skerry.records.folders import replace
from skerry.search.players import LEVELS

FORMAT = "skerry-depth-1"
SHARE = 0.6  # of the points, which is a step
STEP = 400 * log10(SHARE / (1 - SHARE))  # the same in Elo
WEAKEST = "random"
# The last level thinks by the clock, and would be another player on every machine.
PLAYERS = (WEAKEST, *(f"level:{level}" for level in LEVELS[:-1]))
REACH = 2  # places apart that players of a ladder meet


@dataclass(frozen=True)
class Rung:
    """A player of a ladder, and its Elo above the weakest one."""

    player: str
    elo: float
    margin: float


@dataclass(frozen=True)
class Depth:
    """A board, its ladder of players from the weakest to the best, and how far apart these are."""

    game: str
    options: Mapping[str, int]
    rungs: tuple[Rung, ...]
    games: int
    command: str

    @property
    def elo(self) -> Figure:
        """From the weakest player to the best, in Elo."""
        best = self.rungs[-1]
        return Figure(best.elo, best.elo - best.margin, best.elo + best.margin, self.games)

    @property
    def steps(self) -> Figure:
        """The same in steps."""
        elo = self.elo
        return Figure(elo.value / STEP, elo.low / STEP, elo.high / STEP, elo.n)


def plan_ladder(
    game: Game, players: Sequence[str] = PLAYERS, games: int = 24, seed: int = 0
) -> Tournament:
    """Players from the weakest to the strongest, each of whom meets the next two."""
    if len(players) < 2:
        raise OptionsError("a ladder has at least 2 players, the weakest first")
    return Tournament(game, tuple(players), games, seed, reach=REACH)


def measure_depth(ladder: Tournament, results: Sequence[Sequence[Block]], command: str) -> Depth:
    """What the games of a ladder say."""
    blocks = [block for pairing in results for block in pairing]
    ratings = rate(blocks, ladder.players)
    weakest = ladder.players[0]
    rungs = sorted(
        (_round(name, *ratings.difference(name, weakest)) for name in ladder.players),
        key=lambda rung: rung.elo,
    )
    games = sum(map(len, blocks))
    return Depth(ladder.game.name, ladder.game.options, tuple(rungs), games, command)


def _round(name: str, elo: float, margin: float) -> Rung:
    """A rung with no more digits than were measured."""
    return Rung(name, round(elo, 1), round(margin, 1))


def describe_depth(depth: Depth) -> dict[str, Any]:
    """A measurement as JSON has it."""
    return {"format": FORMAT, **asdict(depth), "steps": asdict(depth.steps)}


def write_depth(path: Path, depth: Depth) -> None:
    """Write a file as a whole or not at all."""
    replace(path, (json.dumps(describe_depth(depth), indent=1) + "\n").encode(), alone=True)


def read_depth(content: Mapping[str, Any], name: str) -> Depth:
    """What was written; OptionsError in one line, by ``name``, if it is none of ours."""
    try:
        if content["format"] != FORMAT:
            raise ValueError("another format")
        rungs = tuple(Rung(**rung) for rung in content["rungs"])
        told = {key: content[key] for key in ("game", "options", "games", "command")}
        return Depth(rungs=rungs, **told)
    except (ValueError, KeyError, TypeError) as error:
        raise OptionsError(f"{name} tells nothing of how deep a game is: {error}") from None


def shipped_depths() -> tuple[Depth, ...]:
    """What is known of boards, as it comes with skerry."""
    text = files(__package__).joinpath("depths.json").read_text(encoding="utf-8")
    return tuple(read_depth(each, "depths.json") for each in json.loads(text))
