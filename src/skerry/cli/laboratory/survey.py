"""``skerry survey``: very many games of strong players, and what they say about beginnings."""

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
from skerry.core.levels import BEST

CORPUS, EARLY, BEGINNINGS = "best.npz", "early.npz", "beginnings.json"
WEAKER, STRONGER = 4, 4  # how many times the simulations are divided, and multiplied

Out = Annotated[Path, text_option("--out", "FOLDER", "Where all goes; what is there is kept.")]
Games = Annotated[int, number_option("--games", "Games of each corpus; 0 for none.", 0, 10**8)]
Evidence = Annotated[
    int, number_option("--evidence", "Games after every first move or even start.", 24, 10**6)
]
Starts = Annotated[
    int,
    number_option(
        "--starts",
        "Starts played in search of even ones, out of ten times as many; 0 for none.",
        0,
        10**6,
    ),
]
Plies = Annotated[int, number_option("--plies", "Moves of such a start.", 1, 20)]
Simulations = Annotated[int, number_option("--simulations", "Simulations for every move.", 8, 1024)]
EarlyFile = Annotated[
    str | None,
    text_option(
        "--early", "FILE", "A weaker net to compare with: a shipped one's name, or a file."
    ),
]
Seed = Annotated[int, seed_option("Seed of everything.")]


def survey(
    game: GameName,
    out: Out,
    option: Options = None,
    games: Games = 100_000,
    evidence: Evidence = 1536,
    starts: Starts = 300,
    plies: Plies = 4,
    simulations: Simulations = 32,
    net: NetName = BEST,
    early: EarlyFile = None,
    device: Device = None,
    batch: Batch = None,
    seed: Seed = 1,
) -> None:
    """Survey how a game begins between strong players; needs torch: pip install 'skerry[train]'.

    A net plays very many games with itself (best.npz, and early.npz if there is a weaker one to
    compare with), goes on from every first move with a quarter, once and four times the
    simulations, and from random starts until those are found that are even (beginnings.json).
    Parts that are in the folder already are kept.

    \b
    Examples:
      skerry survey skirt --early minute-0.6 --out surveys/skirt
      skerry survey x --plies 3 --simulations 16 --out surveys/x
      skerry survey x --games 0 --starts 0 --simulations 8 --evidence 100 --out surveys/x-first
    """
    made = make_game(game, option)
    chosen = choose_device(device)

    from skerry.lab.beginnings import Beginnings, write_beginnings
    from skerry.lab.corpus import write_corpus
    from skerry.train.bulk import Bulk, Contender
    from skerry.train.survey import SurveyPlan, find_even_starts, map_first_moves, play_corpus

    best = find_net(made, net)
    others = [] if early is None else [Contender(find_net(made, early), simulations)]
    efforts = [max(2, simulations // WEAKER), simulations, simulations * STRONGER]
    plan = SurveyPlan(games, evidence, starts, plies, seed)
    with progress_line(True) as show:
        with compile_notice(made.title):
            contenders = [*(Contender(best, effort) for effort in efforts), *others]
            bulk = Bulk(made, contenders, chosen, batch)
        corpora = [(CORPUS, 1), *([(EARLY, 3)] if others else [])] if games else []
        for name, number in corpora:
            if not (out / name).exists():
                played = play_corpus(bulk, number, plan.games, plan.seed, show)
                write_corpus(out / name, played)
                typer.echo(f"{out / name}: {plan.games:,} games")
        if (out / BEGINNINGS).exists():
            return
        order = [*([3] if others else []), 0, 1, 2]
        first_moves = map_first_moves(bulk, order, plan, show)
        even_starts = find_even_starts(bulk, 1, plan, show)
        card = {"net": best.digest, "device": chosen, "simulations": simulations}
        card |= {"evidence": evidence, "starts": starts, "plies": plies, "seed": seed}
        found = Beginnings(made.name, made.options, first_moves, even_starts, card)
        write_beginnings(out / BEGINNINGS, found)
    typer.echo(
        f"{out / BEGINNINGS}: {len(first_moves)} first moves, {len(even_starts)} even starts"
    )
