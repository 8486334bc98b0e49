"""``skerry train``: a net learns a game by playing against itself."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skerry.cli.common.device import Batch, Device, choose_device
from skerry.cli.common.nets import find_net
from skerry.cli.common.parameters import (
    GameName,
    Options,
    number_option,
    ray_option,
    seed_option,
    text_option,
)
from skerry.cli.common.setup import compile_notice, make_game
from skerry.cli.common.terminal import progress_line
from skerry.core.errors import OptionsError

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.nets.file import Net
    from skerry.train.practice import Feed
    from skerry.train.recipe import Recipe

MOST_SIMULATIONS = 1024
RIVALS = 0.75  # share of games with guests that a rival plays, if there is one

Minutes = Annotated[
    float, typer.Option("--minutes", min=0.01, max=10**5, help="How long to train this time.")
]
Out = Annotated[
    Path,
    text_option("--out", "FOLDER", "Where checkpoints go; a run that is there is taken up again."),
]
Simulations = Annotated[
    int | None,
    number_option(
        "--simulations",
        "Simulations for every move of self-play; 16 by default.",
        2,
        MOST_SIMULATIONS,
    ),
]
Start = Annotated[
    str | None,
    text_option(
        "--start",
        "FILE",
        "A net to begin a new run with, or 'best' for the one that comes with skerry.",
    ),
]
Guests = Annotated[
    float | None,
    typer.Option(
        "--guests",
        metavar="SHARE",
        min=0.0,
        max=1.0,
        help="Share of games in which others have some seats; none by default.",
    ),
]
RivalName = Annotated[
    str | None,
    text_option(
        "--rival",
        "FILE",
        f"A net that has the seats of guests in {RIVALS:.0%} of these games, 'best' for the one "
        "that comes with skerry; players of random games have them otherwise.",
    ),
]
Believer = Annotated[
    bool,
    typer.Option("--believer", help="Learn how random games end, and not how its own games do."),
]
Sizes = Annotated[
    bool, typer.Option("--sizes", help="Also play on the next smaller and the next larger board.")
]
TrainRay = Annotated[
    str | None, ray_option("Play on the Ray cluster at this address; the net learns here.")
]
SelfPlayers = Annotated[
    int | None,
    number_option(
        "--players",
        "With --ray: processes that play; by default one per GPU, or per core but one.",
        1,
        4096,
    ),
]
TrainSeed = Annotated[int, seed_option("Seed of everything.")]


def train(
    game: GameName,
    option: Options = None,
    minutes: Minutes = 5.0,
    out: Out = Path("run"),
    device: Device = None,
    simulations: Simulations = None,
    batch: Batch = None,
    start: Start = None,
    sizes: Sizes = False,
    guests: Guests = None,
    rival: RivalName = None,
    believer: Believer = False,
    ray: TrainRay = None,
    players: SelfPlayers = None,
    seed: TrainSeed = 0,
) -> None:
    """Train a net by self-play; needs torch: pip install 'skerry[train]'.

    Trees are walked on the device that the net lives on: a GPU, or for small boards the cores of
    this machine. The folder gets checkpoint.pt to go on from, nets of minute 1/16, 1/8 ... 1, 2, 4
    and so on to play with, and curve.jsonl, which tells how it went.

    \b
    Examples:
      skerry train x -o size=4 --minutes 5 --out runs/x4
      skerry train skew --sizes --minutes 60 --out runs/skew
      skerry train skew --start best --minutes 60 --out runs/further
      skerry train x --guests 0.3 --minutes 60 --out runs/x
      skerry train x --believer --start best --minutes 5 --out runs/believer
      skerry train x --guests 0.7 --rival runs/believer/latest.net --start best --out runs/x
      skerry train skew --minutes 60 --out runs/skew --ray 10.0.0.1:6379
    """
    made = make_game(game, option)
    chosen = choose_device(device)
    from dataclasses import replace

    from skerry.train.recipe import Recipe
    from skerry.train.run import Run

    recipe = Recipe.small(seed) if chosen == "cpu" else Recipe(seed=seed)
    given: dict[str, Any] = {"simulations": simulations, "batch": batch, "guests": guests}
    recipe = replace(recipe, **{name: value for name, value in given.items() if value is not None})
    if rival is not None:
        if not recipe.guests:
            raise OptionsError("--rival needs --guests: the share of games that it plays in")
        recipe = replace(recipe, rivals=RIVALS)
    recipe = replace(recipe, believer=believer)
    opponent = None if rival is None else find_net(made, rival)
    games = [made, *(_list_neighbours(made) if sizes else [])]
    first = None if start is None else _find_net(made, start, out)
    with (
        progress_line(True) as show,
        _find_feed(games, recipe, chosen, opponent, ray, players, batch, show) as feed,
    ):
        with compile_notice(made.title):
            run = Run(made, games[1:], recipe, chosen, out, feed, first, opponent)
            before = run.headway
            if before.rounds:
                typer.echo(f"going on after {before.minutes:.1f} minutes, {before.games:,} games")
            run.warm_up()
        run.train(minutes, lambda entry: show(_write_line(entry, recipe)))
    typer.echo(f"{out}: {_write_line(run.last, recipe)}")


def _find_net(game: "Game", name: str, out: Path) -> "Net":
    """The net to begin with."""
    from skerry.train.run import CHECKPOINT

    if (out / CHECKPOINT).exists():
        raise OptionsError(f"{out} has a run already: leave out --start to go on with it")
    return find_net(game, name)


def _find_feed(
    games: "Sequence[Game]",
    recipe: "Recipe",
    device: str,
    rival: "Net | None",
    ray: str | None,
    players: int | None,
    batch: int | None,
    show: Callable[[str], None],
) -> "AbstractContextManager[Feed | None]":
    """Who plays: a cluster, or None for this machine."""
    if ray is None:
        if players is not None:
            raise OptionsError("--players needs --ray: without a cluster, one process plays")
        return nullcontext()
    from skerry.lab.work.cluster import Cluster
    from skerry.train.recipe import BATCHES
    from skerry.train.remote import RemotePlay

    def warn(message: str) -> None:
        show("")  # what is shown meanwhile is on the same line
        typer.echo(f"skerry: {message}", err=True)

    batches = BATCHES if batch is None else dict.fromkeys(BATCHES, batch)
    return RemotePlay(games, recipe, device, Cluster(ray), players, batches, warn, rival)


def _list_neighbours(game: "Game") -> "list[Game]":
    """The boards next to this one among the game's sizes."""
    sizes = [type(game)(**options) for options in game.sizes]
    if game not in sizes:
        raise OptionsError(f"--sizes needs one of the usual boards, which {game!r} is not")
    at = sizes.index(game)
    return [sizes[n] for n in (at - 1, at + 1) if 0 <= n < len(sizes)]


def _write_line(entry: dict[str, Any], recipe: "Recipe") -> str:
    """How far it has come, in one line."""
    parts = [
        f"{entry['minutes']:.1f} min",
        f"{entry['positions']:,} moves",
        f"{entry['games']:,} games",
        f"{entry['speed'] * (recipe.simulations + 1):,.0f} simulations/s",
    ]
    names = {
        "policy": "policy",
        "outlook": "who wins",
        "finals": "last board",
        "strangers": "strangers",
    }
    parts += [f"{words} {entry[name]:.3f}" for name, words in names.items() if name in entry]
    return " · ".join(parts)
