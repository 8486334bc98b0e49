"""Measure the games for docs/reports: each at its default board, a smaller and a larger one.

python docs/reports.py                     all of them, as long as BUDGET says, one after the other
python docs/reports.py skirt-6 x-8         only these
python docs/reports.py --budget 2m         in less time
python docs/reports.py --table             only the table of docs/reports/README.md, from the JSON

A report that was stopped goes on with the same command. What was measured is kept in build/reports.
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from skerry.games import kind
from skerry.lab.report.highlights import find_telling
from skerry.lab.report.result import Figure, Report, read_report
from skerry.lab.report.texts import say_mean, say_player

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "reports"
WORK = ROOT / "build" / "reports"
SIZES = {"skew": (4, 5, 6), "skirt": (5, 6, 7), "x": (8, 10, 12), "skaane": (6, 8, 10)}
BUDGET = "20m"
SEED = 1
HEAD = "report | favoured | drawn | plies | the better player wins | decided after | games"

Board = tuple[str, dict[str, int]]  # a game and its options


def boards() -> dict[str, Board]:
    """What there is a report of, by its name: skirt-6."""
    found = {}
    for name, wanted in SIZES.items():
        by_size = {next(iter(options.values())): options for options in kind(name).sizes}
        found |= {f"{name}-{size}": (name, by_size[size]) for size in wanted}
    return found


def measure(name: str, board: Board, budget: str) -> None:
    """Measure one board, and put its page and JSON into the docs."""
    game, options = board
    chosen = [part for key, value in options.items() for part in ("--option", f"{key}={value}")]
    asked = ["--budget", budget, "--seed", str(SEED), "--out", str(WORK / name)]
    command = [sys.executable, "-m", "skerry", "report", game, *chosen, *asked]
    print(f"{name}: {budget} ...", file=sys.stderr)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    for kind_of_file in ("html", "json"):
        shutil.copy(WORK / name / f"report.{kind_of_file}", FOLDER / f"{name}.{kind_of_file}")


def write_table() -> None:
    """The table of the reports that are there, in the order of the games."""
    rows = ["| " + " | ".join(cells) + " |\n" for cells in table()]
    page = FOLDER / "README.md"
    text = page.read_text("utf-8")
    place = r"(<!-- table: reports -->\n)(?:\|[^\n]*\n)*"
    page.write_text(re.sub(place, lambda found: found[1] + "".join(rows), text), "utf-8")


def table() -> Iterator[list[str]]:
    yield HEAD.split(" | ")
    yield ["---"] * len(HEAD.split(" | "))
    for name in boards():
        path = FOLDER / f"{name}.json"
        if path.exists():
            yield describe(name, read_report(path))


def describe(name: str, report: Report) -> list[str]:
    """A row of the table: what the strongest players showed of whom enough is known."""
    told = find_telling(report.strengths)
    best = max(range(len(report.seats)), key=lambda seat: told.won[seat].value)
    least = min(report.skill, key=lambda pair: pair.won.value, default=None)
    size = report.options[next(iter(report.options))]
    return [
        f"[{report.title} {size}]({name}.html)",
        f"{report.seats[best]} {percent(told.won[best])}, {say_player(told.player)}",
        percent(told.draws),
        say_mean(told.length.value),
        f"{percent(least.won)}, {say_player(least.better)}" if least else "",
        percent(report.drama.known) if report.drama else "",
        f"{report.games:,}",
    ]


def percent(figure: Figure) -> str:
    return f"{100 * figure.value:.1f} % ± {100 * figure.margin:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(boards()))
    parser.add_argument("--budget", default=BUDGET)
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    for unknown in set(asked.names) - set(boards()):
        parser.error(f"there is no report {unknown!r}; the reports are {', '.join(boards())}")
    for name, board in boards().items():
        if not asked.table and (not asked.names or name in asked.names):
            measure(name, board, asked.budget)
            write_table()
    write_table()


if __name__ == "__main__":
    main()
