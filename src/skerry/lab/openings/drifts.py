"""Habits that changed: what nets loved early and dropped later, and what they found instead."""

from collections import deque
from dataclasses import dataclass
from typing import Any

from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.lab.openings.atlas import find_key
from skerry.lab.openings.crossroads import FEW, HABIT, Atlases, Crossroads, Way

PLIES = 4  # that are looked at
MOST_LOOKED_AT = 300  # positions
LISTED = 12


@dataclass(frozen=True)
class Drift:
    """A move after others: how often an early net and the best one play it in that position."""

    moves: tuple[str, ...]  # the last is the one
    before: float
    now: float
    drift: str
    weight: float  # of all games, those that are played otherwise now


def list_drifts(game: Game, atlases: Atlases, listed: int = LISTED) -> list[Drift]:
    """The habits that changed in most games, as far as these are known well enough."""
    if atlases.best is None or atlases.early is None:
        return []
    found: list[Drift] = []
    waiting = deque([Playthrough(game.playable_start())])
    seen: set[int] = set()
    totals: tuple[int, int] | None = None
    while waiting and len(seen) < MOST_LOOKED_AT:
        line = waiting.popleft()
        key = int(find_key(line.state))
        if key in seen:
            continue
        seen.add(key)
        here = atlases.look(line)
        totals = totals or (max(1, here.early_games or 0), max(1, here.games))
        for way in here.ways:
            if way.drift is not None:
                found.append(_weigh(line, here, way, totals))
            is_habit = max(way.played, way.before or 0) >= HABIT
            if is_habit and way.games >= FEW and line.plies + 1 < PLIES:
                waiting.append(line.after(int(way.moves[0])))
    return sorted(found, key=lambda drift: -drift.weight)[:listed]


def _weigh(line: Playthrough, here: Crossroads, way: Way, totals: tuple[int, int]) -> Drift:
    before, reached = way.before or 0.0, (here.early_games or 0) / totals[0]
    weight = abs(way.played - before) * max(reached, here.games / totals[1])
    moves = (*line.texts, str(way.moves[0]))
    return Drift(moves, before, way.played, way.drift or "", weight)


def describe_drift(drift: Drift) -> dict[str, Any]:
    """A habit that changed, for programs."""
    return {
        "moves": list(drift.moves),
        "before": round(drift.before, 5),
        "now": round(drift.now, 5),
        "drift": drift.drift,
    }
