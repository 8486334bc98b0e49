"""How strength grew while a net was trained: its nets of certain minutes, rated by their games."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from skerry.core.errors import OptionsError
from skerry.core.extras import needs
from skerry.core.game import Game
from skerry.lab.contest.tournament import Crosstable, Tournament
from skerry.nets.file import LATEST, OF_MINUTE, read_net


@dataclass(frozen=True)
class Stage:
    """A net of a run, and how it plays."""

    minutes: float
    player: str


@dataclass(frozen=True)
class Grown:
    """How strong a stage, or somebody to compare with, has shown itself to be."""

    player: str
    minutes: float | None  # None if it was not trained in this run
    elo: float
    margin: float
    games: int


def list_stages(folder: Path, game: Game, simulations: int) -> list[Stage]:
    """The nets that a run has kept, in the order in which they were made."""
    stages = {}
    for path in (*folder.glob(OF_MINUTE.format("*")), folder / LATEST):
        if path.exists():
            minutes = float(read_net(path, game).card["headway"]["minutes"])
            stages[minutes] = Stage(minutes, f"net:file={path},simulations={simulations}")
    if len(stages) < 2:
        raise OptionsError(f"{folder} has fewer than 2 nets of a run: there is no curve yet")
    return [stages[minutes] for minutes in sorted(stages)]


def plan(
    game: Game, stages: Sequence[Stage], others: Sequence[str], games: int, seed: int
) -> Tournament:
    """Each stage meets the next two, and the others come behind the last."""
    names = (*(stage.player for stage in stages), *others)
    return Tournament(game, names, games, seed, reach=2)


def read_curve(stages: Sequence[Stage], table: Crosstable) -> list[Grown]:
    """The stages in their order, then the others."""
    minutes = {stage.player: stage.minutes for stage in stages}
    grown = [
        Grown(each.player, minutes.get(each.player), each.elo, each.margin or 0.0, each.games)
        for each in table.places
    ]
    return sorted(grown, key=lambda each: (each.minutes is None, each.minutes or 0.0, each.elo))


def draw_curve(curves: dict[str, Sequence[Grown]], path: Path) -> None:
    """A plot of Elo against minutes, one line for each run; others are levels to see."""
    with needs("lab", "a plot"):
        from matplotlib.figure import Figure
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    for name, grown in curves.items():
        stages = [each for each in grown if each.minutes is not None]
        axes.errorbar(
            [each.minutes or 0.0 for each in stages],
            [each.elo for each in stages],
            [each.margin for each in stages],
            marker="o",
            capsize=3,
            label=name,
        )
        for each in grown:
            if each.minutes is None:
                axes.axhline(each.elo, linestyle="--", color="grey")
                axes.annotate(each.player, (0.99, each.elo), xycoords=("axes fraction", "data"),
                              ha="right", va="bottom", fontsize="small")  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set_xlabel("minutes of training")
    axes.set_ylabel("Elo above the first net")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path)
