"""``skerry match``: let players play each other, and say what the result is worth."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.setup import AsJson, GameName, Options, make_game, print_json, whole_number

if TYPE_CHECKING:
    from skerry.lab.match import Standing

Players = Annotated[
    list[str], typer.Argument(metavar="PLAYER PLAYER...", help="Such as level:3 or random.")
]
Games = Annotated[
    int,
    typer.Option(
        "--games",
        metavar="N",
        parser=whole_number("--games", 1, 10**9),
        help="How many games, rounded up so that every opening is played with all seatings.",
    ),
]
MatchSeed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="N", parser=whole_number("--seed", 0), help="Openings, deals and choices."
    ),
]
Opening = Annotated[
    int,
    typer.Option(
        "--opening",
        metavar="K",
        parser=whole_number("--opening", 0, 1000),
        help="Random plies of each seat at the start.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        parser=whole_number("--jobs", 1, 1024),
        help="Games at a time; all cores if not given.",
    ),
]
Folder = Annotated[
    Path,
    typer.Option("--out", metavar="FOLDER", help="Where games are kept; resumes what is there."),
]


def match(
    game: GameName,
    players: Players,
    out: Folder,
    option: Options = None,
    games: Games = 100,
    seed: MatchSeed = 0,
    opening: Opening = 2,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Play a match, with seats rotated and openings varied, and keep every game.

    A match that is stopped goes on when the same command is given again.

    \b
    Examples:
      skerry match skew level:2 level:3 --games 200 --out games/
      skerry match x level:1 level:2 random --games 60 --out games/ --json
    """
    from skerry.lab.match import Match, run

    chosen = Match(make_game(game, option), tuple(players), games, seed, opening)

    def tell(done: int, total: int) -> None:
        if not json and os.isatty(2):
            typer.echo(f"\r{done} of {total} games", err=True, nl=done == total)

    table = run(chosen, out, jobs or os.cpu_count() or 1, tell)
    if json:
        print_json([asdict(standing) for standing in table])
    else:
        _print(table)


def _print(table: "list[Standing]") -> None:
    width = max(len(standing.player) for standing in table)
    for standing in table:
        line = f"{standing.player:{width}}  {standing.points:+.3f} ± {standing.margin:.3f} a game"
        if standing.elo is not None:
            line += (
                f"  Elo {standing.elo:+.0f} ({standing.elo_low:+.0f} to {standing.elo_high:+.0f})"
            )
        typer.echo(line)
    typer.echo(f"{table[0].games} games; ± and brackets are 95 % intervals")
