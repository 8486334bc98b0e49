"""``skerry games``: what there is to play."""

from typing import Any

import typer

from skerry.cli.common.parameters import AsJson
from skerry.cli.common.terminal import print_json


def games(json: AsJson = False) -> None:
    """List the games with their seats, options and designers.

    \b
    Examples:
      skerry games
      skerry games --json
    """
    from skerry.games import GAMES, kind
    from skerry.protocol.descriptions import describe_game

    found = [describe_game(kind(name)) for name in GAMES]
    if json:
        print_json(found)
        return
    typer.echo("\n\n".join(_write(game) for game in found))


def _write(game: dict[str, Any]) -> str:
    lines = [
        f"{game['name']}: {game['title']} for {len(game['seats'])} seats: "
        f"{', '.join(game['seats'])}",
        f"  {game['summary']}",
    ]
    options = game["options"]
    width = max((len(option["name"]) for option in options), default=0)
    for option in options:
        lines.append(
            f"  --option {option['name'].ljust(width)}  {option['meaning']}: "
            f"{option['low']} to {option['high']}, usually {option['default']}"
        )
    return "\n".join([*lines, f"  {game['credit']}"])
