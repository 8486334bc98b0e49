"""``skerry curve``: how strong a net became while it was trained."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.contest import (
    ContestSeed,
    Folder,
    Workforce,
    games_option,
    play_contest,
)
from skerry.cli.common.parameters import AsJson, ChosenGame, number_option, text_option
from skerry.cli.common.picturefile import Force
from skerry.cli.common.terminal import print_json
from skerry.search.limits import MOST_SIMULATIONS

if TYPE_CHECKING:
    from skerry.lab.curve import Grown

RunFolder = Annotated[
    Path, typer.Argument(metavar="RUN", help="The folder that skerry train wrote.")
]
Simulations = Annotated[
    int,
    number_option(
        "--simulations", "Simulations for every move; 1 is a single look.", 1, MOST_SIMULATIONS
    ),
]
Games = Annotated[int, games_option("Games of each pair that meets.")]
Against = Annotated[
    list[str] | None,
    text_option(
        "--against",
        "PLAYER",
        "Somebody to compare with, such as level:5; may be repeated, the weaker first.",
    ),
]
Plot = Annotated[
    Path | None, text_option("--plot", "FILE", "Draw the curve, as .svg, .png or .pdf.")
]


def curve(
    game: ChosenGame,
    run: RunFolder,
    out: Folder,
    *,
    simulations: Simulations = 16,
    games: Games = 40,
    against: Against = None,
    seed: ContestSeed = 0,
    plot: Plot = None,
    force: Force = False,
    workforce: Workforce,
    json: AsJson = False,
) -> None:
    """Rate the nets that a run of training has kept, by games among them.

    Each net meets the next two; whoever is named by --against meets the last ones. Run the same
    command again to resume, or after more training.

    \b
    Examples:
      skerry curve x runs/x4 -o size=4 --out games/
      skerry curve skew runs/skew --against level:6 --plot curve.svg --out games/
    """
    from skerry.cli.common.savefile import check_new_place
    from skerry.lab.contest.tournament import folders, tabulate
    from skerry.lab.curve import draw_curve, list_stages, plan, read_curve

    if plot is not None:
        check_new_place(str(plot), force)
    made = game.make()
    stages = list_stages(run, made, simulations)
    chosen = plan(made, stages, against or [], games, seed)
    blocks = play_contest(folders(chosen, out), workforce)
    grown = read_curve(stages, tabulate(chosen.players, blocks, stages[0].player))
    if plot is not None:
        draw_curve({made.title: grown}, plot)
    if json:
        print_json([asdict(each) for each in grown])
    else:
        _print(grown)


def _print(grown: "list[Grown]") -> None:
    for each in grown:
        who = each.player if each.minutes is None else f"{each.minutes:g} min"
        margin = f"± {each.margin:.0f}" if each.margin else "fixed"
        typer.echo(f"{who:>12}  {each.elo:>+6.0f} {margin:7} {each.games:>6} games")
    typer.echo("Elo above the first net; ± are 95 % intervals")
