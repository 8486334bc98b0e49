"""How strong levels are: what matches on the usual boards have shown, for pages that offer them.

``docs/lab/strength.md`` tells which matches; a test holds ``strengths.json`` to its table.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from skerry.core.texts import N_
from skerry.search.players import LEVELS, TOP_SECONDS

NAMES = (
    N_("Newcomer"),
    N_("Beginner"),
    N_("Learner"),
    N_("Casual"),
    N_("Skilled"),
    N_("Strong"),
    N_("Expert"),
    N_("Master"),
    N_("Grandmaster"),
    N_("Champion"),
)


@dataclass(frozen=True)
class MeasuredElo:
    """Elo above level 1 with its 95 % interval; without one it is known to be above that."""

    elo: int
    margin: int | None

    def __str__(self) -> str:
        if not self.elo:
            return "0 Elo"
        known = f"{self.elo:+d} Elo"
        return N_(f"above {known}") if self.margin is None else known


@dataclass(frozen=True)
class LevelSummary:
    """A level as it is offered to a person; its strength is None in games never measured."""

    level: int
    strength: MeasuredElo | None

    @property
    def name(self) -> str:
        return NAMES[self.level - 1]

    @property
    def thinking(self) -> str:
        """How long it takes for a move: all but the last stop after a fraction of a second."""
        is_top = self.level == LEVELS[-1]
        return N_(f"Thinks for {TOP_SECONDS:g} s a move") if is_top else N_("Moves at once")


@cache
def _read() -> dict[str, list[tuple[int, int | None]]]:
    found: dict[str, list[tuple[int, int | None]]] = json.loads(
        files(__package__).joinpath("strengths.json").read_text(encoding="utf-8")
    )
    return found


def summarise_levels(name: str, top: int = LEVELS[-1]) -> list[LevelSummary]:
    """All levels of a game up to the strongest that may be chosen."""
    measured = [MeasuredElo(*pair) for pair in _read().get(name, [])]
    return [
        LevelSummary(level, measured[level - 1] if measured else None) for level in LEVELS[:top]
    ]
