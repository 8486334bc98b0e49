"""Measure the games for the reports of the package: each at its default board and two others.

python tools/reports.py                     all of them, as many games as GAMES says
python tools/reports.py skirt-6 x-8         only these
python tools/reports.py --budget 2m         in less time
python tools/reports.py --table             only what is said of them, in words and in the README

A report that was stopped goes on with the same command. What was measured is kept in build/reports,
with a page for each; the package has the JSON, from which the web app makes pages of its own.
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from skerry.games import kind
from skerry.lab.report.page.highlights import find_telling
from skerry.lab.report.page.texts import say_mean, say_player
from skerry.lab.report.result.findings import Report, read_report, write_json
from skerry.lab.report.result.words import summarise
from skerry.lab.report.shipped import FOLDER
from skerry.lab.stats.figures import Figure, pool

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = ROOT / "docs" / "lab" / "reports" / "README.md"
WORK = ROOT / "build" / "reports"
LINK = "../../../src/skerry/lab/report/shipped"  # from the summary
# By game and size, how many games: for some five to thirty minutes on one core each.
GAMES = {
    "skew": {4: 2000, 5: 3000, 6: 1500},
    "skirt": {5: 4000, 6: 4000, 7: 3000},
    "x": {8: 4000, 10: 6000, 12: 800},
    "skaane": {6: 1200, 8: 3000, 10: 600},
}
SEED = 1
WEAK = tuple(f"level:{n}" for n in range(1, 4))
STRONG = tuple(f"level:{n}" for n in range(7, 10))
SEATS_HEAD = "game | seats | levels 1 to 3 | games | levels 7 to 9 | games"
HEAD = "report | favoured | drawn | plies | the better player wins | decided after | games"

Board = tuple[str, dict[str, int], str]  # a game, its options, and the budget


def boards() -> dict[str, Board]:
    """What there is a report of, by its name: skirt-6."""
    found = {}
    for name, wanted in GAMES.items():
        by_size = {next(iter(options.values())): options for options in kind(name).sizes}
        found |= {
            f"{name}-{size}": (name, by_size[size], f"{games}games")
            for size, games in wanted.items()
        }
    return found


def measure(name: str, board: Board, asked: str | None) -> None:
    """Measure one board, and put its JSON into the package."""
    game, options, games = board
    budget = asked or games
    chosen = [part for key, value in options.items() for part in ("--option", f"{key}={value}")]
    how = ["--budget", budget, "--seed", str(SEED), "--out", str(WORK / name)]
    command = [sys.executable, "-m", "skerry", "report", game, *chosen, *how]
    print(f"{name}: {budget} ...", file=sys.stderr)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    shutil.copy(WORK / name / "report.json", FOLDER / f"{name}.json")


def write_words() -> None:
    """What the reports that are there say in words, as they would if they were measured now."""
    for path in FOLDER.glob("*.json"):
        report = read_report(path)
        write_json(replace(report, summary=summarise(report)), path)


def write_tables() -> None:
    """The tables of the reports that are there, in the order of the games."""
    text = SUMMARY.read_text("utf-8")
    for name, rows in tables().items():
        place = rf"(<!-- table: {name} -->\n)(?:\|[^\n]*\n)*"
        text = re.sub(place, lambda found, rows=rows: found[1] + rows, text)
    SUMMARY.write_text(text, "utf-8")


def tables() -> dict[str, str]:
    """Both tables, as Markdown."""
    found = {name: FOLDER / f"{name}.json" for name in boards()}
    reports = {name: read_report(path) for name, path in found.items() if path.exists()}
    return {
        "reports": draw(HEAD, (describe(*entry) for entry in reports.items())),
        "seats": draw(SEATS_HEAD, (describe_seats(*entry) for entry in reports.items())),
    }


def draw(head: str, rows: Iterable[list[str]]) -> str:
    titles = head.split(" | ")
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def describe_seats(name: str, report: Report) -> list[str]:
    """A row of the table of seats: what each wins between weak and between strong players."""
    size = report.options[next(iter(report.options))]
    cells = [f"{report.title} {size}", " / ".join(report.seats)]
    for levels in (WEAK, STRONG):
        chosen = [found for found in report.strengths if found.player in levels]
        seats = [pool([found.won[seat] for found in chosen]) for seat in range(len(report.seats))]
        shares = " / ".join(f"{100 * seat.value:.0f}" for seat in seats)
        cells.append(f"{shares} % ± {100 * max(seat.margin for seat in seats):.0f}")
        cells.append(f"{sum(found.games for found in chosen):,}")
    return cells


def describe(name: str, report: Report) -> list[str]:
    """A row of the table: what the strongest players showed of whom enough is known."""
    told = find_telling(report.strengths)
    best = max(range(len(report.seats)), key=lambda seat: told.won[seat].value)
    least = min(report.skill, key=lambda pair: pair.won.value, default=None)
    size = report.options[next(iter(report.options))]
    return [
        f"[{report.title} {size}]({LINK}/{name}.json)",
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
    parser.add_argument("--budget", help="instead of the number of games in GAMES")
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    for unknown in set(asked.names) - set(boards()):
        parser.error(f"there is no report {unknown!r}; the reports are {', '.join(boards())}")
    for name, board in boards().items():
        if not asked.table and (not asked.names or name in asked.names):
            measure(name, board, asked.budget)
            write_tables()
    write_words()
    write_tables()


if __name__ == "__main__":
    main()
