"""``skerry selfplay``: a net plays very many games with itself."""

from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.common.device import Batch, Device, choose_device
from skerry.cli.common.nets import NetName, find_net
from skerry.cli.common.parameters import (
    GameName,
    Options,
    number_option,
    seed_option,
    text_option,
)
from skerry.cli.common.setup import compile_notice, make_game
from skerry.cli.common.terminal import progress_line
from skerry.core.errors import OptionsError
from skerry.core.levels import BEST

SUFFIX = ".npz"

Out = Annotated[Path, text_option("--out", "FILE", f"Where the games go; it ends in {SUFFIX}.")]
Games = Annotated[int, number_option("--games", "How many games.", 1, 10**8)]
Simulations = Annotated[int, number_option("--simulations", "Simulations for every move.", 2, 1024)]
Against = Annotated[
    str | None,
    text_option("--against", "SEAT", "All other seats play together against this one."),
]
Warned = Annotated[bool, typer.Option("--warned", help="With --against: that seat knows of it.")]
Seed = Annotated[int, seed_option("Seed of everything.")]


def selfplay(
    game: GameName,
    out: Out,
    option: Options = None,
    games: Games = 1000,
    simulations: Simulations = 32,
    net: NetName = BEST,
    against: Against = None,
    warned: Warned = False,
    device: Device = None,
    batch: Batch = None,
    seed: Seed = 0,
) -> None:
    """Let a net play with itself in bulk; needs torch: pip install 'skerry[train]'.

    The file has the actions of all games, how they ended, and a card that tells who played: see
    skerry.lab.corpus. Moves are drawn among those that seem equally good, so that games differ.
    With --against, in games of three, each of the others searches for the move by which any of them
    is likeliest to win; that goal is all that they share.

    \b
    Examples:
      skerry selfplay skew --games 100000 --out skew.npz
      skerry selfplay x -o size=8 --net runs/x/latest.net --simulations 64 --out x8.npz
      skerry selfplay x --against red --games 200 --simulations 16 --out against-red.npz
    """
    made = make_game(game, option)
    if out.suffix != SUFFIX:
        raise OptionsError(f"--out must end in {SUFFIX}: {out}")
    if warned and against is None:
        raise OptionsError("--warned needs --against: it tells that seat of the others' pact")
    chosen = choose_device(device)

    from skerry.lab.corpus import write_corpus
    from skerry.train.bulk import Bulk, Contender, seat_all, unite_against
    from skerry.train.tree import NO_PACT

    pact = NO_PACT if against is None else unite_against(made, against, warned)
    found = find_net(made, net)
    with progress_line(True) as show:
        with compile_notice(made.title):
            sitting = [Contender(found, simulations, pact)]
            bulk = Bulk(made, sitting, chosen, batch and min(batch, games))
        played = bulk.play(
            seat_all(made.num_seats, games), seed=seed, tell=lambda n: show(f"{n:,} games")
        )
    write_corpus(out, played)
    points = " / ".join(f"{share:.1%}" for share in played.shares.mean(0))
    typer.echo(f"{out}: {games:,} games of {played.lengths.mean():.1f} plies, points {points}")
