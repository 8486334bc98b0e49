"""The swap rule: after the first turn of the game the other player may take over its seat.

It is not a rule of any game but an agreement of two players, who then have a reason to open evenly.
"""

from collections.abc import Sequence
from random import Random

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.state import Move, State
from skerry.lab.contest.forfeit import blame
from skerry.search.players import SEEDS, Player

CANDIDATES = 12  # openings that a player thinks about, each for as long as about a move


def check_swap(game: Game) -> None:
    """OptionsError for games in which there is no other player to swap with, but several."""
    if game.num_seats != 2:
        raise OptionsError(
            f"{game.title} has {game.num_seats} seats, but the swap rule needs two: play without it"
        )


def open_game(
    start: State, players: Sequence[Player], dice: Random
) -> tuple[list[Move], State, bool]:
    """The first turn, the state after it, and whether the other player takes over its seat.

    The opener looks at some turns and makes the one that is nearest to even in its own eyes; the
    other swaps if, in its eyes, the seat that has moved is the better one. SeatForfeit says which
    of them loses instead.
    """
    seat = start.to_move or 0
    turns = [_draw_turn(start, dice) for _ in range(CANDIDATES)]
    moves, state = min(turns, key=lambda turn: abs(_lead(players, seat, turn[1], seat, dice)))
    return moves, state, _lead(players, 1 - seat, state, seat, dice) > 0


def _draw_turn(state: State, dice: Random) -> tuple[list[Move], State]:
    """All that a seat does before it is another's turn, by chance."""
    seat, moves = state.to_move, []
    while not state.is_over and state.to_move == seat:
        moves.append(dice.choice(state.legal_moves()))
        state = state.play(moves[-1])
    return moves, state


def _lead(players: Sequence[Player], who: int, state: State, seat: int, dice: Random) -> float:
    """By how much a seat of two is ahead, in the eyes of a player."""
    with blame(who):
        values = players[who].appraise(state, dice.randrange(SEEDS))
    return values[seat] - values[1 - seat]
