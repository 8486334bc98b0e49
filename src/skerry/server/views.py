"""What visitors get to see: documents for programs and pages, and pictures of the board."""

from functools import lru_cache
from typing import Any

from skerry.core.errors import OptionsError, shorten
from skerry.core.game import Game, Outcome, State
from skerry.core.scene import Overlay
from skerry.games import GAMES, kind
from skerry.render.layout import step
from skerry.render.marks import last_turn
from skerry.render.markup import UNIT
from skerry.render.svg import draw
from skerry.server.rulebook import room_for
from skerry.server.table import Course, Held, Table

SHARED = 512  # documents that several viewers get are put together once


def document(
    table: Table, held: Held, online: Held, theme: str, now: int, warm: bool
) -> dict[str, Any]:
    """Everything about a game that a visitor with these seats may know."""
    content = dict(_document(table, theme))
    content["seats"] = [
        {
            "seat": number,
            "title": table.game.seats[number],
            "name": seat.name,
            "kind": seat.kind,
            "claimed": seat.claimed or not seat.is_person,
            "online": number in online or not seat.is_person,
        }
        for number, seat in enumerate(table.seats)
    ]
    content["clock"] = _clock(table, now)
    content["yours"] = sorted(held)
    content["thinking"] = table.thinker is not None
    content["engine"] = ("ready" if warm else "warming") if table.has_engines else None
    return content


@lru_cache(maxsize=SHARED)
def _document(table: Table, theme: str) -> dict[str, Any]:
    """The part of a document that is the same for everybody."""
    course, state = table.course, table.state
    legal = () if table.is_over else state.legal_moves()
    return {
        "id": table.id,
        "game": table.game.name,
        "title": table.game.title,
        "options": table.game.options,
        "version": table.version,
        "revision": table.revision,
        "position": state.position,
        "ply": len(table.plies),
        "to_move": table.to_move,
        "moves": [
            {"ply": ply, "seat": seat, "text": text, "path": list(path)}
            for ply, (seat, text, path) in enumerate(
                zip(course.movers, course.texts, course.paths, strict=True), 1
            )
        ],
        "legal": [{"move": str(move), "path": list(state.path(move))} for move in legal],
        "directions": _directions(table.game),
        "svg": board(course, theme),
        "outcome": _outcome(table.outcome),
        "words": words(table),
        "offers": {"draw": table.draw, "takeback": table.takeback and table.takeback.seat},
        "rematch": table.rematch and f"/g/{table.rematch}",
        "chat": [
            {"n": line.n, "name": line.name, "text": line.text, "at": line.at}
            for line in table.chat
        ],
    }


@lru_cache(maxsize=SHARED)
def _directions(game: Game) -> dict[str, list[float]]:
    """How far one step leads in a picture, by direction."""
    steps = {name: step(game.board, name) for name in game.board.direction_names}
    return {name: [round(x * UNIT, 1), round(-y * UNIT, 1)] for name, (x, y) in steps.items()}


def words(table: Table) -> str:
    """How the game stands, in one sentence."""
    if table.outcome is not None:
        return table.outcome.reason
    return f"{table.name_of(table.to_move or 0)} to move"


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "returns": list(outcome.returns),
        "score": outcome.score and list(outcome.score),
        "reason": outcome.reason,
    }


def _clock(table: Table, now: int) -> dict[str, Any] | None:
    if table.clock is None:
        return None
    left = [table.time_left(seat, now) for seat in range(len(table.seats))]
    return {
        "settings": table.clock.settings(),
        "remaining": [None if time is None else max(0, time) for time in left],
        "running": table.running,
        "now": now,
    }


def board(course: Course, theme: str, overlay: Overlay | None = None, prefix: str = "") -> str:
    """The board with the last turn marked, and at the end with what decided the game."""
    return picture(course.state, theme, _explain(course) + (overlay or Overlay()), prefix)


def picture(state: State, theme: str, overlay: Overlay, prefix: str = "") -> str:
    """A board with room for what explains it, so that all pictures of a game have one size."""
    scene = state.scene().under(overlay)
    return draw(scene, theme=theme, prefix=prefix, room=room_for(state.game))


def _explain(course: Course) -> Overlay:
    turn, overlay = course.last_turn, Overlay()
    if turn is not None:
        overlay += last_turn(course.turn_start, turn)
    if course.state.is_over:
        overlay += course.state.overlay("standing")
    return overlay


def describe_kind(name: str) -> dict[str, Any]:
    """What there is to choose about a game."""
    game: type[Game] = kind(name)
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "low": option.low,
                "high": option.high,
                "help": option.meaning,
            }
            for option in game.option_specs
        ],
        "credit": game.credit,
        "summary": game.summary,
    }


def describe_kinds() -> list[dict[str, Any]]:
    return [describe_kind(name) for name in GAMES]


def preview(table: Table, path: list[str], theme: str) -> dict[str, Any]:
    """What choosing these targets would do, and how they can be continued.

    A path may go on from one action of a turn to the next.
    """
    seat = table.to_move
    if seat is None:
        raise OptionsError("the game is over: there is nothing left to choose")
    course, rest = table.course, list(path)
    while rest:
        state = course.state
        moves = {state.path(move): move for move in state.legal_moves()}
        size = next((n for n in range(len(rest), 0, -1) if tuple(rest[:n]) in moves), 0)
        if not size or state.to_move != seat:
            break
        course = course.after(int(moves[tuple(rest[:size])]))
        rest = rest[size:]
    done = path[: len(path) - len(rest)]
    following = [] if course.state.to_move != seat else _continue(course.state, done, rest)
    if rest and not following:
        raise OptionsError(
            f"no move of {table.name_of(seat)} begins with {shorten(','.join(path))}"
        )
    overlay = Overlay()
    if rest and rest[0] in course.state.game.board.index:
        overlay = course.state.overlay(f"focus:{rest[0]}")
    return {
        "svg": board(course, theme, overlay),
        "words": _say(table, course, rest, following, overlay),
        "complete": not rest and bool(done),
        "next": following,
    }


def _continue(state: State, done: list[str], rest: list[str]) -> list[list[str]]:
    """All paths that begin so."""
    size = len(rest)
    paths = (list(state.path(move)) for move in state.legal_moves())
    return [done + path for path in paths if path[:size] == rest and len(path) > size]


def _say(
    table: Table, course: Course, rest: list[str], following: list[list[str]], overlay: Overlay
) -> str:
    seat = table.name_of(table.to_move or 0)
    said = []
    if len(course.texts) > len(table.plies):
        said.append(f"{seat} plays {'-'.join(course.texts[len(table.plies) :])}")
    if course.state.outcome is not None:
        said.append(course.state.outcome.reason)
    if rest:
        count = len(following)
        said.append(f"{' '.join(rest)} chosen, {count} way{'s' if count != 1 else ''} to go on")
    return ". ".join([*said, *overlay.words]) or f"{seat} to move"
