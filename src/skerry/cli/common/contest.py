"""What ``match`` and ``tournament`` share: their parameters, and how they are carried out."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from skerry.cli.common.parameters import Data, number_option, ray_option, seed_option, text_option
from skerry.cli.common.setup import compile_notice, on_this_board
from skerry.core.errors import OptionsError, shorten

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.lab.beginnings import EvenStart
    from skerry.lab.contest.match import Match
    from skerry.lab.contest.schedule import StoppingRule
    from skerry.lab.stats.results import Block
    from skerry.lab.work.executor import Site

MOST_GAMES = 10**6

Players = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYER PLAYER...",
        help="Players, such as level:3, random, cmd:./mybot or module:attribute.",
    ),
]
ContestSeed = Annotated[int, seed_option("Seed of openings, deals and choices.")]
Opening = Annotated[
    int | None,
    number_option(
        "--opening",
        "Random opening plies per seat, 2 by default; fewer in very short games.",
        0,
        1000,
        metavar="K",
    ),
]
Swap = Annotated[
    bool,
    typer.Option(
        "--swap", help="Swap rule: the first player opens, and the other may take over that seat."
    ),
]
Even = Annotated[
    bool,
    typer.Option(
        "--even", help="Begin with even starts, each once with all seatings, then all again."
    ),
]
Jobs = Annotated[
    int | None,
    number_option(
        "--jobs",
        "Games played at a time; by default, cores divided by threads per player.",
        1,
        1024,
    ),
]
Ray = Annotated[
    str | None,
    ray_option("Run on the Ray cluster at this address instead of on this machine."),
]
Folder = Annotated[
    Path, text_option("--out", "FOLDER", "Folder for the games; what it already holds is resumed.")
]
Until = Annotated[
    str | None,
    text_option(
        "--until",
        "ELO|decided",
        "Stop early: once all intervals are within ± ELO, or once it is clear who is better.",
    ),
]
Least = Annotated[
    int | None,
    number_option(
        "--least",
        "With --until: games of each pair before the first check, 40 by default.",
        1,
        10**9,
    ),
]


class Workforce(NamedTuple):
    """Where work is done."""

    jobs: Jobs = None
    ray: Ray = None

    def find(self, threads: int = 1) -> "Site":
        """The place for work that takes so many threads a task."""
        from skerry.lab.work.executor import Cores, count_cores

        if self.ray is not None:
            from skerry.lab.work.cluster import Cluster

            return Cluster(self.ray, self.jobs, threads)
        return Cores(self.jobs or max(1, count_cores() // threads))


class ContestTerms(NamedTuple):
    """How players meet, and where."""

    until: Until = None
    least: Least = None
    seed: ContestSeed = 0
    opening: Opening = None
    swap: Swap = False
    even: Even = False
    data: Data = ""
    jobs: Jobs = None
    ray: Ray = None

    @property
    def workforce(self) -> Workforce:
        return Workforce(self.jobs, self.ray)

    @property
    def plies(self) -> int:
        """How many plies of each seat are played at random."""
        if self.swap and self.opening:
            raise OptionsError(
                "give --swap or --opening, not both: with the swap rule, players choose the opening"
            )
        return 2 if self.opening is None else self.opening

    def list_starts(self, game: "Game") -> "tuple[EvenStart, ...]":
        """The starts of ``--even``."""
        if not self.even:
            return ()
        if self.swap or self.opening:
            other = "--swap" if self.swap else "--opening"
            raise OptionsError(f"give --even or {other}, not both: each says how games begin")
        from skerry.lab.openings.books import Books

        return Books(self.data).list_starts(game)


def games_option(text: str) -> Any:
    """``--games`` with its own words."""
    return number_option("--games", text, 1, MOST_GAMES)


def read_goal(until: str | None, least: int | None) -> "StoppingRule | None":
    """The goal of ``--until``."""
    from skerry.lab.contest.schedule import Decided, Precise

    if until is None:
        if least is not None:
            raise OptionsError("--least needs --until: without it, all games are played anyway")
        return None
    if until == "decided":
        return Decided()
    try:
        margin = float(until)
    except ValueError:
        margin = 0.0
    if not 1 <= margin <= 10_000:
        raise OptionsError(
            f"--until must be decided or a margin from 1 to 10000 Elo, not {shorten(until)}"
        )
    return Precise(margin)


def tell_forfeits(player: str, reasons: Sequence[str]) -> None:
    """Say why a player forfeited games, and how often for each reason."""
    for reason, count in Counter(reasons).most_common():
        typer.echo(f"{player} forfeited {count} game{'' if count == 1 else 's'}: {reason}")


def finite(row: dict[str, Any]) -> dict[str, Any]:
    """A row for JSON, which knows no infinite margins: they are null."""
    return {name: None if value in (inf, -inf) else value for name, value in row.items()}


def play_contest(
    matches: "Mapping[Path, Match]",
    workforce: Workforce,
    until: str | None = None,
    least: int | None = None,
) -> "list[list[Block]]":
    """Play matches with a progress bar on terminals; returns the blocks of each."""
    from skerry.lab.contest.campaign import play_matches
    from skerry.lab.contest.match import most_threads
    from skerry.lab.contest.schedule import LEAST_GAMES

    goal = read_goal(until, least)
    everybody = tuple({name for match in matches.values() for name in match.players})
    site = workforce.find(most_threads(everybody))
    try:
        for game in {match.game for match in matches.values()}:
            prepare_site(site, game, everybody)
        with show_progress("of at most" if goal else "of") as (tell, warn):
            return play_matches(
                matches, site, goal=goal, least=least or LEAST_GAMES, tell=tell, warn=warn
            )
    except KeyboardInterrupt:
        typer.echo(
            "skerry: stopped; finished games are kept, and the same command resumes", err=True
        )
        raise


def prepare_site(site: "Site", game: "Game", players: Iterable[str]) -> None:
    """See that rules, and the search if anybody uses it, are compiled once and announced, not
    silently by every process."""
    from skerry.search.players import searches
    from skerry.search.warmup import warm_up, warm_up_rules

    with compile_notice(on_this_board(game)):
        site.prepare(warm_up if any(map(searches, players)) else warm_up_rules, game)


@contextmanager
def show_progress(
    of: str,
) -> Iterator[tuple[Callable[[int, int], None], Callable[[str], None]]]:
    """A bar on stderr if that is a terminal: games, games a minute, time left; and warnings."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
    from rich.text import Text

    class Games(ProgressColumn):
        def render(self, task: Task) -> Text:
            rate = "" if not task.speed else f", {60 * task.speed:.1f} a minute"
            return Text(f"{task.completed:.0f} {of} {task.total or 0:.0f} games{rate}")

    console = Console(stderr=True)
    bar = Progress(
        BarColumn(),
        Games(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        speed_estimate_period=600,  # games are long, and of different length
    )

    def tell(done: int, total: int) -> None:
        # What was there at the start says nothing about speed, so the task begins with it.
        if bar.tasks:
            bar.update(bar.tasks[0].id, completed=done, total=total)
        else:
            bar.add_task("games", total=total, completed=done)

    def warn(message: str) -> None:
        console.print(f"skerry: {message}", markup=False, highlight=False, soft_wrap=True)

    with bar:
        yield tell, warn
