"""``skerry warm``: compile what games need before anybody waits for it."""

from time import perf_counter
from typing import Annotated

import typer

from skerry.cli.common.parameters import Options
from skerry.cli.common.setup import interrupts_kill, make_game
from skerry.cli.common.terminal import progress_line
from skerry.core.errors import OptionsError

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
    from skerry.core.kernels import on_compile
    from skerry.games import GAMES
    from skerry.search.warmup import rehearse, warm_up, warm_up_solver

    if option and len(games or ()) != 1:
        raise OptionsError("options are those of one game: name it")
    chosen = [make_game(name, option) for name in games or GAMES]
    stages = {"rules": rehearse, "engines": warm_up, "solver": warm_up_solver}
    number, compiled = 0, 0
    with interrupts_kill(), progress_line(True) as show:
        for stage, load in stages.items():
            for game in chosen:
                number += 1
                done = f"{number} of {len(stages) * len(chosen)}: {stage} of {game.title}"

                def count(done: str = done) -> None:
                    nonlocal compiled
                    compiled += 1
                    show(f"{done}, {compiled} kernels compiled")

                show(done)
                before, began = compiled, perf_counter()
                with on_compile(count):
                    load(game)
                took = f"{perf_counter() - began:.1f} s" if compiled > before else "ready"
                show("")
                typer.echo(f"{game.title}: {stage} {took}")
