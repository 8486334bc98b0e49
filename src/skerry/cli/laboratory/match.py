"""``skerry match``: let players play each other, and say what the result is worth."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.contest import (
    ContestTerms,
    Folder,
    Players,
    finite,
    games_option,
    play_contest,
    tell_forfeits,
)
from skerry.cli.common.parameters import AsJson, ChosenGame
from skerry.cli.common.terminal import print_json

if TYPE_CHECKING:
    from skerry.lab.stats.standings import MatchScore

Games = Annotated[
    int,
    games_option("Number of games, rounded up so that every opening is played in all seatings."),
]


def match(
    game: ChosenGame,
    players: Players,
    out: Folder,
    *,
    games: Games = 100,
    terms: ContestTerms,
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
      skerry match skirt level:3 level:4 --even --out games/
    """
    from skerry.lab.contest.match import Match
    from skerry.lab.stats.standings import standings

    made = game.make()
    drawn = (terms.seed, terms.plies, terms.swap)
    chosen = Match(made, tuple(players), games, *drawn, starts=terms.list_starts(made))
    (blocks,) = play_contest({out: chosen}, terms.workforce, terms.until, terms.least)
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
