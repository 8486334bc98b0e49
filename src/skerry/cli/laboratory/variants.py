"""``skerry variants``: rules of ours beside those of the sheet, in one table."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.contest import Workforce
from skerry.cli.common.device import Device, choose_device
from skerry.cli.common.parameters import (
    AsJson,
    ChosenGame,
    number_option,
    seed_option,
    text_option,
)
from skerry.cli.common.terminal import progress_line
from skerry.core.errors import OptionsError
from skerry.core.extras import MissingExtra

if TYPE_CHECKING:
    from skerry.lab.variants.compare import Method

STRONG = "mcts:simulations=1600"
EFFORT = re.compile(r"(?<=simulations=)[0-9]+")
FEWER = 8  # times as many simulations has a player as the weaker one

Out = Annotated[
    Path, text_option("--out", "FOLDER", "Where all goes; what it already holds is resumed.")
]
Minutes = Annotated[
    float,
    typer.Option(
        "--minutes",
        min=0.0,
        max=10**4,
        help="How long a net is trained for each variant; 0 takes the net that comes with skerry.",
    ),
]
Games = Annotated[
    int,
    number_option("--games", "Games with itself; half as many with a weaker player.", 4, 10**6),
]
Simulations = Annotated[
    int, number_option("--simulations", "Simulations of a net for every move.", 2, 1024)
]
Players = Annotated[
    list[str] | None,
    text_option(
        "--players",
        "PLAYER",
        "Take a player instead of a net, such as mcts:simulations=1600; again for a weaker one.",
    ),
]
VariantSeed = Annotated[int, seed_option("Seed of everything.")]


def variants(
    game: ChosenGame,
    out: Out,
    *,
    minutes: Minutes = 1.0,
    device: Device = None,
    games: Games = 2000,
    simulations: Simulations = 32,
    players: Players = None,
    seed: VariantSeed = 0,
    workforce: Workforce,
    json: AsJson = False,
) -> None:
    """Compare the variants of a game with its usual rules, in one table.

    They are ours, not the designers'. Of X, whose designer asks that its rules stay unchanged,
    boards are compared. For each a net is trained for a while, from the one that comes with skerry
    on, and plays with itself and with a weaker player; without a GPU tree searches play. The folder
    gets variants.json, the table as variants.md, all nets and all games. Run the same command again
    to resume; from the same nets the same seed makes the same table.

    \b
    Examples:
      skerry variants skew --out variants/skew
      skerry variants skaane --minutes 3 --games 4000 --out variants/skaane
      skerry variants skirt -o side=4 --players mcts:simulations=400 --games 40 --out small/
    """
    from skerry.lab.variants.compare import compare
    from skerry.lab.variants.findings import write_comparison
    from skerry.lab.variants.table import write_table

    made = game.make()
    method = _choose_method(minutes, simulations, device, players, seed, workforce)
    with progress_line(True) as show:
        comparison = compare(made, method, games, seed, out, show)
    typer.echo(write_comparison(comparison) if json else write_table(comparison), nl=False)


def _choose_method(
    minutes: float,
    simulations: int,
    device: str | None,
    players: list[str] | None,
    seed: int,
    workforce: Workforce,
) -> "Method":
    """Nets where there is a GPU, or where they are asked for; other players else."""
    if players is not None and device is not None:
        raise OptionsError("give --players or --device, not both: only nets have a device")
    chosen = None if players else _find_device(device)
    if chosen is None:
        from skerry.lab.variants.searched import Searched

        return Searched(*_pair(players or [STRONG]), workforce.find(), _warn)
    from skerry.train.recipe import Recipe
    from skerry.train.variants import Trained

    recipe = Recipe.small(seed) if chosen == "cpu" else Recipe(seed=seed)
    return Trained(minutes, simulations, chosen, recipe)


def _warn(text: str) -> None:
    typer.echo(f"skerry: {text}", err=True)


def _pair(players: list[str]) -> tuple[str, str]:
    """A player and a weaker one; by default the same with fewer simulations."""
    strong, *rest = players
    if len(rest) > 1 or (not rest and not EFFORT.search(strong)):
        raise OptionsError(
            f"--players takes a player and a weaker one, not {' and '.join(players)}"
        )
    fewer = EFFORT.sub(lambda found: str(max(1, int(found[0]) // FEWER)), strong)
    return strong, rest[0] if rest else fewer


def _find_device(name: str | None) -> str | None:
    """The device for nets; None if nobody asks for one, and there is no GPU."""
    try:
        chosen = choose_device(name)
    except MissingExtra:
        if name is not None:
            raise
        return None
    return chosen if name is not None or chosen != "cpu" else None
