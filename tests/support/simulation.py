"""Games by players of known strength, without a board."""

from collections.abc import Mapping
from itertools import permutations, product

import numpy as np

from skerry.lab.stats.results import Block, Played

Strengths = Mapping[str, float]  # in Elo


def seatings(players: tuple[str, ...], seats: int) -> list[tuple[str, ...]]:
    if len(players) == seats:
        return list(permutations(players))
    return [table for table in product(players, repeat=seats) if set(table) == set(players)]


def draw_returns(chances: np.ndarray, chooser: np.random.Generator) -> tuple[float, ...]:
    """One seat wins."""
    winner = chooser.choice(len(chances), p=chances / chances.sum())
    loss = -1 / (len(chances) - 1)
    return tuple(1.0 if seat == winner else loss for seat in range(len(chances)))


def play_block(
    players: tuple[str, ...],
    elo: Strengths,
    chooser: np.random.Generator,
    seats: int = 2,
    draws: float = 0.0,
    luck: float = 0.0,
    first: float = 0.0,
) -> Block:
    """All seatings of an opening that favours a seat by ``luck`` Elo, give or take; the first seat
    is worth ``first`` more."""
    favours = chooser.normal(0, luck, seats)
    favours[0] += first
    block = []
    for table in seatings(players, seats):
        chances = 10 ** ((np.array([elo[name] for name in table]) + favours) / 400)
        drawn = chooser.random() < draws
        returns = (0.0,) * seats if drawn else draw_returns(chances, chooser)
        block.append(Played(table, returns))
    return tuple(block)
