"""First moves, with those that are symmetric taken as one."""

from dataclasses import dataclass

from skerry.core.game import Game

BY_CHANCE = "every deal has first moves of its own, so there is no map of them"


@dataclass(frozen=True)
class FirstMove:
    """A move at the start, the cells where it and its images are made, and these images."""

    move: str
    cells: tuple[int, ...]
    images: tuple[str, ...]


def find_first_moves(game: Game) -> tuple[FirstMove, ...]:
    """The first moves up to symmetry; none in games that are dealt."""
    if game.has_chance:
        return ()
    start = game.initial()
    keeping = [n for n in range(len(game.symmetries)) if game.transform(start, n) == start]
    found, seen = [], set()
    for move in start.legal_moves():
        if move.action in seen:
            continue
        images = sorted({game.transform_action(move.action, n) for n in keeping})
        seen |= set(images)
        moves = [start.move(action) for action in images]
        places = {start.path(image)[0] for image in moves}
        cells = sorted(game.board.index[name] for name in places if name in game.board.index)
        found.append(FirstMove(str(move), tuple(cells), tuple(map(str, moves))))
    return tuple(found)
