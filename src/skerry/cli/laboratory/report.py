"""``skerry report``: everything that play tells about a game, as a page and as JSON."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.contest import ContestSeed, Workforce
from skerry.cli.common.parameters import AsJson, ChosenGame, text_option
from skerry.cli.common.setup import compile_notice, on_this_board
from skerry.core.errors import OptionsError, shorten
from skerry.core.options import read_options

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.lab.report.measure.walk import Budget, Tell
    from skerry.lab.report.result.findings import Report
    from skerry.lab.work.executor import Site, Warn

DEFAULT_BUDGET = "10m"

BudgetText = Annotated[
    str, text_option("--budget", "TIME|GAMES", "When to stop: 90s, 10m, 2h or 2000games.")
]
Folder = Annotated[
    Path | None,
    text_option("--out", "FOLDER", "Folder for everything; what it already holds is resumed."),
]
Strengths = Annotated[
    str | None,
    text_option(
        "--strengths",
        "PLAYER,PLAYER...",
        "Weakest first, by default random and levels 1 to 9, and 10 from 1h on; separated by "
        "semicolons where players have commas.",
    ),
]
Compare = Annotated[
    str | None,
    text_option(
        "--compare", "NAME=VALUE,...", "Compare with these options; each gets half the budget."
    ),
]


def report(
    game: ChosenGame,
    *,
    budget: BudgetText = DEFAULT_BUDGET,
    strengths: Strengths = None,
    compare: Compare = None,
    seed: ContestSeed = 0,
    workforce: Workforce,
    out: Folder = None,
    json: AsJson = False,
) -> None:
    """Measure a game: who is favoured at which strength, how it plays, which rules matter.

    FOLDER gets report.html, report.json and all measurements. The same command resumes where it
    was stopped, and a larger budget continues where a smaller one ended.

    \b
    Examples:
      skerry report skirt --budget 10m --out skirt/
      skerry report skew -o side=4 -o pegs=14 --budget 2000games --seed 7 --out skew-4/
      skerry report skirt --compare side=7 --budget 1h --out skirt-6-7/
    """
    from skerry.lab.contest.match import most_threads
    from skerry.lab.report.measure.walk import Budget

    chosen = game.make()
    allowed = Budget.read(budget)
    players = read_strengths(strengths, allowed)
    other = None if compare is None else _vary(chosen, compare)
    site = workforce.find(most_threads(players))
    folder = out or Path("-".join(("report", chosen.name, *map(str, chosen.options.values()))))
    try:
        if other is None:
            _print(_report(chosen, players, seed, allowed, site, folder), folder, json)
        else:
            _compare((chosen, other), players, seed, allowed, site, folder, json)
    except KeyboardInterrupt:
        typer.echo("skerry: stopped; finished work is kept, and the same command resumes", err=True)
        raise


def read_strengths(text: str | None, budget: "Budget") -> tuple[str, ...]:
    """The players of ``--strengths``, in ascending order of strength."""
    from skerry.lab.contest.match import check_players
    from skerry.lab.report.making import list_ladder, list_strengths

    if text is None:
        return list_strengths(budget)
    ladder = list_ladder()
    parts = [part.strip() for part in text.split(";" if ";" in text else ",")]
    given = [part.lower() if part.lower() in ladder else part for part in parts]
    if set(given) <= set(ladder) and given != sorted(set(given), key=ladder.index):
        raise OptionsError(
            f"--strengths {shorten(text)}: name random and levels once, from the weakest to the "
            "strongest, such as random,level:1,level:4"
        )
    try:
        check_players(tuple(given), {})
    except OptionsError as error:
        raise OptionsError(f"--strengths {shorten(text)}: {error}") from None
    return tuple(given)


def _vary(game: "Game", text: str) -> "Game":
    """The game with some other options."""
    varied = type(game)(**{**game.options, **read_options(text.split(","))})
    if varied == game:
        raise OptionsError(
            f"--compare {shorten(text)} changes nothing: both games would be the same"
        )
    return varied


def _report(
    game: "Game",
    players: tuple[str, ...],
    seed: int,
    budget: "Budget",
    site: "Site",
    folder: Path,
) -> "Report":
    """Measure a game and write its report."""
    from skerry.lab.report.making import make_report
    from skerry.lab.report.measure.units import Experiment, warm_up_units
    from skerry.lab.report.page.html import write_page

    experiment = Experiment(game, players, seed)
    with compile_notice(on_this_board(game)):
        site.prepare(warm_up_units, experiment)
    with _show_progress(budget) as (tell, warn):
        found = make_report(experiment, folder, budget, site, tell=tell, warn=warn)
    write_page(found, folder / "report.html")
    return found


def _compare(
    games: tuple["Game", "Game"],
    players: tuple[str, ...],
    seed: int,
    budget: "Budget",
    site: "Site",
    folder: Path,
    json: bool,
) -> None:
    """Measure two games under half the budget each, and tell what differs."""
    from skerry.lab.report.page.html import write_page
    from skerry.lab.report.result.compare import compare, label
    from skerry.lab.report.result.findings import to_json, write_json

    options = [game.options for game in games]
    names = label(options[0], options[1]), label(options[1], options[0])
    reports = [
        _report(game, players, seed, budget.halved(), site, folder / name.replace(" ", ","))
        for game, name in zip(games, names, strict=True)
    ]
    found = compare(*reports)
    write_json(found, folder / "comparison.json")
    write_page(found, folder / "comparison.html")
    if json:
        typer.echo(to_json(found))
    else:
        for sentence in found.summary:
            typer.echo(sentence)
        typer.echo(f"written to {folder / 'comparison.html'}")


def _print(found: "Report", folder: Path, json: bool) -> None:
    from skerry.lab.report.result.findings import to_json

    if json:
        typer.echo(to_json(found))
        return
    for sentence in found.summary:
        typer.echo(sentence)
    typer.echo(f"{found.games} games; brackets are 95 % intervals")
    typer.echo(f"written to {folder / 'report.html'}")


@contextmanager
def _show_progress(budget: "Budget") -> "Iterator[tuple[Tell, Warn]]":
    """A bar on stderr if that is a terminal: what is used of the budget; and warnings."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn()
    bar = Progress(*columns, console=console, disable=not console.is_terminal)
    task = bar.add_task(f"of {budget.text}")

    def tell(used: float, most: float, games: int) -> None:
        bar.update(task, completed=used, total=most, description=f"{games} games of {budget.text}")

    def warn(message: str) -> None:
        console.print(f"skerry: {message}", markup=False, highlight=False, soft_wrap=True)

    with bar:
        yield tell, warn
