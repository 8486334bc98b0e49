"""``skerry openings``: what strong players played, and with what success."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from skerry.cli.common.parameters import (
    AsJson,
    Data,
    GameName,
    Options,
    Position,
    Seed,
    number_option,
    text_option,
)
from skerry.cli.common.picturefile import Force
from skerry.cli.common.setup import (
    compile_notice,
    make_game,
    make_start,
    on_this_board,
    play_moves,
)
from skerry.cli.common.terminal import print_json, progress_line
from skerry.core.errors import OptionsError

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.lab.openings.crossroads import Atlases, Crossroads, Way

SHOW = "show"
KILOBYTE = 1000
PAIR = 2  # seats that the swap rule is for

Played = Annotated[
    list[str] | None, typer.Argument(metavar="[MOVES]", help="What was played so far.")
]
Card = Annotated[bool, typer.Option("--card", help="Print whose games these are, as JSON.")]
Drifts = Annotated[
    bool, typer.Option("--drifts", help="List what nets loved early and dropped later.")
]
FirstMoves = Annotated[
    bool,
    typer.Option("--first-moves", help="List what every first move is worth: keep, close or swap."),
]
Corpora = Annotated[
    list[Path], typer.Argument(metavar="FILES", help="Games, as skerry selfplay writes them.")
]
Out = Annotated[Path, text_option("--out", "FILE", "Where the atlas goes; it ends in .atlas.")]
Least = Annotated[
    int, number_option("--least", "Games that a position needs in order to be kept.", 1, 10**9)
]
Plies = Annotated[int, number_option("--plies", "Plies of each game that are looked at.", 1, 1000)]
Room = Annotated[
    int,
    number_option(
        "--room", "Kilobytes that the file may have; rarer positions are left out.", 1, 60_000
    ),
]
Note = Annotated[str, text_option("--note", "TEXT", "Something to be said on the data card.")]


class _Lookup(TyperGroup):
    """What is no command of the group is a game to be looked up."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known = args and args[0] in self.commands
        return super().resolve_command(ctx, args if known else [SHOW, *args])


