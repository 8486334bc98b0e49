"""``skerry perft``: count sequences of actions, to check rules and measure their speed."""

from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.parameters import AsJson, ChosenGame, Position, Seed, whole_number
from skerry.cli.common.setup import (
    compile_notice,
    finish_interrupted,
    interrupts_stop,
    make_start,
    on_this_board,
)
from skerry.cli.common.terminal import print_json, progress_line
from skerry.core.errors import OptionsError
from skerry.core.options import DEEPEST_PERFT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skerry.core.state import State

LONGEST_COUNT = 4  # plies that are counted at once, between looks at Ctrl-C

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
    game: ChosenGame,
    depth: Depth,
    position: Position = None,
    seed: Seed = None,
    divide: Divide = False,
    json: AsJson = False,
) -> None:
    """Count all sequences of DEPTH actions, and time it.

    Ctrl-C prints what has been counted until then.

    \b
    Examples:
      skerry perft skew 3
      skerry perft x 2 --option size=4 --divide
      skerry perft skaane 3 --seed 7 --json
    """
    chosen = game.make()
    with compile_notice(on_this_board(chosen)):
        state = make_start(chosen, position, seed)
        chosen.perft(1, state)  # compiles or loads what is timed below
    if divide and depth < 1:
        raise OptionsError("--divide needs a DEPTH of at least 1: at 0 there is no first move")
    with interrupts_stop() as stopped, progress_line(not json) as show:
        started = perf_counter()
        parts, nodes = {}, int(depth == 0)
        moves = state.legal_moves() if depth else ()
        for move in moves:
            parts[str(move)] = 0
            for count in _count(state.play(move), depth - 1):
                if stopped():
                    break
                parts[str(move)] += count
                nodes += count
                show(f"{nodes:,} so far, in {len(parts)} of {len(moves)} first moves")
            if stopped():
                break
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
                **({"complete": False} if stopped() else {}),
                **({"divide": parts} if divide else {}),
            }
        )
    else:
        for text, count in parts.items() if divide else ():
            typer.echo(f"{text}: {count}")
        relation = ">=" if stopped() else "="
        typer.echo(f"perft({depth}) {relation} {nodes}  {seconds:.3f} s  {speed:,.0f} nodes/s")
    finish_interrupted(stopped)


def _count(state: "State", depth: int) -> "Iterator[int]":
    """Counts that add up to a position's, none of which takes longer than a few seconds."""
    if depth <= LONGEST_COUNT:
        yield state.game.perft(depth, state)
    else:
        for action in state.legal_actions():
            yield from _count(state.play(int(action)), depth - 1)
