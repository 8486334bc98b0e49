"""Lines that anybody tries, played and drawn in the processes of the pool.

Answers are JSON already when they come back, so that a long line costs the server nothing but to
pass it on. Little is imported here, so that processes start quickly.
"""

import json
from functools import cache
from typing import Any

from skerry.core.playthrough import Playthrough
from skerry.core.scene import Overlay
from skerry.render.raster import png
from skerry.server.play.boards import board, describe, name_seats, preview, refusal
from skerry.server.positions.editor import arrange
from skerry.server.positions.trials import Trials
from skerry.server.workers.warm import Key, open_game

Json = dict[str, Any]


@cache
def trials() -> Trials:
    """The lines that this process knows."""
    return Trials()


def play_out(key: Key, trial: Json) -> Playthrough:
    """The line of a trial; an error says what is wrong with it."""
    game = open_game(key)
    start, seed = trial["start"], trial["seed"]
    state = game.initial(seed or 0) if start is None else game.position(start)
    return trials().find(state, trial["moves"])


def show_trial(key: Key, trial: Json) -> str:
    """Where the moves lead."""
    line = play_out(key, trial)
    overlay = line.state.overlay(trial["overlay"]) if trial["overlay"] else Overlay()
    shown = describe(
        line, trial["theme"], overlay=overlay, turned=trial["turned"], live=trial["live"]
    )
    return _write({"start": line.start.position, "seats": name_seats(line.state.game), **shown})


def preview_trial(key: Key, trial: Json) -> str:
    """What a choice after the moves would do."""
    line = play_out(key, trial)
    return _write(preview(line, trial["path"], trial["theme"], trial["turned"], trial["live"]))


def explain_trial(key: Key, trial: Json) -> str:
    """Why no move begins so after the moves."""
    return _write({"reason": refusal(play_out(key, trial).state, trial["path"])})


def arrange_position(
    key: Key, position: str | None, put: tuple[str, str] | None, theme: str
) -> str:
    """A position that is being set up."""
    return _write(arrange(open_game(key), position, put, theme))


def draw_trial(key: Key, trial: Json) -> str:
    """The board after the moves."""
    return board(play_out(key, trial), trial["theme"])


def shoot_trial(key: Key, trial: Json, width: int) -> bytes:
    """The same in pixels."""
    return png(draw_trial(key, trial), width)


def _write(content: Json) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
