"""What a search found, as an overlay: a heat map of candidates, and the best line."""

from skerry.core.scene import HEAT, STEP, Arrow, Mark, Overlay
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.search.analysis import Analysis

LINE_SHOWN = 3  # moves of the best line
FEWEST = 0.02  # share of the most tried candidate's visits that is worth showing


def view(state: State, found: Analysis) -> Overlay:
    """Where a search would play, how good that is in percent of a win, and what follows."""
    steps = _follow_line(state, found)
    stepped = {mark.cell for mark in steps.marks}
    cells = state.game.board.index
    seat = state.to_move or 0
    most = max(move.visits for move in found.moves) or 1
    heat: dict[int, Mark] = {}
    for move in found.moves:  # the best one first
        cell = cells.get(state.path(move.move)[0], -1)
        weight = move.visits / most
        if cell < 0 or cell in heat or weight < FEWEST:
            continue
        percent = round(100 * chance(move.values[seat], state.game.num_seats))
        heat[cell] = Mark(cell, HEAT, seat, weight, "" if cell in stepped else str(percent))
    best = round(100 * chance(found.values[seat], state.game.num_seats))
    words = N_(f"The engine plays {found.best} and gives {state.game.seats[seat]} {best} percent")
    return Overlay(marks=tuple(heat.values()), words=(words,)) + steps


def chance(value: float, seats: int) -> float:
    """An expected return as the share of wins that it amounts to."""
    lowest = -1 / (seats - 1)
    return min(1.0, max(0.0, (value - lowest) / (1 - lowest)))


def _follow_line(state: State, found: Analysis) -> Overlay:
    """Arrows and numbers for the first moves of the best line."""
    cells = state.game.board.index
    marks, arrows = [], []
    for number, move in enumerate(found.pv[:LINE_SHOWN], 1):
        start, *rest = state.path(move)
        if start in cells and rest:
            goal: int | str = cells.get(rest[0], rest[0])
            arrows.append(Arrow(cells[start], goal, state.to_move, 1 / number))
        elif start in cells:
            marks.append(Mark(cells[start], STEP, state.to_move, text=str(number)))
        state = state.play(move)
    return Overlay(marks=tuple(marks), arrows=tuple(arrows))
