"""Boards as visitors see them: where a line of play stands, and what could be done next."""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from typing import Any

from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Game
from skerry.core.notation import TURN_JOINT
from skerry.core.playthrough import PlayedTurn, Playthrough
from skerry.core.scene import Overlay
from skerry.core.state import Outcome, State
from skerry.core.texts import N_
from skerry.render.layout import step, turn
from skerry.render.marks import mark_turn
from skerry.render.markup import UNIT
from skerry.render.svg import draw
from skerry.server.workers.warm import Key, open_game, room_for
from skerry.study.lessons import refuse

SHARED = 512  # games with their options
NOTHING_LEFT = N_("the game is over: there is nothing left to choose")


def describe(
    line: Playthrough,
    theme: str,
    ending: Outcome | None = None,
    overlay: Overlay | None = None,
    turned: bool = False,
    live: bool = False,
) -> dict[str, Any]:
    """Where a line stands; ``ending`` is an end that the board does not show.

    ``live`` is for games that are played: their boards show what counts.
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
        "moves": [describe_ply(point) for point in line.points[1:]],
        "legal": [{"move": str(move), "path": list(state.path(move))} for move in legal],
        "directions": _directions(game, turned),
        "svg": board(line, theme, overlay, turned=turned, live=live),
        "turned": turned,
        "outcome": describe_outcome(outcome),
        "words": words(line, outcome),
        "holdings": list(game.view.holdings(state)),
    }


def describe_ply(point: Playthrough) -> dict[str, Any]:
    """The last action of a line."""
    return {
        "ply": point.plies,
        "seat": point.mover,
        "text": str(point.move),
        "path": list(point.path),
    }


def words(line: Playthrough, outcome: Outcome | None) -> str:
    """How it stands, in one sentence."""
    return outcome.reason if outcome else N_(f"{_mover(line)} to move")


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
def _directions(game: Game, turned: bool) -> dict[str, list[float]]:
    """How far one step leads in a picture, by direction."""
    board = turn(game.board) if turned else game.board
    steps = {name: step(board, name) for name in board.direction_names}
    return {name: [round(x * UNIT, 1), round(-y * UNIT, 1)] for name, (x, y) in steps.items()}


def is_turned(game: Game, seats: Collection[int], flipped: bool = False) -> bool:
    """Whether a board is seen from the top: by those who play there, or the other way round."""
    from_top = bool(seats) and set(seats) <= set(game.view.top_seats)
    return from_top != flipped


def board(
    line: Playthrough,
    theme: str,
    overlay: Overlay | None = None,
    prefix: str = "",
    turned: bool = False,
    live: bool = False,
) -> str:
    """The board with the last turn marked, and at the end with what decided the game.

    That of a game that is played shows what counts all the time. What each seat has of it is said
    beside the board.
    """
    explained = (_explain_live if live else _explain)(line) + (overlay or Overlay())
    return picture(line.state, theme, explained, prefix, turned, tallied=not live)


def excerpt(line: Playthrough) -> tuple[str, tuple[int, ...]]:
    """All of a line that its board shows: where it stood some turns ago, and what came then."""
    begins = line
    for _ in range(line.state.game.num_seats):
        turn = begins.last_turn
        if turn is None:
            break
        begins = turn.begins
    actions = tuple(point.action for point in line.since(begins.plies) if point.action is not None)
    return begins.state.position, actions


def draw_excerpt(
    key: Key,
    start: str,
    actions: tuple[int, ...],
    theme: str,
    overlay: str = "",
    prefix: str = "",
    turned: bool = False,
    live: bool = False,
) -> str:
    """The board of an excerpt, in a process of the pool; the overlay is by name."""
    line = Playthrough(open_game(key).position(start)).follow(actions)
    extra = line.state.overlay(overlay) if overlay else Overlay()
    return board(line, theme, extra, prefix, turned, live)


def preview_excerpt(
    key: Key, start: str, actions: tuple[int, ...], path: list[str], theme: str, turned: bool
) -> dict[str, Any]:
    """What a choice would do in a game that is played, in a process of the pool."""
    line = Playthrough(open_game(key).position(start)).follow(actions)
    return preview(line, path, theme, turned, live=True)


def _explain_live(line: Playthrough) -> Overlay:
    return _mark_since(line) + line.state.overlay("standing")


def _mark_since(line: Playthrough) -> Overlay:
    """All that others did since the last turn of the seat to move: with three seats nobody should
    have to look for the first of two moves."""
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


def picture(
    state: State,
    theme: str,
    overlay: Overlay,
    prefix: str = "",
    turned: bool = False,
    tallied: bool = True,
) -> str:
    """A board with room for what explains it, so that all pictures of a game have one size."""
    room = room_for(state.game)
    if not tallied:
        overlay, room = replace(overlay, tally=()), replace(room, tally=())
    scene = state.scene().under(overlay)
    return draw(scene, theme=theme, prefix=prefix, room=room, turned=turned)


def _explain(line: Playthrough) -> Overlay:
    turn, overlay = line.last_turn, Overlay()
    if turn is not None:
        overlay += mark_turn(turn)
    if line.state.is_over:
        overlay += line.state.overlay("standing")
    return overlay


def preview(
    begun: Playthrough,
    path: list[str],
    theme: str,
    turned: bool = False,
    live: bool = False,
) -> dict[str, Any]:
    """What choosing these targets would do, and how they can be continued.

    A path may go on from one action of a turn to the next. ``live`` is that of ``describe``.
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
        "svg": board(line, theme, overlay, turned=turned, live=live),
        "words": _say(begun, line, rest, following, overlay),
        "complete": not rest and bool(done),
        "next": following,
    }


def refusal(state: State, path: list[str]) -> str:
    """Why no move begins with these targets, in the words of the rules; nothing if one does."""
    if state.is_over:
        return N_(f"Not allowed: {NOTHING_LEFT}.")
    begins = any(list(state.path(move)[: len(path)]) == path for move in state.legal_moves())
    return "" if begins else refuse(state, path)


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
    played = [str(point.move) for point in line.since(begun.plies)]
    if played:
        said.append(N_(f"{_mover(begun)} plays {TURN_JOINT.join(played)}"))
    if line.state.outcome is not None:
        said.append(line.state.outcome.reason)
    if rest:
        count = len(following)
        said.append(N_(f"{' '.join(rest)} chosen, {count} way{'s' if count != 1 else ''} to go on"))
    return ". ".join([*said, *overlay.words]) or N_(f"{_mover(begun)} to move")


def _mover(line: Playthrough) -> str:
    """The seat to move, as it is called in sentences."""
    return line.state.game.seats[line.state.to_move or 0]
