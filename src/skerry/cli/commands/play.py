"""``skerry play``: a game at one terminal, between people, engines or both."""

from typing import TYPE_CHECKING, Annotated

import typer

from skerry.cli.common.parameters import (
    Ascii,
    Data,
    GameChoice,
    Options,
    seed_option,
    text_option,
)
from skerry.cli.common.setup import compile_notice, make_game, on_this_board
from skerry.core.errors import OptionsError
from skerry.core.options import read_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from skerry.cli.common.savefile import SaveFile
    from skerry.cli.session.ongoing import OngoingGame
    from skerry.core.game import Game
    from skerry.records import Record

LoadFile = Annotated[str | None, text_option("--load", "FILE", "Resume the game in a record file.")]
SaveTo = Annotated[
    str | None,
    text_option("--save", "FILE", "Save after every move; a game already in FILE is resumed."),
]
GameSeed = Annotated[
    int | None, seed_option("Seed of the deal, in games that start with one, and of engines.")
]
Even = Annotated[
    bool, typer.Option("--even", help="Begin with a start that strong players hold even.")
]
PLAYER_HELP = (
    "Who plays: human, random, level:1 to level:10, mcts:simulations=2000, cmd:./mybot or "
    "module:attribute."
)
Seat1 = Annotated[str | None, text_option("--seat1", "PLAYER", PLAYER_HELP)]
Seat2 = Annotated[str | None, text_option("--seat2", "PLAYER", "Likewise.")]
Seat3 = Annotated[str | None, text_option("--seat3", "PLAYER", "Likewise.")]


def play(
    game: GameChoice = None,
    option: Options = None,
    seed: GameSeed = None,
    even: Even = False,
    data: Data = "",
    load: LoadFile = None,
    save: SaveTo = None,
    seat1: Seat1 = None,
    seat2: Seat2 = None,
    seat3: Seat3 = None,
    ascii: Ascii = False,
) -> None:
    """Play a game in this terminal.

    People share the keyboard, and engines may take seats. Type moves the way skerry writes them;
    type help for everything else.

    \b
    Examples:
      skerry play
      skerry play skew --option side=4
      skerry play x --seat2 level:3 --seat3 random
      skerry play skirt --seat2 "cmd:timeout=10,./mybot --fast"
      skerry play skaane --seed 7 --save skaane.skr
      skerry play skirt --even --seat2 level:5
      skerry play --load skaane.skr
    """
    from skerry.cli.common.prompt import ask_game
    from skerry.cli.common.savefile import SaveFile, check_place
    from skerry.cli.session.beside import engines_beside
    from skerry.cli.session.ongoing import OngoingGame, choose_seed
    from skerry.cli.session.seats import name_engines, read_seats
    from skerry.cli.session.session import Session
    from skerry.search.players import dismiss

    if save is not None:
        check_place(save)
    with compile_notice("the recorded games"):
        file = None if save is None else SaveFile.open(save)
        source, record = _find_record(file, load)
    if record is not None:
        _check_asked_for(record, source, game, read_options(option or ()), seed)
        chosen = record.game
    else:
        name = game or ask_game()
        if name is None:
            return
        chosen = make_game(name, option)
    players = read_seats(chosen, (seat1, seat2, seat3))
    with engines_beside(chosen, players) as seated, compile_notice(on_this_board(chosen)):
        if record is not None:
            ongoing = OngoingGame.resume(record)
        elif even:
            ongoing = _begin_even(chosen, data, seed, name_engines(chosen, players))
        else:
            deal = choose_seed(chosen) if seed is None else seed
            if deal != seed:
                typer.echo(f"dealt with --seed {deal}")
            ongoing = OngoingGame.begin(chosen, deal, name_engines(chosen, players))
        try:
            Session(ongoing, file, ascii, seated, seed, source).run()
        finally:
            for engine in filter(None, players):
                dismiss(engine)


def _begin_even(
    game: "Game", data: str, seed: int | None, headers: "Mapping[str, str]"
) -> "OngoingGame":
    """A game from an even start, of which the seed chooses one."""
    from random import Random

    from skerry.cli.session.ongoing import OngoingGame
    from skerry.lab.beginnings import tell_evidence
    from skerry.lab.openings.books import Books

    start = Books(data).draw(game, Random(seed))
    told = tell_evidence(game.seats, start.evidence)
    typer.echo(f"even start, by strong play: {told}")
    ongoing = OngoingGame.begin(game, start.deal, {**headers, "Even": told})
    for move in start.moves:
        ongoing.play(move)
    return ongoing


def _find_record(file: "SaveFile | None", load: str | None) -> "tuple[str | None, Record | None]":
    """The game to go on with, and the file it comes from."""
    from skerry import records

    if file is not None and file.last is not None:
        if load is not None:
            raise OptionsError(f"{file.path} holds a game already: --load would replace it")
        return file.path, file.last
    return (None, None) if load is None else (load, records.load(load)[-1])


def _check_asked_for(
    record: "Record",
    source: str | None,
    name: str | None,
    options: dict[str, object],
    seed: int | None,
) -> None:
    """See that a game to go on with is the one that was asked for."""
    game: Game = record.game
    what = None
    if name is not None and name.lower() != game.name:
        what = f"a game of {game.name}, not of {name.lower()}"
    elif seed is not None and seed != record.seed:
        found = "without a seed" if record.seed is None else f"with seed {record.seed}"
        what = f"a game {found}, not with seed {seed}"
    for option, value in options.items():
        if what is None and value != game.options.get(option):
            what = f"a game with {option} {game.options.get(option)}, not {value}"
    if what is not None:
        raise OptionsError(f"{source} holds {what}; name another file, or leave out the rest")
