"""Kernels loaded before anybody waits for them: on a machine new to a board they are compiled."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from skerry.core.errors import SolveLimit
from skerry.core.game import Game
from skerry.core.kernels import on_compile
from skerry.core.kernels.storage import CACHE
from skerry.core.scene import Overlay
from skerry.core.state import State
from skerry.nets.forward import evaluate
from skerry.nets.shipped import has_net, shipped_net
from skerry.render.marks import last_turn
from skerry.search.engine import analyse, best_net, judging_net
from skerry.search.guided.search import evaluator_for
from skerry.search.limits import LEAST_ENTRIES
from skerry.search.solver.solver import solve

REHEARSED = 400  # plies of the game by which kernels are loaded, if it does not end before
# About as many kernels are compiled of an empty cache; the last per cent waits for the end anyway.
RULES, NETS, SEARCH, SOLVER = 43, 28, 87, 22


def has_nets() -> bool:
    """Whether this machine has compiled what asks nets, as every first engine does."""
    return any(CACHE.glob("skerry-nets/forward.evaluate-*"))


def is_ready(game: Game) -> bool:
    """Whether this machine has compiled all that the engine of a game needs, on a board like this.

    What was compiled for another board may do for this one, too; that is found out by loading it.
    """
    return _mark_of(game).exists()


def _mark_of(game: Game) -> Path:
    options = "-".join(f"{name}={value}" for name, value in game.options.items())
    return CACHE / f"ready-{game.name}-{options}"


def count_missing() -> int:
    """About how many kernels an engine has yet to get: those of nets are the same for all games."""
    return SEARCH if has_nets() else NETS + SEARCH


@contextmanager
def in_per_cent(kernels: int, tell: Callable[[int], None]) -> Iterator[None]:
    """Tell of about so many kernels how much is compiled within this block, from 0 to 100 per cent.

    Nothing is told as long as nothing has to be compiled.
    """
    compiled = 0

    def count() -> None:
        nonlocal compiled
        tell(min(99, 100 * compiled // kernels))
        compiled += 1

    with on_compile(count):
        yield
    if compiled:
        tell(100)


def rehearse(game: Game) -> State:
    """Use all of a game once, as a table does; the state in which it ended."""
    state = game.position(game.playable_start().position)
    before, move = state, None
    for _ in range(REHEARSED):
        if state.is_over:
            break
        before, move = state, state.legal_moves()[0]
        state = state.play(move)
    turn = Overlay() if move is None else last_turn(before, str(move))
    state.svg(overlay=turn + state.overlay("standing"))
    return state


def warm_up_rules(game: Game) -> None:
    """Load rules of a game alone, for players who bring their own search or none."""
    start = game.playable_start()
    if not start.is_over:
        start.play(start.legal_moves()[0])


def warm_up_nets(game: Game) -> None:
    """Load what asks the nets of a game: half of all that is compiled for a first engine, and the
    same for all games. It needs no rules, which may be compiled by somebody else meanwhile."""
    if has_net(game):
        asked = evaluator_for(game, shipped_net(game))
        seat = counter = strangers = np.zeros(1, np.int64)  # of an empty board
        evaluate(
            asked.weights,
            asked.ground,
            asked.set_up(),
            np.zeros((1, len(game.board)), np.uint8),
            seat,
            counter,
            strangers,
            np.zeros((1, game.num_actions), np.float32),
            np.zeros((1, game.num_seats + 1), np.float32),
        )


def warm_up(game: Game) -> None:
    """Load rules of a game, the searches of its levels and those that analyse positions and games,
    which every process has to do for itself."""
    warm_up_nets(game)
    start = game.playable_start()
    if not start.is_over:
        for name in {level.net for level in game.levels}:
            analyse(start, simulations=1, net=None if name is None else shipped_net(game, name))
        for net in {best_net(game), judging_net(game)}:
            analyse(start, simulations=1, net=net)
    with suppress(OSError):  # it can no longer be written
        _mark_of(game).touch()


def warm_up_solver(game: Game) -> None:
    """Load the exact solver for a game."""
    start = game.playable_start()
    if not start.is_over:
        with suppress(SolveLimit):
            solve(start, entries=LEAST_ENTRIES, nodes=1)
