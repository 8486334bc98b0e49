"""``skerry play``: a game between people at one terminal."""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.setup import (
    Ascii,
    Options,
    Seed,
    compile_notice,
    make_game,
    on_this_board,
    read_options,
)
from skerry.core.errors import OptionsError

if TYPE_CHECKING:
    from skerry.cli.table import Table

DEALS = 1_000_000  # seeds short enough to be read out

GameChoice = Annotated[
    str | None, typer.Argument(metavar="[GAME]", help="A name that skerry games lists.")
]
LoadFile = Annotated[
    str | None, typer.Option("--load", metavar="FILE", help="Go on with the game in a record file.")
]
SaveFile = Annotated[
    str | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="Save after every move; a game that is in FILE already is taken up again.",
    ),
]


def play(
    game: GameChoice = None,
    option: Options = None,
    seed: Seed = None,
    load: LoadFile = None,
    save: SaveFile = None,
    ascii: Ascii = False,
) -> None:
    """Play a game on this terminal.

    Everybody sits at the same keyboard. Moves are typed as skerry writes them; help explains what
    else can be typed.

    \b
    Examples:
      skerry play
      skerry play skew --option side=4
      skerry play skaane --seed 7 --save skaane.txt
      skerry play --load skaane.txt
    """
    from skerry.cli.session import Session

    found = _find_table(game, option, seed, load, save)
    if found is None:
        return
    what, lay = found
    with compile_notice(what):
        Session(lay(), save, ascii).run()


def _find_table(
    name: str | None, option: list[str] | None, seed: int | None, load: str | None, save: str | None
) -> "tuple[str, Callable[[], Table]] | None":
    """What to play and how to begin: a game from a file or a new one; None if nobody says which."""
    from skerry.cli.prompt import ask_game
    from skerry.cli.table import Table

    resumed = save is not None and _holds_game(Path(save))
    if resumed and load is not None:
        raise OptionsError(f"{save} holds a game already: --load would replace it")
    source = save if resumed else load
    if source is not None:
        options = read_options(option)
        wanted = name and name.lower()
        return f"the game in {source}", lambda: Table.open(source, wanted, options, seed, resumed)
    name = name or ask_game()
    if name is None:
        return None
    game = make_game(name, option)
    if seed is None and game.has_chance:
        seed = secrets.randbelow(DEALS)
        typer.echo(f"the deal is that of --seed {seed}")
    return on_this_board(game), lambda: Table.begin(game, seed)


def _holds_game(path: Path) -> bool:
    """Whether a save file is there and not empty."""
    if path.exists() and not path.is_file():
        raise OptionsError(f"--save {path} is not an ordinary file; choose another name")
    return path.exists() and path.stat().st_size > 0
