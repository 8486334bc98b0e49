"""``skerry replay``: check the games of a record file by playing them again."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from skerry.cli.setup import AsJson, compile_notice, print_json

if TYPE_CHECKING:
    from skerry.records import Record

RecordFile = Annotated[str, typer.Argument(metavar="FILE", help="A record file, text or JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing unless there is an error.")]


def replay(file: RecordFile, quiet: Quiet = False, json: AsJson = False) -> None:
    """Check a record file by playing its games again.

    An illegal or unreadable move ends with exit code 2 and a line that names the place.

    \b
    Examples:
      skerry replay games.txt
      skerry replay games.json --json
      skerry replay games.txt --quiet && echo all well
    """
    from skerry.records import load

    with compile_notice("the recorded games"):
        found = [_describe(record) for record in load(file)]
    if json:
        print_json(found)
    elif not quiet:
        for number, game in enumerate(found, 1):
            typer.echo(_write(number, game))


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
    players = " - ".join(player or "?" for player in game["players"])
    who = f" {players}," if any(game["players"]) else ""
    reason = f" ({game['reason']})" if game["reason"] else ""
    return (
        f"{number}. {game['game']} {options}:{who} {game['plies']} plies, {game['result']}{reason}"
    )
