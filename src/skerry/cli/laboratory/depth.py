"""``skerry depth``: how many steps of skill a board has, from random play to the best."""

from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.contest import (
    ContestSeed,
    Folder,
    Workforce,
    games_option,
    play_contest,
)
from skerry.cli.common.parameters import AsJson, ChosenGame
from skerry.cli.common.terminal import print_json
from skerry.core.options import write_options

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.lab.depth import Depth

FILE = "depth.json"  # in the folder of the games

Ladder = Annotated[
    list[str] | None,
    typer.Option(
        "--players",
        metavar="PLAYER",
        help="Players, the weakest first; may be repeated. By default random and levels 1 to 9.",
    ),
]
Games = Annotated[int, games_option("Games of each pair that meets.")]


def depth(
    game: ChosenGame,
    out: Folder,
    *,
    players: Ladder = None,
    games: Games = 24,
    seed: ContestSeed = 0,
    workforce: Workforce,
    json: AsJson = False,
) -> None:
    """Count the steps of skill on a board: each is as much as wins 60 % of the points.

    Players of a ladder, from random to the best, each meet the next two; what they are apart, in
    Elo, is told in steps of 70. The folder keeps all games and depth.json; the same command
    resumes.

    \b
    Examples:
      skerry depth skirt -o side=4 --out games/
      skerry depth x --players random --players level:3 --players level:6 --games 60 --out games/
    """
    from skerry.lab.contest.tournament import folders
    from skerry.lab.depth import PLAYERS, describe_depth, measure_depth, plan_ladder, write_depth

    made = game.make()
    ladder = plan_ladder(made, players or PLAYERS, games, seed)
    results = play_contest(folders(ladder, out), workforce)
    found = measure_depth(ladder, results, _say_command(made, players or (), games, seed))
    write_depth(out / FILE, found)
    if json:
        print_json(describe_depth(found))
    else:
        _print(found)


def _say_command(
    game: "Game", players: "list[str] | tuple[str, ...]", games: int, seed: int
) -> str:
    usual = type(game)().options
    chosen = [f"-o {name}={value}" for name, value in game.options.items() if value != usual[name]]
    named = [f"--players {name}" for name in players]
    parts = [game.name, *chosen, *named, f"--games {games}", f"--seed {seed}", "--out games/"]
    return f"skerry depth {' '.join(parts)}"


def _print(found: "Depth") -> None:
    width = max(len(rung.player) for rung in found.rungs)
    before = None
    for rung in found.rungs:
        step = "" if before is None else f"  {rung.elo - before:+.0f}"
        margin = f"± {rung.margin:.0f}" if rung.margin else "fixed"
        typer.echo(f"{rung.player:{width}}  {rung.elo:>+6.0f} {margin:7}{step}")
        before = rung.elo
    steps = found.steps
    typer.echo(
        f"{steps.value:.1f} ± {steps.margin:.1f} steps of 60 % from {found.rungs[0].player} to "
        f"{found.rungs[-1].player} ({write_options(found.options)}), by {found.games:,} games"
    )
