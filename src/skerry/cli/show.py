"""``skerry show``: one position, as a picture and as text."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skerry.cli.setup import (
    Ascii,
    AsJson,
    GameName,
    Options,
    Position,
    Seed,
    compile_notice,
    make_game,
    make_start,
    on_this_board,
    print_json,
)
from skerry.core.errors import SkerryError, shorten

if TYPE_CHECKING:
    from skerry.core.game import State
    from skerry.core.scene import Scene

STANDARD_OUTPUT = "-"

Moves = Annotated[
    str, typer.Option("--moves", "-m", metavar="MOVES", help="Play these moves, parted by spaces.")
]
SvgFile = Annotated[
    str | None,
    typer.Option("--svg", metavar="FILE", help="Write the board as SVG; - is the standard output."),
]
Theme = Annotated[str, typer.Option("--theme", metavar="NAME", help="Of the SVG: light or dark.")]


def show(
    game: GameName,
    option: Options = None,
    position: Position = None,
    seed: Seed = None,
    moves: Moves = "",
    svg: SvgFile = None,
    theme: Theme = "light",
    ascii: Ascii = False,
    json: AsJson = False,
) -> None:
    """Show a position as text, SVG or JSON.

    The board comes with whose turn it is, the number of legal moves, how the game ended, and the
    position text.

    \b
    Examples:
      skerry show skew
      skerry show skew --option side=4 --moves "d4-ne c3-w"
      skerry show skaane --seed 7 --svg deal.svg --theme dark
      skerry show x -o size=4 -p "4/1r2/4/3y g" --json
    """
    chosen = make_game(game, option)
    with compile_notice(on_this_board(chosen)):
        state, scene = _play(make_start(chosen, position, seed), moves.split())
        content = _describe(state)
    if svg is not None:
        _write_svg(scene, theme, svg)
    if svg == STANDARD_OUTPUT:
        return
    if json:
        print_json(content)
    else:
        _print(state, scene, content, ascii)


def _play(state: "State", moves: list[str]) -> "tuple[State, Scene]":
    """The state after the moves, and its scene with the last of them marked."""
    from skerry.render.marks import mark_last

    scene = state.scene()
    for number, move in enumerate(moves, 1):
        try:
            after = state.play(move)
        except SkerryError as error:
            raise type(error)(f"move {number} {shorten(move)}: {error}") from None
        scene = mark_last(after.scene(), move.lower(), state.scene())
        state = after
    return state, scene


def _describe(state: "State") -> dict[str, Any]:
    outcome = state.outcome
    return {
        "game": state.game.name,
        "options": state.game.options,
        "position": state.position,
        "to_move": state.to_move,
        "seat": None if state.to_move is None else state.game.seats[state.to_move],
        "legal_moves": [str(move) for move in state.legal_moves()],
        "outcome": outcome
        and {
            "returns": list(outcome.returns),
            "winner": outcome.winner,
            "score": outcome.score and list(outcome.score),
            "reason": outcome.reason,
        },
    }


def _write_svg(scene: "Scene", theme: str, file: str) -> None:
    from skerry.render.svg import draw

    picture = draw(scene, theme=theme) + "\n"
    if file == STANDARD_OUTPUT:
        typer.echo(picture, nl=False)
    else:
        Path(file).write_text(picture, encoding="utf-8")


def _print(state: "State", scene: "Scene", content: dict[str, Any], ascii: bool) -> None:
    from skerry.cli.terminal import draw_board

    typer.echo(draw_board(scene, ascii))
    typer.echo()
    if content["outcome"]:
        typer.echo(f"over: {content['outcome']['reason']}")
    else:
        count = len(content["legal_moves"])
        typer.echo(f"{content['seat']} to move, {count} legal move{'s' if count != 1 else ''}")
    typer.echo(f"position: {content['position']}")
