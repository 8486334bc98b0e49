"""``skerry replay``: check the games of a record file by playing them again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.parameters import AsJson, text_option
from skerry.cli.common.picturefile import Force, Theme, Width, check_pictures
from skerry.cli.common.recordfile import (
    GameNumber,
    choose_record,
    describe_record,
    load_records,
    write_record,
)
from skerry.cli.common.setup import compile_notice
from skerry.cli.common.terminal import print_json
from skerry.core.errors import OptionsError

if TYPE_CHECKING:
    from skerry.records import Record

RecordFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A record file, text or JSON; - is standard input."),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print nothing unless there is an error.")
]
FilmFile = Annotated[
    str | None, text_option("--film", "FILE", "Write a game as an animation: .gif, .webp or .png.")
]
Pace = Annotated[
    float, typer.Option("--pace", min=0.02, max=60, help="Seconds per frame of the film.")
]


def replay(
    file: RecordFile,
    film: FilmFile = None,
    game_number: GameNumber = None,
    pace: Pace = 0.8,
    width: Width = 480,
    theme: Theme = "light",
    force: Force = False,
    quiet: Quiet = False,
    json: AsJson = False,
) -> None:
    """Check a record file by replaying its games, or film one of them.

    An illegal or unreadable move ends with exit code 2 and a line that says where it is.

    \b
    Examples:
      skerry replay games.skr
      skerry replay games.json --json
      skerry replay games.skr --quiet && echo all well
      skerry replay games.skr --game-number 2 --film game.gif
    """
    from skerry.render.raster import film_format

    check_pictures(theme, force, film)
    ending = None if film is None else film_format(film)
    if film is None and game_number is not None:
        raise OptionsError("--game-number goes with --film FILE")
    with compile_notice("the recorded games"):
        records = load_records(file)
        found = [describe_record(record) for record in records]
        if film is not None and ending is not None:
            record = choose_record(records, file, game_number)
            Path(film).write_bytes(_film(record, ending, theme, width, pace))
    if json:
        print_json(found)
    elif not quiet:
        for number, game in enumerate(found, 1):
            typer.echo(f"{number}. {write_record(game)}")


def _film(record: "Record", ending: str, theme: str, width: int, pace: float) -> bytes:
    from skerry.render import raster
    from skerry.render.frames import draw_line

    frames = draw_line(record.play, theme)
    return raster.film(frames, ending, width, pace)
