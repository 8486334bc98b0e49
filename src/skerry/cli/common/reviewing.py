"""What ``skerry analyse --record`` prints: a whole game reviewed by the engine."""

import os
from typing import Any

import typer

from skerry.cli.common.recordfile import choose_record, describe_record, load_records, write_record
from skerry.cli.common.setup import compile_notice, engine_notice
from skerry.cli.common.terminal import print_json
from skerry.protocol.descriptions import DIGITS, round_values
from skerry.records import fingerprint, save
from skerry.search.engine import choose_net, judging_net
from skerry.search.review import MoveReview, Review, review, write_values

LINE_SHOWN = 8


def review_file(
    file: str,
    number: int | None,
    saved_in: str | None,
    force: bool,
    shown: int,
    json: bool,
    budget: dict[str, Any],
    net: str | None,
) -> None:
    """Review one game of a file, tell about it, and save it with annotations if asked."""
    from skerry.cli.common.savefile import check_new_place

    if saved_in is not None:
        check_new_place(saved_in, force)
    before = fingerprint(saved_in) if saved_in is not None else None
    with compile_notice("the recorded games"), engine_notice():
        record = choose_record(load_records(file), file, number)
        guide = choose_net(net, record.game, judging_net)
        found = review(record, **budget, net=guide, tell=None if json else _show_progress)
    if saved_in is not None:
        # Before anything is printed, which may fail. Nothing is replaced but what was to be
        # overwritten, not even what somebody put there while the engine was thinking.
        save(saved_in, found.annotated(), replacing=before)
    if json:
        print_json(_describe(found))
        return
    _print(found, shown)
    if saved_in is not None:
        typer.echo(f"\nsaved in {saved_in}")


def _show_progress(done: int, total: int) -> None:
    if os.isatty(2):
        typer.echo(f"\r{done} of {total} positions", err=True, nl=done == total)


def _describe(found: Review) -> dict[str, Any]:
    seats = found.record.game.seats
    return {
        **describe_record(found.record),
        "moves": [
            {
                "turn": move.turn,
                "seat": seats[move.seat],
                "move": str(move.move),
                "mark": move.mark,
                "loss": round(move.loss, DIGITS),
                "values": round_values(move.values),
                "proven": move.proven,
                "best": str(move.best),
                "best_values": round_values(move.best_values),
                "best_proven": move.best_proven,
                "line": [str(step) for step in move.line],
            }
            for move in found.moves
        ],
    }


def _print(found: Review, shown: int) -> None:
    seats = found.record.game.seats
    typer.echo(f"{write_record(describe_record(found.record))}\n")
    width = max(len("move"), *(len(str(move.move)) for move in found.moves))
    wide = max(len(seat) for seat in seats)
    columns = "".join(f"{seat:>8}" for seat in seats)
    typer.echo(f"{'turn':6}{'seat':{wide}}  {'move':{width}}   {columns}    loss  better")
    for move in found.moves:
        values = "".join(f"{round(value, 2) + 0.0:+8.2f}" for value in move.values)
        better = "" if move.best == move.move else str(move.best)
        typer.echo(
            f"{move.turn:6}{seats[move.seat]:{wide}}  {move.move!s:{width}} {move.mark:2}{values}"
            f"{move.loss:8.2f}  {better}".rstrip()
        )
    typer.echo()
    for move in found.mistakes[:shown]:
        typer.echo(_explain(move, seats))
    left = len(found.mistakes) - shown
    if left > 0:
        typer.echo(f"and {left} more; --top {len(found.mistakes)} explains them all")
    if not found.mistakes:
        typer.echo("no mistakes found")


def _explain(move: MoveReview, seats: tuple[str, ...]) -> str:
    """A mistake in words."""
    after = write_values(move.values, move.proven, seats)
    better = write_values(move.best_values, move.best_proven, seats)
    line = " ".join(str(step) for step in move.line[:LINE_SHOWN])
    return (
        f"{move.turn} {move.move}{move.mark} costs {seats[move.seat]} {move.loss:.2f}: {after}.\n"
        f"  Better is {line}: {better}."
    )
