"""Positions that several tests look at."""

from random import Random

import skerry


def after(name: str, moves: str, **options: int) -> skerry.State:
    """The position after these moves."""
    state = skerry.make(name, **options).initial()
    for move in moves.split():
        state = state.play(move)
    return state


def middle_of(name: str) -> skerry.State:
    """A position with pieces of every seat."""
    state = skerry.make(name).initial(seed=3)
    for ply in range(20):
        moves = state.legal_moves()
        state = state.play(moves[(7 * ply) % len(moves)])
    return state


def play_out(name: str, **options: int) -> list[skerry.State]:
    """All positions of a random game, to its end."""
    chooser = Random(1)
    states = [skerry.make(name, **options).initial(seed=3)]
    while not states[-1].is_over:
        states.append(states[-1].play(chooser.choice(states[-1].legal_moves())))
    return states
