"""``skerry show``: one position, as a picture and as text."""

from typing import TYPE_CHECKING, Any

import typer

from skerry.cli.common.parameters import Ascii, AsJson, ChosenGame, Moves, Position, Seed
from skerry.cli.common.picturefile import OverlayNames, PictureFiles
from skerry.cli.common.setup import compile_notice, make_start, on_this_board, play_moves
from skerry.cli.common.terminal import draw_board, print_json

if TYPE_CHECKING:
    from skerry.core.scene import Scene
    from skerry.core.state import State


def show(
    game: ChosenGame,
    *,
    position: Position = None,
    seed: Seed = None,
    moves: Moves = "",
    overlay: OverlayNames = None,
    pictures: PictureFiles,
    ascii: Ascii = False,
    json: AsJson = False,
) -> None:
    """Show a position as text, SVG, PNG or JSON.

    Prints the board, whose turn it is, the number of legal moves or how the game ended, and the
    position as text.

    \b
    Examples:
      skerry show skew
      skerry show skew --option side=4 --moves "d4-ne c3-w"
      skerry show skaane --seed 7 --svg deal.svg --theme dark
      skerry show skirt --moves "a3 a4-c4" --overlay focus:a3 --png reach.png
      skerry show x -o size=4 -p "4/1r2/4/3y g" --json
    """
    pictures.check()
    chosen = game.make()
    with compile_notice(on_this_board(chosen)):
        words = moves.split()
        states = play_moves(make_start(chosen, position, seed), words)
        state, scene = states[-1], _mark_last(states, words)
        if overlay is not None:
            scene = scene.under(state.overlay(overlay))
        content = _describe(state)
    if pictures.write(scene):
        return
    if json:
        print_json(content)
    else:
        _print(state, scene, content, ascii)


def _mark_last(states: "list[State]", moves: list[str]) -> "Scene":
    """The last scene with the move that led to it marked."""
    from skerry.render.marks import last_turn

    scene = states[-1].scene()
    return scene.under(last_turn(states[-2], moves[-1])) if moves else scene


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


def _print(state: "State", scene: "Scene", content: dict[str, Any], ascii: bool) -> None:
    typer.echo(draw_board(scene, ascii))
    typer.echo()
    for words in scene.overlay.words:
        typer.echo(words)
    if content["outcome"]:
        typer.echo(f"over: {content['outcome']['reason']}")
    else:
        count = len(content["legal_moves"])
        typer.echo(f"{content['seat']} to move, {count} legal move{'s' if count != 1 else ''}")
    typer.echo(f"position: {content['position']}")
