"""A game as a row of pictures of one size."""

from collections.abc import Sequence

from skerry.core.game import Move, State
from skerry.render.marks import last_turn
from skerry.render.svg import draw


def draw_frames(
    start: State, moves: Sequence[Move], theme: str = "light", prefix: str = ""
) -> list[str]:
    """The start and the board after every move, which is marked; at the end, what decided it."""
    states = [start]
    for move in moves:
        states.append(states[-1].play(move))
    standing = states[-1].overlay("standing")
    scenes = [states[0].scene()]
    for before, state, move in zip(states, states[1:], moves, strict=False):
        scenes.append(state.scene().under(last_turn(before, str(move))))
    if states[-1].is_over:
        scenes[-1] = scenes[-1].under(standing)
    return [draw(scene, theme=theme, prefix=prefix, room=standing) for scene in scenes]
