"""Boards as visitors see them: where a line of play stands, and what could be done next."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Game
from skerry.core.notation import TURN_JOINT
from skerry.core.playthrough import PlayedTurn, Playthrough
from skerry.core.scene import Overlay
from skerry.core.state import Outcome, State
from skerry.render.layout import step
from skerry.render.marks import mark_turn
from skerry.render.markup import UNIT
from skerry.render.svg import draw
from skerry.server.workers.warm import room_for

SHARED = 512  # games with their options
Drawer = Callable[[Playthrough, str, Overlay | None], str]
NOTHING_LEFT = "the game is over: there is nothing left to choose"


def describe(
    line: Playthrough,
    theme: str,
    ending: Outcome | None = None,
    overlay: Overlay | None = None,
    drawn: Drawer | None = None,
) -> dict[str, Any]:
    """Where a line stands; ``ending`` is an end that the board does not show.

    ``drawn`` draws the board, by default with the last turn marked.
    """
    state, game = line.state, line.state.game
    outcome = ending or state.outcome
    legal = () if outcome else state.legal_moves()
    return {
        "game": game.name,
        "title": game.title,
        "options": game.options,
        "position": state.position,
        "to_move": None if outcome else state.to_move,
        "moves": [
            {
                "ply": point.plies,
                "seat": point.before.state.turn,
                "text": str(point.move),
                "path": list(point.path),
            }
            for point in line.points
            if point.before is not None
        ],
        "legal": [{"move": str(move), "path": list(state.path(move))} for move in legal],
        "directions": _directions(game),
        "svg": (drawn or board)(line, theme, overlay),
        "outcome": describe_outcome(outcome),
        "words": words(line, outcome),
    }


def words(line: Playthrough, outcome: Outcome | None) -> str:
    """How it stands, in one sentence."""
    return outcome.reason if outcome else f"{_mover(line)} to move"


def name_seats(game: Game) -> list[dict[str, Any]]:
    """What the seats of a game are called."""
    return [{"seat": seat, "title": title} for seat, title in enumerate(game.seats)]


def describe_outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "returns": list(outcome.returns),
        "score": outcome.score and list(outcome.score),
        "reason": outcome.reason,
    }


@lru_cache(maxsize=SHARED)
def _directions(game: Game) -> dict[str, list[float]]:
    """How far one step leads in a picture, by direction."""
    steps = {name: step(game.board, name) for name in game.board.direction_names}
    return {name: [round(x * UNIT, 1), round(-y * UNIT, 1)] for name, (x, y) in steps.items()}


def board(line: Playthrough, theme: str, overlay: Overlay | None = None, prefix: str = "") -> str:
    """The board with the last turn marked, and at the end with what decided the game."""
    return picture(line.state, theme, _explain(line) + (overlay or Overlay()), prefix)


def live_board(
    line: Playthrough, theme: str, overlay: Overlay | None = None, prefix: str = ""
) -> str:
    """The board of a game that goes on: with what counts, and what happened since their turn.

    All that others did since the last turn of the seat to move is marked, so that with three seats
    nobody has to look for the first of two moves.
    """
    state = line.state
    shown = _mark_since(line) + state.overlay("standing") + (overlay or Overlay())
    # Strips beside the board say what each seat has.
    scene = state.scene().under(replace(shown, tally=()))
    return draw(scene, theme=theme, prefix=prefix, room=replace(room_for(state.game), tally=()))


def _mark_since(line: Playthrough) -> Overlay:
    last = line.last_turn
    if last is None:
        return Overlay()
    begins = last.begins
    if not line.begun:
        for _ in range(line.state.game.num_seats - 2):
            earlier = begins.last_turn
            if earlier is None or earlier.seat == line.state.to_move:
                break
            begins = earlier.begins
    return mark_turn(PlayedTurn(last.number, last.seat, last.moves, begins, line))


def picture(state: State, theme: str, overlay: Overlay, prefix: str = "") -> str:
    """A board with room for what explains it, so that all pictures of a game have one size."""
    scene = state.scene().under(overlay)
    return draw(scene, theme=theme, prefix=prefix, room=room_for(state.game))


def _explain(line: Playthrough) -> Overlay:
    turn, overlay = line.last_turn, Overlay()
    if turn is not None:
        overlay += mark_turn(turn)
    if line.state.is_over:
        overlay += line.state.overlay("standing")
    return overlay


def preview(
    begun: Playthrough, path: list[str], theme: str, drawn: Drawer | None = None
) -> dict[str, Any]:
    """What choosing these targets would do, and how they can be continued.

    A path may go on from one action of a turn to the next. ``drawn`` is that of ``describe``.
    """
    seat = begun.state.to_move
    if seat is None:
        raise OptionsError(NOTHING_LEFT)
    line, rest = begun, list(path)
    while rest:
        state = line.state
        moves = {state.path(move): move for move in state.legal_moves()}
        size = next((n for n in range(len(rest), 0, -1) if tuple(rest[:n]) in moves), 0)
        if not size or state.to_move != seat:
            break
        line = line.after(int(moves[tuple(rest[:size])]))
        rest = rest[size:]
    done = path[: len(path) - len(rest)]
    following = [] if line.state.to_move != seat else _continue(line.state, done, rest)
    if rest and not following:
        raise OptionsError(f"no move of {_mover(begun)} begins with {shorten(','.join(path))}")
    overlay = Overlay()
    if rest and rest[0] in line.state.game.board.index:
        overlay = line.state.overlay(f"focus:{rest[0]}")
    return {
        "svg": (drawn or board)(line, theme, overlay),
        "words": _say(begun, line, rest, following, overlay),
        "complete": not rest and bool(done),
        "next": following,
    }


def _continue(state: State, done: list[str], rest: list[str]) -> list[list[str]]:
    """All paths that begin so."""
    size = len(rest)
    paths = (list(state.path(move)) for move in state.legal_moves())
    return [done + path for path in paths if path[:size] == rest and len(path) > size]


def _say(
    begun: Playthrough,
    line: Playthrough,
    rest: list[str],
    following: list[list[str]],
    overlay: Overlay,
) -> str:
    said = []
    played = line.texts[begun.plies :]
    if played:
        said.append(f"{_mover(begun)} plays {TURN_JOINT.join(played)}")
    if line.state.outcome is not None:
        said.append(line.state.outcome.reason)
    if rest:
        count = len(following)
        said.append(f"{' '.join(rest)} chosen, {count} way{'s' if count != 1 else ''} to go on")
    return ". ".join([*said, *overlay.words]) or f"{_mover(begun)} to move"


def _mover(line: Playthrough) -> str:
    """The seat to move, as it is called in sentences."""
    return line.state.game.seats[line.state.to_move or 0]
