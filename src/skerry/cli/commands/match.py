"""``skerry match``: let players play each other, and say what the result is worth."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.contest import (
    ContestSeed,
    Folder,
    Jobs,
    Least,
    Opening,
    Players,
    Ray,
    Swap,
    Until,
    finite,
    games_option,
    play_contest,
    read_opening,
    tell_forfeits,
)
from skerry.cli.common.setup import AsJson, GameName, Options, make_game, print_json

if TYPE_CHECKING:
    from skerry.lab.stats.standings import MatchScore

Games = Annotated[
    int,
    games_option("Number of games, rounded up so that every opening is played in all seatings."),
]


def match(
    game: GameName,
    players: Players,
    out: Folder,
    option: Options = None,
    games: Games = 100,
    until: Until = None,
    least: Least = None,
    seed: ContestSeed = 0,
    opening: Opening = None,
    swap: Swap = False,
    jobs: Jobs = None,
    ray: Ray = None,
    json: AsJson = False,
) -> None:
    """Play a match with rotated seats and varied openings, and keep every game.

    Run the same command again to resume a match that was stopped.

    \b
    Examples:
      skerry match skew level:2 level:3 --games 200 --out games/
      skerry match x level:1 level:2 random --games 60 --out games/ --json
      skerry match skirt level:3 level:4 --until decided --games 1000 --out games/
      skerry match skew level:3 "cmd:timeout=10,./mybot --fast" --out games/
      skerry match skirt level:3 level:4 --swap --out games/ --ray 10.0.0.1:6379
    """
    from skerry.lab.contest.match import Match
    from skerry.lab.stats.standings import standings

    plies = read_opening(opening, swap)
    chosen = Match(make_game(game, option), tuple(players), games, seed, plies, swap)
    (blocks,) = play_contest({out: chosen}, jobs, ray, until, least)
    table = standings(chosen, blocks)
    if json:
        print_json([finite(asdict(standing)) for standing in table])
    else:
        _print(table)


def _print(table: "list[MatchScore]") -> None:
    width = max(len(standing.player) for standing in table)
    for standing in table:
        typer.echo(
            f"{standing.player:{width}}  {standing.points:+.3f} ± {standing.margin:.3f} a game"
            f"  Elo {standing.elo:+.0f} ({standing.elo_low:+.0f} to {standing.elo_high:+.0f})"
        )
    typer.echo(f"{table[0].games} games; ± and brackets are 95 % intervals")
    for standing in table:
        for other in standing.better_than:
            typer.echo(f"decided: {standing.player} is better than {other}")
    for standing in table:
        tell_forfeits(standing.player, standing.forfeits)
