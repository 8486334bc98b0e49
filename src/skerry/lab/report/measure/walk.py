"""Working through a plan on all cores, until a budget is used up or all intervals are narrow."""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from skerry.core.errors import OptionsError, shorten
from skerry.lab.contest.campaign import HERE, ignore
from skerry.lab.report.measure.notebook import Notebook
from skerry.lab.report.measure.plan import Plan
from skerry.lab.report.measure.units import Answer, Experiment, Unit, games_in, work
from skerry.lab.work.executor import Crew, Site, Warn

SECONDS = {"s": 1, "m": 60, "h": 3600}
LEAST_SECONDS = 1
TOP_LEVEL_FROM = 3600  # seconds from which on level 10, which takes minutes a game, joins

Tell = Callable[[float, float, int], None]  # what is used of the budget, of how much, and games


@dataclass(frozen=True)
class Budget:
    """When to stop: after so many games, or when work in a folder has taken so many seconds."""

    text: str
    games: int | None = None
    seconds: float | None = None

    @classmethod
    def read(cls, text: str) -> "Budget":
        """``10m``, ``90s``, ``2h`` or ``2000games``."""
        tidy = text.strip().lower()
        found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?) *(s|m|h|games)", tidy)
        amount = float(found[1]) if found else 0.0
        if found and found[2] == "games" and amount >= 1 and amount == int(amount):
            return cls(f"{int(amount)} games", games=int(amount))
        if found and found[2] in SECONDS and amount * SECONDS[found[2]] >= LEAST_SECONDS:
            return cls(f"{found[1]}{found[2]}", seconds=amount * SECONDS[found[2]])
        raise OptionsError(
            f"{shorten(text)} is not a budget: write a time such as 90s, 10m or 2h, or a number of "
            "games such as 2000games"
        )

    def halved(self) -> "Budget":
        """What each of two reports may use."""
        if self.games is not None:
            games = max(1, self.games // 2)
            return Budget(f"{games} games", games=games)
        seconds = (self.seconds or 0.0) / 2
        return Budget(f"{seconds:g}s", seconds=seconds)

    @property
    def includes_top_level(self) -> bool:
        return self.seconds is not None and self.seconds >= TOP_LEVEL_FROM


def measure(
    experiment: Experiment,
    folder: Path,
    budget: Budget,
    site: Site = HERE,
    *,
    tell: Tell = ignore,
    warn: Warn = ignore,
) -> dict[Unit, Answer]:
    """The answers to the units that the budget pays for, in the order of the plan.

    What the folder holds already is taken from there. ``tell`` hears of progress, ``warn`` of
    processes that died.
    """
    walk = _Walk(experiment, Notebook(folder, experiment), budget, tell)
    workers: Crew[Unit, Answer]
    with site.hire(work, warn) as workers:
        while True:
            while workers.has_room and (unit := walk.next()) is not None:
                workers.start(unit, experiment, unit)
            if not workers.busy:
                return walk.answers()
            walk.keep(*workers.wait())


class _Walk:
    """How far the plan is worked through."""

    def __init__(
        self, experiment: Experiment, notebook: Notebook, budget: Budget, tell: Tell
    ) -> None:
        self._experiment = experiment
        self._notebook = notebook
        self._budget = budget
        self._tell = tell
        self._plan = Plan(experiment)
        self._waiting: deque[Unit] = deque()
        self._begun: list[Unit] = []  # in the order of the plan
        self._answers: dict[Unit, Answer] = {}
        self._enough = False
        self._games = 0  # of units that have begun
        self._started = perf_counter()
        self._before = 0.0  # seconds that earlier runs took

    def next(self) -> Unit | None:
        """A unit to work out now; None if others must end first, or if it is enough."""
        while self._find_next():
            unit = self._waiting[0]
            answer = self._notebook.find(unit)
            if answer is None and self._is_used_up():
                return None
            self._begun.append(self._waiting.popleft())
            self._games += games_in(self._experiment, unit)
            if answer is None:
                return unit
            self._before = max(self._before, answer["at"])
            self._note(unit, answer)
        return None

    def keep(self, unit: Unit, answer: Answer) -> None:
        """Save the answer to a unit, and at what time it was there."""
        answer["at"] = round(self._seconds, 3)
        self._notebook.keep(unit, answer)
        self._note(unit, answer)

    def answers(self) -> dict[Unit, Answer]:
        return {unit: self._answers[unit] for unit in self._begun}

    def _note(self, unit: Unit, answer: Answer) -> None:
        self._answers[unit] = answer
        if self._budget.games is not None:
            self._tell(self._games, self._budget.games, self._games)
        else:
            self._tell(self._seconds, self._budget.seconds or 0.0, self._games)

    def _find_next(self) -> bool:
        """See that a unit is waiting; False if there is none."""
        if self._budget.games is not None and self._games >= self._budget.games:
            return False
        if not self._waiting and not self._enough:
            # The next round needs the answers to all rounds but the last.
            known = [unit for units in self._plan.rounds[:-1] for unit in units]
            if all(unit in self._answers for unit in known):
                self._enough = not self._plan.extend(self._answers)
                self._waiting += [] if self._enough else self._plan.rounds[-1]
        return bool(self._waiting)

    def _is_used_up(self) -> bool:
        limit = self._budget.seconds
        return limit is not None and self._seconds >= limit

    @property
    def _seconds(self) -> float:
        """What work in this folder has taken so far."""
        return self._before + perf_counter() - self._started
