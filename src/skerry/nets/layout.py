"""Observations: what stands where, as planes of numbers seen by one seat.

They are laid out by the codes of ``rules.identify`` and by what the game says its letters look
like, so that every game has them without a line of its own.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skerry.board import Board
from skerry.core.game import Game


@dataclass(frozen=True, eq=False)
class Layout:
    """Where everything goes in an observation [planes, height, width].

    ``names`` says what each plane shows. Cells lie at their points on the board's grid, moved so
    that the lowest are 0 (columns of hexagons are slanted); places of the grid that are no cells
    stay 0 in all planes.
    """

    names: tuple[str, ...]
    shape: tuple[int, int, int]
    start_of: NDArray[np.uint32]  # [seats, codes + 1] where a code's plane starts, by who looks
    place_of: NDArray[np.uint32]  # [cells] where a cell is in a plane
    board: NDArray[np.uint8]  # [places] 1 where there is a cell
    counter: int  # where the plane of the counter starts, or -1


def lay_out(game: Game) -> Layout:
    """The observations of a game."""
    kinds = _kinds(game)
    mine = [f"{whose}: {kind}" for whose in _owners(game.num_seats) for kind in kinds]
    neutral = _neutral(game)
    special = list(range(1 + len(game.letters), game.num_codes))
    names = mine + [game.piece(letter).kind for letter in neutral]
    names += [f"special cell {n}" for n in range(1, len(special) + 1)]

    plane_of = np.zeros((game.num_seats, game.num_codes + 1), np.uint32)
    for viewer in range(game.num_seats):
        for number, letter in enumerate(game.letters):
            seat = game.piece(letter).seat
            if seat is not None:
                place = (seat - viewer) % game.num_seats
                plane = place * len(kinds) + kinds.index(_kind(game, letter))
                plane_of[viewer, 1 + number] = plane
            elif letter in neutral:
                plane_of[viewer, 1 + number] = len(mine) + neutral.index(letter)
        for number, code in enumerate(special):
            plane_of[viewer, code] = len(mine) + len(neutral) + number

    for viewer in range(1, game.num_seats):
        plane_of[viewer, -1] = len(names) + viewer - 1
    names += [f"viewer is {seat}" for seat in game.seats[1:]]
    if game.has_counter:
        names.append("counter")
    height, width, places = _grid(game.board)
    area = height * width
    counter = (len(names) - 1) * area if game.has_counter else -1
    board = np.zeros(area, np.uint8)
    board[places] = 1
    starts = plane_of * np.uint32(area)
    return Layout(tuple(names), (len(names), height, width), starts, places, board, counter)


def _grid(board: Board) -> tuple[int, int, NDArray[np.uint32]]:
    """The height and width of a grid that holds the board, and the place of every cell in it."""
    xs, ys = (np.array(axis) for axis in zip(*board.points, strict=True))
    if all((dx + dy) % 2 == 0 for dx, dy in board.steps):
        xs = (xs - ys) // 2  # half steps: slanted columns leave no place between cells unused
    height, width = int(np.ptp(ys)) + 1, int(np.ptp(xs)) + 1
    return height, width, ((ys - ys.min()) * width + xs - xs.min()).astype(np.uint32)


def _owners(seats: int) -> list[str]:
    return ["viewer", "next"] + [f"{n} after" for n in range(2, seats)]


def _kind(game: Game, letter: str) -> str:
    piece = game.piece(letter)
    return piece.kind if piece.facing is None else f"{piece.kind} {piece.facing}"


def _kinds(game: Game) -> list[str]:
    """What seats may own, in the order of the letters."""
    owned = [letter for letter in game.letters if game.piece(letter).seat is not None]
    return list(dict.fromkeys(_kind(game, letter) for letter in owned))


def _neutral(game: Game) -> list[str]:
    """The letters of pieces that belong to nobody, but for those that never change."""
    fixed = game.fixtures.values()
    return [s for s in game.letters if game.piece(s).seat is None and s not in fixed]
