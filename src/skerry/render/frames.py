"""A game as a row of pictures of one size."""

from collections.abc import Iterable

from skerry.core.playthrough import PlayedTurn, Playthrough
from skerry.core.scene import Scene
from skerry.core.state import Move, State
from skerry.render.marks import mark_turn
from skerry.render.svg import draw


def draw_frames(
    start: State, moves: Iterable[str | Move | int], theme: str = "light", prefix: str = ""
) -> list[str]:
    """The start and the board after every move, which is marked; at the end, what decided it."""
    return draw_line(Playthrough(start).follow(moves), theme, prefix)


def draw_line(line: Playthrough, theme: str = "light", prefix: str = "") -> list[str]:
    """The same for a line that has been played."""
    standing = line.state.overlay("standing")
    scenes = map(_show, line.points)
    return [draw(scene, theme=theme, prefix=prefix, room=standing) for scene in scenes]


def draw_last(line: Playthrough, theme: str = "light", prefix: str = "") -> str:
    """The last of these pictures."""
    standing = line.state.overlay("standing")
    return draw(_show(line), theme=theme, prefix=prefix, room=standing)


def _show(point: Playthrough) -> Scene:
    """A point of a line with the move that led there, and what decided the game if it is over."""
    scene = point.state.scene()
    if point.before is not None and point.move is not None:
        before = point.before
        step = PlayedTurn(before.number, before.state.turn, (point.move,), before, point)
        scene = scene.under(mark_turn(step))
    return scene.under(point.state.overlay("standing")) if point.state.is_over else scene
