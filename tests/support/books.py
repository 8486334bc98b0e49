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

SKEW = skerry.make("skew", side=3, pegs=4)
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


def map_firsts(game: skerry.Game, *shares: float) -> tuple[FirstMoveWorth, ...]:
    """First moves after which the first seat has these shares in the end; weaker players are
    halfway to an even game."""
    return tuple(
        FirstMoveWorth(
            first.move,
            first.images,
            first.cells,
            tuple(
                judge(value, 1 - value, simulations=effort)
                for effort, value in ((8, (share + 0.5) / 2), (32, (share + 0.5) / 2), (128, share))
            ),
        )
        for first, share in zip(find_first_moves(game), shares, strict=True)
    )


def skew_book() -> Beginnings:
    """One of whose first moves should not be swapped, one should, and two are close."""
    firsts = map_firsts(SKEW, 1 / 3, 0.49, 0.52, 2 / 3)
    return Beginnings("skew", SKEW.options, firsts, (), {"seed": 1})


def skirt_book() -> Beginnings:
    starts = (
        start_with(SKIRT, ("a1", "a3"), 0.512, 0.488),
        start_with(SKIRT, ("a2", "a1"), 0.497, 0.503),
    )
    return Beginnings("skirt", SKIRT.options, map_firsts(SKIRT, 0.45, 0.5), starts, {"seed": 1})


def skaane_book() -> Beginnings:
    deals = tuple(
        EvenStart((), deal, SKAANE.initial(deal).position, judge(0.5, 0.5)) for deal in (3, 7)
    )
    return Beginnings("skaane", SKAANE.options, (), deals, {"seed": 1})


def write_books(folder: Path) -> None:
    """A folder of surveys, one for each of these boards."""
    for book in (skew_book(), skirt_book(), skaane_book()):
        write_beginnings(folder / book.game / "beginnings.json", book)
