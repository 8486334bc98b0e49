"""Kernels loaded before anybody waits for them: on a machine new to a board they are compiled."""

from contextlib import suppress

from skerry.core.errors import SolveLimit
from skerry.core.game import Game
from skerry.core.scene import Overlay
from skerry.core.state import State
from skerry.nets.shipped import shipped_net
from skerry.render.marks import last_turn
from skerry.search.engine import analyse, best_net, judging_net
from skerry.search.limits import LEAST_ENTRIES
from skerry.search.solver.solver import solve

REHEARSED = 400  # plies of the game by which kernels are loaded, if it does not end before


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


def warm_up(game: Game) -> None:
    """Load rules of a game, the searches of its levels and those that analyse positions and games,
    which every process has to do for itself."""
    start = game.playable_start()
    if not start.is_over:
        for name in {level.net for level in game.levels}:
            analyse(start, simulations=1, net=None if name is None else shipped_net(game, name))
        for net in {best_net(game), judging_net(game)}:
            analyse(start, simulations=1, net=net)


def warm_up_solver(game: Game) -> None:
    """Load the exact solver for a game."""
    start = game.playable_start()
    if not start.is_over:
        with suppress(SolveLimit):
            solve(start, entries=LEAST_ENTRIES, nodes=1)
