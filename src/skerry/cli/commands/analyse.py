"""``skerry analyse``: what an engine thinks of a position."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from skerry.cli.common.parameters import (
    AsJson,
    GameChoice,
    Moves,
    NetFile,
    Options,
    Position,
    number_option,
    seed_option,
    text_option,
)
from skerry.cli.common.picturefile import PictureFiles
from skerry.cli.common.recordfile import GameNumber
from skerry.cli.common.setup import (
    compile_notice,
    engine_notice,
    finish_interrupted,
    interrupts_stop,
    make_game,
    make_start,
    on_this_board,
    play_moves,
)
from skerry.cli.common.terminal import print_json, progress_line
from skerry.core.errors import OptionsError
from skerry.search.limits import MOST_SIMULATIONS, MOST_THREADS

if TYPE_CHECKING:
    from skerry.core.state import State
    from skerry.search.analysis import Analysis

LINE_SHOWN = 8
TOLD_EVERY = 0.5  # seconds

Simulations = Annotated[
    int | None,
    number_option(
        "--simulations",
        "Number of simulations, unless --seconds is given: 10000, or 400 with a net.",
        1,
        MOST_SIMULATIONS,
    ),
]
Seconds = Annotated[
    float | None, typer.Option("--seconds", min=0.01, max=86400, help="Time to search, in seconds.")
]
SearchSeed = Annotated[
    int | None, seed_option("Seed of the deal, in games that start with one, and of the search.")
]
Threads = Annotated[
    int,
    number_option("--threads", "Number of search threads.", 1, MOST_THREADS),
]
Top = Annotated[
    int,
    number_option("--top", "How many candidates to show, or mistakes to explain.", 1, metavar="K"),
]
RecordFile = Annotated[
    str | None,
    text_option("--record", "FILE", "Review a game from a record file; - is standard input."),
]
SaveTo = Annotated[
    str | None, text_option("--save", "FILE", "Save the game with comments and better lines.")
]


def analyse(
    game: GameChoice = None,
    *,
    option: Options = None,
    position: Position = None,
    seed: SearchSeed = None,
    moves: Moves = "",
    simulations: Simulations = None,
    seconds: Seconds = None,
    threads: Threads = 1,
    net: NetFile = None,
    top: Top = 5,
    record: RecordFile = None,
    game_number: GameNumber = None,
    save: SaveTo = None,
    pictures: PictureFiles,
    json: AsJson = False,
) -> None:
    """Analyse a position, or review a recorded game.

    For a position, prints the value for each seat, the best moves and the line each leads to. A
    value is 1 for a certain win and -1 for a certain loss. With --simulations, the same command
    always gives the same answer. Ctrl-C ends the search and prints what it has found. For a game,
    prints what every move was worth and what would have been better.

    \b
    Examples:
      skerry analyse skew --option side=4
      skerry analyse x --moves "d4 e5" --seconds 5 --threads 4
      skerry analyse skaane --seed 7 --simulations 2000 --json
      skerry analyse skirt --moves "a3" --png candidates.png
      skerry analyse --record game.skr --seconds 1 --save annotated.skr
    """
    budget: dict[str, Any] = {
        "simulations": simulations,
        "seconds": seconds,
        "seed": seed or 0,
        "threads": threads,
    }
    if record is not None:
        if game is not None or option or position is not None or moves:
            raise OptionsError(
                "--record already says what was played: leave out GAME and its options"
            )
        if pictures.svg is not None or pictures.png is not None:
            raise OptionsError("--svg and --png show one position: name a game and its moves")
        from skerry.cli.common.reviewing import review_file

        review_file(record, game_number, save, pictures.force, top, json, budget, net)
        return
    if game is None:
        raise OptionsError("name a game, or a record file with --record")
    if game_number is not None or save is not None:
        raise OptionsError("--game-number and --save go with --record FILE")
    from skerry.protocol.descriptions import describe_analysis
    from skerry.search import engine
    from skerry.search.overlay import view

    pictures.check()
    chosen = make_game(game, option)
    with compile_notice(on_this_board(chosen)):
        deal = seed if position is None else None  # a position needs none, its search has luck
        state = play_moves(make_start(chosen, position, deal), moves.split())[-1]
        guide = engine.choose_net(net, chosen)
        with interrupts_stop() as stopped, progress_line(not json) as show, engine_notice():

            def tell(now: "Analysis") -> None:
                show(f"{now.simulations:,} simulations, {now.seconds:.0f} s, best is {now.best}")

            found = engine.analyse(
                state, **budget, net=guide, lines=top, stop=stopped, tell=tell, every=TOLD_EVERY
            )
    scene = state.scene().under(view(state, found))
    if not pictures.write(scene):
        game_told = {"game": chosen.name, "options": chosen.options}
        content = {**game_told, **describe_analysis(state, found, top)}
        if json:
            print_json(content)
        else:
            _print(state, content)
    finish_interrupted(stopped)


def _print(state: "State", content: dict[str, Any]) -> None:
    from skerry.search.review import write_values

    seats = state.game.seats
    values = write_values(content["values"], False, seats)
    typer.echo(f"{content['seat']} to move, best is {content['best']}")
    typer.echo(f"values: {values}{' (proven)' if content['proven'] else ''}")
    typer.echo(f"line: {' '.join(content['pv'])}")
    width = max(len(move["move"]) for move in content["moves"]) + 2
    typer.echo(f"\n{'move':{width}}{'visits':>10}{''.join(f'{seat:>9}' for seat in seats)}  line")
    for move in content["moves"]:
        numbers = "".join(f"{value:+9.2f}" for value in move["values"])
        line = " ".join(move["pv"][1:LINE_SHOWN])
        proven = "proven; " if move["proven"] else ""
        typer.echo(f"{move['move']:{width}}{move['visits']:10,}{numbers}  {proven}{line}".rstrip())
    typer.echo(f"\n{content['simulations']:,} simulations in {content['seconds']:.2f} s")
