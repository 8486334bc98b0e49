"""Books of beginnings with made-up numbers, for small boards."""

from pathlib import Path

import skerry
from skerry.lab.beginnings import (
    Beginnings,
    EvenStart,
    Evidence,
    FirstMoveWorth,
    write_beginnings,
)
from skerry.lab.report.measure.openings import find_first_moves
from skerry.lab.stats.figures import Figure

SKIRT = skerry.make("skirt", side=3)
SKAANE = skerry.make("skaane", width=4, height=5, gods=2, kings=2, serfs=3, suns=1)
GAMES = 1536


def judge(*values: float, margin: float = 0.024, simulations: int = 32) -> Evidence:
    """Evidence of these shares."""
    won = (Figure(value, value - margin, value + margin, GAMES) for value in values)
    return Evidence(5.0, simulations, tuple(won))


def start_with(game: skerry.Game, moves: tuple[str, ...], *values: float) -> EvenStart:
    state = game.initial()
    for move in moves:
        state = state.play(move)
    return EvenStart(moves, None, state.position, judge(*values))


def map_firsts(game: skerry.Game) -> tuple[FirstMoveWorth, ...]:
    """First moves that are worth more and more, from a third to two thirds of the points."""
    firsts = find_first_moves(game)
    shares = [1 / 3 + k / max(1, len(firsts) - 1) / 3 for k in range(len(firsts))]
    return tuple(
        FirstMoveWorth(
            first.move,
            first.images,
            first.cells,
            tuple(
                judge((1 + share) / 3, (2 - share) / 3, simulations=8 * 4**k)
                if k < 2
                else judge(share, 1 - share, simulations=128)
                for k in range(3)
            ),
        )
        for first, share in zip(firsts, shares, strict=True)
    )


def skirt_book() -> Beginnings:
    starts = (
        start_with(SKIRT, ("a1", "a3"), 0.512, 0.488),
        start_with(SKIRT, ("a2", "a1"), 0.497, 0.503),
    )
    return Beginnings("skirt", SKIRT.options, map_firsts(SKIRT), starts, {"seed": 1})


def skaane_book() -> Beginnings:
    deals = tuple(
        EvenStart((), deal, SKAANE.initial(deal).position, judge(0.5, 0.5)) for deal in (3, 7)
    )
    return Beginnings("skaane", SKAANE.options, (), deals, {"seed": 1})


def write_books(folder: Path) -> None:
    """A folder of surveys, one for each of these boards."""
    for book in (skirt_book(), skaane_book()):
        write_beginnings(folder / book.game / "beginnings.json", book)
