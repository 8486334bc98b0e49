"""What a game may say beside its rules: how it is written, and what there is to see."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skerry.board import Board
    from skerry.core.game import Game


class Room:
    """One such thing, of one game with its options settled."""

    def __init__(self, game: "Game") -> None:
        self.game = game

    @property
    def board(self) -> "Board":
        return self.game.board
