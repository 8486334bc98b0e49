"""Swap maps: what every first move is worth to whoever may choose a seat after it.

In games of two, whoever may swap should keep their seat after some first moves and swap after
others; between them lie the fair ones. Games of three have no swap rule: there the map tells what
the first seat has of the points.
"""

from collections.abc import Mapping
from typing import Any

from skerry.core.game import Game
from skerry.core.scene import COUNTS, HEAT, Mark, Overlay, Scene
from skerry.lab.beginnings import (
    CLOSE,
    KEEP,
    SWAP,
    Beginnings,
    Evidence,
    FirstMoveWorth,
    to_elo,
)
from skerry.lab.stats.figures import Figure
from skerry.render.svg import draw

LETTERS = {KEEP: "k", CLOSE: "c", SWAP: "s"}  # upon cells, for those who cannot tell shades
WARMTH = {KEEP: 0.0, CLOSE: 0.4, SWAP: 1.0}
PAIR = 2  # seats that the swap rule is for


def rate_choice(move: FirstMoveWorth) -> Figure:
    """In Elo, by how much the better seat is ahead, which the chooser takes; below 0 lies what may
    still be the other way round."""
    won = move.evidence[-1].won[0]
    if won.value < 1 / PAIR:
        won = Figure(1 - won.value, 1 - won.high, 1 - won.low, won.n)
    return to_elo(won)


def sort_moves(book: Beginnings) -> tuple[FirstMoveWorth, ...]:
    """The first moves, the fairest first."""
    return tuple(sorted(book.first_moves, key=_measure_unfairness))


def _measure_unfairness(move: FirstMoveWorth) -> float:
    won = move.evidence[-1].won
    return max(abs(each.value - 1 / len(won)) for each in won)


def describe_first_moves(book: Beginnings) -> dict[str, Any]:
    """A map as a table: its columns are the players, from the weakest to the strongest."""
    moves = sort_moves(book)
    return {
        "columns": [
            {"minutes": column.minutes, "simulations": column.simulations}
            for column in (moves[0].evidence if moves else ())
        ],
        "moves": [_describe(move) for move in moves],
    }


def _describe(move: FirstMoveWorth) -> dict[str, Any]:
    is_pair = len(move.evidence[-1].won) == PAIR
    return {
        "move": move.move,
        "images": [image for image in move.images if image != move.move],
        "band": move.band() if is_pair else None,
        "elo": _write(rate_choice(move)) if is_pair else None,
        "shares": [_list_shares(column) for column in move.evidence],
    }


def _list_shares(evidence: Evidence) -> list[dict[str, float]]:
    return [_write(won) for won in evidence.won]


def _write(figure: Figure) -> dict[str, float]:
    return {"value": figure.value, "low": figure.low, "high": figure.high, "games": figure.n}


def count_bands(book: Beginnings) -> dict[str, int]:
    """How many first moves, all images counted, are in each band."""
    counts = dict.fromkeys(LETTERS, 0)
    for move in book.first_moves:
        counts[move.band()] += len(move.images)
    return counts


def list_best(book: Beginnings) -> Mapping[int, FirstMoveWorth]:
    """By cell, the first move there that the first seat has most of; some cells have several."""
    found: dict[int, FirstMoveWorth] = {}
    for move in sorted(book.first_moves, key=lambda each: each.evidence[-1].won[0].value):
        found |= dict.fromkeys(move.cells, move)
    return dict(sorted(found.items()))


def draw_swap_map(game: Game, book: Beginnings, theme: str, prefix: str = "") -> str:
    """The board with a letter and a shade for each first move; what is close has a ring. In games
    of three there are the points of the first seat instead, in hundredths."""
    best = list_best(book)
    pairs = game.num_seats == PAIR
    marks = _mark_bands(best) if pairs else _mark_shares(best)
    title = "The swap map" if pairs else "First moves"
    overlay = Overlay(marks=tuple(marks))
    scene = Scene(game.board, game.seats, {}, game.view.zones, game.view.surface, overlay)
    return draw(scene, theme=theme, title=title, prefix=prefix)


def _mark_bands(best: Mapping[int, FirstMoveWorth]) -> list[Mark]:
    bands = {cell: move.band() for cell, move in best.items()}
    heat = [
        Mark(cell, HEAT, weight=WARMTH[band], text=LETTERS[band]) for cell, band in bands.items()
    ]
    return [*heat, *(Mark(cell, COUNTS) for cell, band in bands.items() if band == CLOSE)]


def _mark_shares(best: Mapping[int, FirstMoveWorth]) -> list[Mark]:
    values = {cell: move.evidence[-1].won[0].value for cell, move in best.items()}
    least, most = min(values.values()), max(values.values())
    return [
        Mark(
            cell, HEAT, weight=(value - least) / ((most - least) or 1.0), text=f"{100 * value:.0f}"
        )
        for cell, value in values.items()
    ]
