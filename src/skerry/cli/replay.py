"""``skerry replay``: check the games of a record file by playing them again."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skerry.cli.setup import AsJson, compile_notice, print_json
from skerry.cli.terminal import escape_controls
from skerry.core.errors import OptionsError

if TYPE_CHECKING:
    from skerry.records import Record

STANDARD_INPUT = "-"

RecordFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A record file, text or JSON; - is the standard input."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing unless there is an error.")]


def replay(file: RecordFile, quiet: Quiet = False, json: AsJson = False) -> None:
    """Check a record file by playing its games again.

    An illegal or unreadable move ends with exit code 2 and a line that names the place.

    \b
    Examples:
      skerry replay games.skr
      skerry replay games.json --json
      skerry replay games.skr --quiet && echo all well
    """
    with compile_notice("the recorded games"):
        found = [_describe(record) for record in _load(file)]
    if json:
        print_json(found)
    elif not quiet:
        for number, game in enumerate(found, 1):
            typer.echo(_write(number, game))


def _load(file: str) -> "list[Record]":
    from skerry.records import load, load_from

    if file != STANDARD_INPUT:
        return load(file)
    if sys.stdin is None:
        raise OptionsError("the standard input is closed: name a file instead of -")
    return load_from(sys.stdin.buffer, "standard input")


def _describe(record: "Record") -> dict[str, Any]:
    end = record.states()[-1]
    return {
        "game": record.game.name,
        "options": record.game.options,
        "players": list(record.players),
        "plies": len(record.line.plies),
        "result": record.result,
        "reason": end.outcome.reason if end.outcome else None,
        "position": end.position,
    }


def _write(number: int, game: dict[str, Any]) -> str:
    options = " ".join(f"{name}={value}" for name, value in game["options"].items())
    players = " - ".join(escape_controls(player or "?") for player in game["players"])
    who = f" {players}," if any(game["players"]) else ""
    reason = f" ({game['reason']})" if game["reason"] else ""
    length = "1 ply" if game["plies"] == 1 else f"{game['plies']} plies"
    return f"{number}. {game['game']} {options}:{who} {length}, {game['result']}{reason}"
