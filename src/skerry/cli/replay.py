"""``skerry replay``: check the games of a record file by playing them again."""

from typing import Annotated

import typer

from skerry.cli.recordfile import describe_record, load_records, write_record
from skerry.cli.setup import AsJson, compile_notice, print_json

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
        found = [describe_record(record) for record in load_records(file)]
    if json:
        print_json(found)
    elif not quiet:
        for number, game in enumerate(found, 1):
            typer.echo(f"{number}. {write_record(game)}")
