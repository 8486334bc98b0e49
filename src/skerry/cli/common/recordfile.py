"""Record files that commands are given."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

from skerry.cli.common.parameters import number_option
from skerry.cli.common.terminal import escape_controls
from skerry.core.errors import OptionsError
from skerry.core.options import write_options

if TYPE_CHECKING:
    from skerry.records import Record

STANDARD_INPUT = "-"

GameNumber = Annotated[
    int | None,
    number_option("--game-number", "Which game of the record file, counting from 1.", 1),
]


def load_records(file: str) -> "list[Record]":
    """All games of a file; - is standard input."""
    from skerry.records import load, load_from

    if file != STANDARD_INPUT:
        return load(file)
    if sys.stdin is None:
        raise OptionsError("standard input is closed: name a file instead of -")
    return load_from(sys.stdin.buffer, "standard input")


def choose_record(records: "list[Record]", file: str, number: int | None) -> "Record":
    """The game of that number; the only one if there is no number."""
    if number is None and len(records) > 1:
        raise OptionsError(f"{file} holds {len(records)} games: choose one with --game-number")
    if number is not None and number > len(records):
        raise OptionsError(f"{file} holds {len(records)} games: there is no game {number}")
    return records[(number or 1) - 1]


def describe_record(record: "Record") -> dict[str, Any]:
    """What a record says about its game, for programs."""
    end = record.play.state
    return {
        "game": record.game.name,
        "options": record.game.options,
        "players": list(record.players),
        "plies": len(record.line.plies),
        "result": record.result,
        "reason": end.outcome.reason if end.outcome else None,
        "position": end.position,
    }


def write_record(game: dict[str, Any]) -> str:
    """The same on one line, for people."""
    options = write_options(game["options"])
    players = " - ".join(escape_controls(player or "?") for player in game["players"])
    who = f" {players}," if any(game["players"]) else ""
    reason = f" ({game['reason']})" if game["reason"] else ""
    length = "1 ply" if game["plies"] == 1 else f"{game['plies']} plies"
    return f"{game['game']} {options}:{who} {length}, {game['result']}{reason}"
