"""Small reports on games, measured in this process."""

from functools import cache

import skerry
from skerry.lab.report.measure.plan import Plan
from skerry.lab.report.measure.units import Experiment, work
from skerry.lab.report.result.assemble import assemble
from skerry.lab.report.result.findings import Report

SMALL = {
    "skew": {"side": 2, "pegs": 3},
    "skirt": {"side": 3},
    "x": {"size": 3},
    "skaane": {
        **{"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "suns": 1},
        "quiet_limit": 5,  # which is soon solved
    },
}
ROUNDS = 2  # what a plan begins with, whatever the answers


@cache
def measure_small(name: str) -> Report:
    """A report of a game on a small board, from a handful of games of weak players."""
    experiment = Experiment(skerry.make(name, **SMALL[name]), ("random", "level:1", "level:2"))
    plan, answers = Plan(experiment), {}
    for _ in range(ROUNDS):
        plan.extend(answers)
        answers |= {unit: work(experiment, unit) for unit in plan.rounds[-1]}
    return assemble(experiment, answers, "40 games")