openings = typer.Typer(
    cls=_Lookup,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@openings.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Look up what strong players played, and with what success; or build such an atlas.

    \b
    Examples:
      skerry openings skew
      skerry openings skirt a3 --json
      skerry openings build skew skew.npz --out atlases/skew.atlas
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@openings.command(SHOW)
def show(
    game: GameName,
    moves: Played = None,
    option: Options = None,
    position: Position = None,
    seed: Seed = None,
    data: Data = "",
    card: Card = False,
    drifts: Drifts = False,
    first_moves: FirstMoves = False,
    json: AsJson = False,
) -> None:
    """List the moves that were played in a position; the word show may be left out.

    Of each: in how many games, in which share of the games that came here, and which share of the
    points it brought, with a 95 % interval. Moves that the symmetries of the board make of each
    other are one. What is known of few games is dim.

    \b
    Examples:
      skerry openings x
      skerry openings skew e6-sw --data atlases/
      skerry openings skaane --seed 7 h1-h3
      skerry openings skirt --drifts
      skerry openings skirt --first-moves
    """
    from skerry.core.playthrough import Playthrough
    from skerry.lab.openings.crossroads import Atlases, describe
    from skerry.lab.openings.shipped import advise

    made = make_game(game, option)
    if first_moves:
        _print_first_moves(made, data, json)
        return
    with compile_notice(on_this_board(made)):
        atlases = Atlases.find(made, data)
        if atlases.best is None:
            raise OptionsError(advise(made))
        cards = {era: atlas.card for era, atlas in atlases.list().items()}
        if card:
            print_json(cards)
            return
        if drifts:
            _print_drifts(made, atlases, json)
            return
        is_usual = position is None and seed is None
        begun = made.playable_start() if is_usual else make_start(made, position, seed)
        play_moves(begun, moves or [])
        found = atlases.look(Playthrough(begun).follow(moves or []))
    if json:
        where = {"game": made.name, "options": made.options, "position": found.state.position}
        print_json(where | describe(found) | {"cards": cards})
        return
    _print(found)


def _print_drifts(game: "Game", atlases: "Atlases", json: bool) -> None:
    from skerry.lab.openings.drifts import describe_drift, list_drifts

    if atlases.early is None:
        raise OptionsError(f"there is no atlas of an early net of {game.title} to compare with")
    found = list_drifts(game, atlases)
    if json:
        print_json([describe_drift(drift) for drift in found])
        return
    for drift in found:
        typer.echo(
            f"{drift.before:6.1%} -> {drift.now:6.1%}  {drift.drift:7}  {' '.join(drift.moves)}"
        )


def _print_first_moves(game: "Game", data: str, json: bool) -> None:
    from skerry.lab.openings.books import Books
    from skerry.lab.openings.swapmap import describe_first_moves

    book = Books(data).find(game)
    if book is None or not book.first_moves:
        raise OptionsError(
            f"first moves of {game.title} are not known on this board: `skerry survey "
            f"{game.name} --out FOLDER` finds out, and --data FOLDER reads it"
        )
    found = describe_first_moves(book)
    if json:
        where = {"game": game.name, "options": game.options}
        print_json(where | found | {"card": dict(book.card)})
        return
    pairs = game.num_seats == PAIR
    heads = ["move", *(["choice", "Elo for the chooser"] if pairs else [])]
    heads += [f"{c['minutes']:.1f} min, {c['simulations']}" for c in found["columns"]]
    rows = [_list_worth(move, pairs) for move in found["moves"]]
    told = f"{game.seats[0]} has" if pairs else f"{', '.join(game.seats)} have"
    typer.echo(f"What {told} of 100 points, by minutes that a net learnt and simulations a move:\n")
    _print_table(heads, rows)


def _list_worth(move: dict[str, Any], pairs: bool) -> list[str]:
    images = f" (+{len(move['images'])})" if move["images"] else ""
    cells = [f"{move['move']}{images}"]
    if pairs:
        elo = move["elo"]
        cells += [move["band"], f"{elo['value']:.0f} ({elo['low']:.0f} to {elo['high']:.0f})"]
    for shares in move["shares"]:
        told = shares[:1] if pairs else shares
        margin = max((each["high"] - each["low"]) / 2 for each in told)
        values = "-".join(f"{100 * each['value']:.1f}" for each in told)
        cells.append(f"{values} ± {100 * margin:.1f}")
    return cells


def _print_table(heads: list[str], rows: list[list[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        typer.echo("  ".join(map(str.ljust, row, widths)).rstrip())


def _print(found: "Crossroads") -> None:
    state, seats = found.state, found.state.game.seats
    if found.name:
        typer.echo(found.name)
    if not found.games:
        typer.echo("no games that are kept came here; go back a move")
        return
    points = ", ".join(map(_say_share, seats, found.shares))
    typer.echo(f"{found.games:,} games: {points}")
    if not found.ways:
        return
    told = range(len(seats)) if len(seats) > 2 else [state.turn]
    heads = ["move", "games", "played", *(seats[seat] for seat in told)]
    if found.early_games:
        heads.append("early")
    rows = [_list_cells(way, told, bool(found.early_games)) for way in found.ways]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    typer.echo()
    typer.echo("  ".join(map(str.ljust, heads, widths)).rstrip())
    for way, row in zip(found.ways, rows, strict=True):
        line = "  ".join(map(str.ljust, row, widths))
        more = " ".join(filter(None, (way.name, way.drift, "few games" if way.is_rare else "")))
        typer.echo(typer.style(f"{line}  {more}".rstrip(), dim=way.is_rare))


def _list_cells(way: "Way", told: Any, early: bool) -> list[str]:
    images = f" (+{len(way.moves) - 1})" if len(way.moves) > 1 else ""
    cells = [f"{way.moves[0]}{images}", f"{way.games:,}", f"{way.played:.1%}"]
    cells += [_say_share("", way.shares[seat]) if way.shares else "" for seat in told]
    return [*cells, f"{way.before or 0:.1%}"] if early else cells


def _say_share(seat: str, share: Any) -> str:
    return f"{seat} {share.value:.1%} ({share.low:.1%} to {share.high:.1%})".strip()


@openings.command()
def build(
    game: GameName,
    files: Corpora,
    out: Out,
    option: Options = None,
    least: Least = 20,
    plies: Plies = 40,
    room: Room = 300,
    note: Note = "",
    force: Force = False,
) -> None:
    """Make an atlas of openings from files of games; the same games give the same bytes.

    Every game is replayed by the rules. Positions are merged whichever way games came there, and
    whichever image of them. The atlas carries a data card: --card prints it.

    \b
    Examples:
      skerry openings build skew skew.npz --out atlases/skew.atlas
      skerry openings build skew minute-1.npz --out atlases/skew-early.atlas
    """
    from skerry.cli.common.savefile import check_new_place
    from skerry.lab.openings.building import build_atlas
    from skerry.lab.openings.shipped import ENDING

    made = make_game(game, option)
    if out.suffix != f".{ENDING}":
        raise OptionsError(f"--out must end in .{ENDING}: {out}")
    check_new_place(str(out), force)
    with compile_notice(on_this_board(made)), progress_line(True) as tell:
        limits = {"least": least, "plies": plies, "room": room * KILOBYTE}
        atlas, size = build_atlas(made, files, out, note, lambda n: tell(f"{n:,} games"), **limits)
    typer.echo(
        f"{out}: {atlas.card['games']:,} games, {len(atlas):,} positions of at least "
        f"{atlas.card['least']} games, {size / KILOBYTE:.0f} kB"
    )
