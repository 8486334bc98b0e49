"""``skerry corpus``: what very many games say."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.parameters import AsJson
from skerry.cli.common.terminal import print_json
from skerry.core.options import write_options

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.lab.census import Census
    from skerry.lab.stats.figures import Figure

CELLS = 8  # that are told of

CorpusFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="What skerry selfplay or skerry survey wrote.")
]


def corpus(file: CorpusFile, json: AsJson = False) -> None:
    """Tell what a corpus of games says: points by seat, lengths, endings, cells that winners hold.

    \b
    Examples:
      skerry corpus x.npz
      skerry corpus skew.npz --json
    """
    from skerry.lab.census import take_census
    from skerry.lab.corpus import read_corpus

    read = read_corpus(file)
    census = take_census(read)
    if json:
        print_json({"card": read.card, **asdict(census)})
    else:
        _print(read.game, census)


def _print(game: "Game", census: "Census") -> None:
    typer.echo(f"{census.games:,} games of {game.title} ({write_options(game.options)})")
    for seat, points in zip(game.seats, census.points, strict=True):
        typer.echo(f"{seat:>10} {_percent(points)} of the points")
    typer.echo(f"     drawn {_percent(census.draws)}")
    typer.echo(f"    length {census.length.value:.1f} plies")
    for ending in census.endings:
        winners = ", ".join(
            f"{score} wins {won:.0%}"
            for score, won in zip(ending.scores, ending.won, strict=True)
            if won >= 0.005  # what would not be told as nothing
        )
        typer.echo(f"{'-'.join(map(str, ending.scores)):>10} {_percent(ending.games)}: {winners}")
    held = [cell for cell in census.cells if cell.won is not None]
    for cell in sorted(held, key=lambda each: -each.won.value if each.won else 0)[:CELLS]:
        if cell.won is not None:
            typer.echo(f"{cell.name:>10} whoever holds it has {_percent(cell.won)} of the points")


def _percent(figure: "Figure") -> str:
    return f"{100 * figure.value:.1f} % ± {100 * figure.margin:.1f}"
