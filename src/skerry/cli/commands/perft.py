"""``skerry perft``: count sequences of actions, to check rules and measure their speed."""

from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.setup import (
    AsJson,
    GameName,
    Options,
    Position,
    Seed,
    compile_notice,
    interrupts_kill,
    make_game,
    make_start,
    on_this_board,
    print_json,
    whole_number,
)
from skerry.core.errors import OptionsError
from skerry.core.options import DEEPEST_PERFT

if TYPE_CHECKING:
    from skerry.core.state import State

Depth = Annotated[
    int,
    typer.Argument(
        metavar="DEPTH",
        parser=whole_number("DEPTH", 0, DEEPEST_PERFT),
        help="Length of the sequences, in actions.",
    ),
]
Divide = Annotated[bool, typer.Option("--divide", help="Count each first move separately.")]


def perft(
    game: GameName,
    depth: Depth,
    option: Options = None,
    position: Position = None,
    seed: Seed = None,
    divide: Divide = False,
    json: AsJson = False,
) -> None:
    """Count all sequences of DEPTH actions, and time it.

    \b
    Examples:
      skerry perft skew 3
      skerry perft x 2 --option size=4 --divide
      skerry perft skaane 3 --seed 7 --json
    """
    chosen = make_game(game, option)
    with compile_notice(on_this_board(chosen)):
        state = make_start(chosen, position, seed)
        chosen.perft(1, state)  # compiles or loads what is timed below
    with interrupts_kill():
        started = perf_counter()
        parts = _count_parts(state, depth) if divide else {}
        nodes = sum(parts.values()) if divide else chosen.perft(depth, state)
        seconds = perf_counter() - started
    speed = nodes / seconds
    if json:
        print_json(
            {
                "game": chosen.name,
                "options": chosen.options,
                "position": state.position,
                "depth": depth,
                "nodes": nodes,
                "seconds": round(seconds, 6),
                "nodes_per_second": round(speed),
                **({"divide": parts} if divide else {}),
            }
        )
        return
    for move, count in parts.items():
        typer.echo(f"{move}: {count}")
    typer.echo(f"perft({depth}) = {nodes}  {seconds:.3f} s  {speed:,.0f} nodes/s")


def _count_parts(state: "State", depth: int) -> dict[str, int]:
    if depth < 1:
        raise OptionsError("--divide needs a DEPTH of at least 1: at 0 there is no first move")
    moves = state.legal_moves()
    return {str(move): state.game.perft(depth - 1, state.play(move)) for move in moves}
