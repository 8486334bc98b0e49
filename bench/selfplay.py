"""How fast self-play is, part by part: the net, the trees, both together, and learning.

    pip install 'skerry[train,cuda]'
    python bench/selfplay.py skew x       # about a minute a game on one H200
    python bench/selfplay.py x --device cpu --batch 64
    python bench/selfplay.py x --guests 0.3

The net is asked about the leaves of all games at once; a simulation is what the trees do between
two such questions. Nothing is trained or kept.
"""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import torch

import skerry
from skerry.nets.sight import shape_for
from skerry.train.practice import LocalPlay
from skerry.train.recipe import Recipe
from skerry.train.run import Run

REPEATED = 10


def measure(work: Callable[[], object], device: str) -> float:
    """Seconds that some work takes, once it has been done before."""
    work()
    started = _now(device)
    for _ in range(REPEATED):
        work()
    return (_now(device) - started) / REPEATED


def _now(device: str) -> float:
    if device == "cuda":
        torch.cuda.synchronize()
    return perf_counter()


def report(name: str, recipe: Recipe, device: str) -> str:
    game = skerry.make(name)
    shape = shape_for(game, recipe.channels, recipe.blocks)
    feed = LocalPlay([game], recipe, shape, device, recipe.seed)
    run = Run(game, [], recipe, device, Path("nowhere"), feed)
    run.warm_up()
    selfplay, looks = feed.selfplay, recipe.simulations + 1
    (forest,) = selfplay.forests
    with torch.inference_mode():
        forest.plant()
        said = selfplay.ask(0)
        asking = measure(lambda: selfplay.ask(0), device)

        def walk() -> None:
            forest.plant()
            for number in range(looks):
                forest.simulate(number, *said)

        walking = measure(walk, device) / looks
    playing = measure(lambda: feed.play(run.learner), device)
    both = measure(lambda: list(run._round()), device)
    return (
        f"{name:7} net {asking * 1e3:7.2f} ms   trees {walking * 1e3:7.2f} ms   self-play "
        f"{recipe.batch * looks / playing:12,.0f} simulations/s   with learning "
        f"{recipe.batch / both:9,.0f} moves/s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=list(skerry.GAMES))
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda")
    parser.add_argument("--batch", type=int, help="games at a time")
    parser.add_argument("--guests", type=float, default=0.0, help="share of games that have some")
    given = parser.parse_args()
    recipe = Recipe() if given.device == "cuda" else Recipe.small()
    recipe = replace(recipe, batch=given.batch or recipe.batch, guests=given.guests)
    for name in given.games:
        print(report(name, recipe, given.device), flush=True)


if __name__ == "__main__":
    main()
