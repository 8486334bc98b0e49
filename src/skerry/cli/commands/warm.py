"""``skerry warm``: compile what games need before anybody waits for it."""

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.parameters import Options
from skerry.cli.common.setup import interrupts_kill, make_game
from skerry.cli.common.terminal import progress_line
from skerry.core.errors import OptionsError

if TYPE_CHECKING:
    from skerry.core.game import Game

Names = Annotated[
    list[str] | None, typer.Argument(metavar="[GAME]...", help="Games to warm; all by default.")
]


def warm(games: Names = None, option: Options = None) -> None:
    """Compile the rules, engines and solver of games now, so that nobody waits for them later.

    Compiled kernels are kept for all processes of this machine, and for as long as skerry does not
    change. Rules come first, then what engines need, then the solver. Ctrl-C keeps what is done.

    \b
    Examples:
      skerry warm
      skerry warm skew -o side=4
    """
    from skerry.games import GAMES
    from skerry.search.warmup import (
        RULES,
        SOLVER,
        count_missing,
        in_per_cent,
        rehearse,
        warm_up,
        warm_up_solver,
    )

    if option and len(games or ()) != 1:
        raise OptionsError("options are those of one game: name it")
    chosen = [make_game(name, option) for name in games or GAMES]
    stages: dict[str, tuple[Callable[[Game], object], Callable[[], int]]] = {
        "rules": (rehearse, lambda: RULES),
        "engines": (warm_up, count_missing),
        "solver": (warm_up_solver, lambda: SOLVER),
    }
    number = 0
    with interrupts_kill(), progress_line(True) as show:
        for stage, (load, count) in stages.items():
            for game in chosen:
                number += 1
                part = f"{number} of {len(stages) * len(chosen)}: {stage} of {game.title}"
                told: list[int] = []

                def tell(done: int, part: str = part, told: list[int] = told) -> None:
                    told.append(done)
                    show(f"{part}, {done} %")

                show(part)
                began = perf_counter()
                with in_per_cent(count(), tell):
                    load(game)
                took = f"{perf_counter() - began:.1f} s" if told else "ready"
                show("")
                typer.echo(f"{game.title}: {stage} {took}")
