"""What a terminal game looks like: the board, the last turn, and what can be done now."""

from skerry.cli.common.terminal import draw_board
from skerry.cli.session.ongoing import OngoingGame
from skerry.core.playthrough import PlayedTurn
from skerry.render.marks import mark_turn


def draw_ongoing(ongoing: OngoingGame, ascii: bool) -> str:
    """The board, the last move and whose turn it is."""
    state, last = ongoing.state, ongoing.line.last_turn
    scene = state.scene()
    if last is not None:
        scene = scene.under(mark_turn(last))
    scene = scene.under(state.overlay("standing" if ongoing.is_over else "targets"))
    return f"\n{draw_board(scene, ascii)}\n\n{_say_turn(ongoing, last)}"


def _say_turn(ongoing: OngoingGame, last: PlayedTurn | None) -> str:
    seats, to_move = ongoing.game.seats, ongoing.state.to_move
    said = []
    if last is not None:
        said.append(f"{seats[last.seat]} played {last.text}.")
    ended = ongoing.how_it_ended()
    if ended is not None:
        said.append(f"The game is over: {ended}.")
    elif to_move is not None:
        again = " again" if ongoing.line.begun else ""
        said.append(f"{seats[to_move]} to move{again}.")
    return " ".join(said)
