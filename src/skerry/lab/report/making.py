"""A report from beginning to end: measured, put together and written down as JSON."""

from pathlib import Path

from skerry.lab.contest.campaign import HERE, ignore
from skerry.lab.report.measure.units import Experiment
from skerry.lab.report.measure.walk import Budget, Tell, measure
from skerry.lab.report.result.assemble import assemble
from skerry.lab.report.result.findings import Report, write_json
from skerry.lab.work.executor import Site, Warn
from skerry.search.players import LEVELS

FILE = "report.json"


def list_ladder() -> tuple[str, ...]:
    """All strengths, from the weakest on."""
    return ("random", *(f"level:{level}" for level in LEVELS))


def list_strengths(budget: Budget) -> tuple[str, ...]:
    """Those that a report is about if nobody chooses."""
    ladder = list_ladder()
    return ladder if budget.includes_top_level else ladder[:-1]


def make_report(
    experiment: Experiment,
    folder: Path,
    budget: Budget,
    site: Site = HERE,
    *,
    tell: Tell = ignore,
    warn: Warn = ignore,
) -> Report:
    """What the budget pays for, less what the folder has already."""
    answers = measure(experiment, folder, budget, site, tell=tell, warn=warn)
    found = assemble(experiment, answers, budget.text)
    write_json(found, folder / FILE)
    return found
