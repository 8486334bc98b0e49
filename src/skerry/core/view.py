"""What there is to see and to say about positions of a game, without colours or shapes.

All of it has defaults: a game without a ``View`` of its own shows its pieces, and no more.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skerry.core.room import Room
from skerry.core.scene import CAPTURE, SELECTED, TARGET, Arrow, Mark, Overlay, Piece
from skerry.core.texts import N_

if TYPE_CHECKING:
    from skerry.core.state import State


@dataclass(frozen=True)
class Happening:
    """Something that a rule brings about in some games: its name, clause, and what it means."""

    name: str
    clause: str
    text: str


class View(Room):
    """What one game shows; this one is for games that have nothing to explain."""

    surface = "cells"  # what the board is made of: cells, or holes for pegs
    counting = "what counts at the end"  # what ``standing`` marks as COUNTS then
    signs = ""  # what the marks on a board in play mean, for newcomers
    top_seats: tuple[int, ...] = ()  # who plays from the top of a board, and sees it turned

    @property
    def zones(self) -> Mapping[int, str]:
        """Cells that look different, with the name of what they belong to."""
        return {}

    def path(self, state: "State", action: int) -> tuple[str, ...]:
        """What a person points at to make a move, in order: cells, directions, or a word."""
        return self.game.notation.split(action)

    @property
    def goal(self) -> str:
        """What to play for, in a line for somebody who has never seen the game."""
        return self.game.summary

    def list_tokens(self) -> tuple[Piece, ...]:
        """A piece of each seat, which stands for it."""
        found = {piece.seat: piece for piece in reversed(self.game.pieces)}
        return tuple(found[seat] for seat in range(self.game.num_seats))

    def legend(self) -> tuple[tuple[Piece, str], ...]:
        """Pieces and what they are, for newcomers: by default one of each seat."""
        return tuple(zip(self.list_tokens(), self.game.seats, strict=True))

    def prompts(self, state: "State") -> tuple[str, ...]:
        """What to point at next, for every part of a move: "choose a pawn" and the like."""
        paths = [state.path(move) for move in state.legal_moves()]
        longest = max(paths, key=len, default=())
        return tuple(self._prompt(number, part) for number, part in enumerate(longest))

    def _prompt(self, number: int, part: str) -> str:
        if part in self.board.index:
            return N_("choose where to go") if number else N_("choose a cell")
        return N_("choose a direction") if part in self.board.direction_names else part

    def holdings(self, state: "State") -> tuple[str, ...]:
        """What each seat has of what counts, in a few words: by default the tally, if any."""
        tally = self.standing(state).tally
        return tuple(map(str, tally)) or ("",) * self.game.num_seats

    def explain(self, state: "State", returns: tuple[float, ...], score: tuple[int, ...]) -> str:
        """One sentence on how the game ended; there is no score in games that count nothing."""
        best = max(returns)
        return N_("draw") if best <= 0 else N_(f"{self.game.seats[returns.index(best)]} wins")

    def standing(self, state: "State") -> Overlay:
        """What counts as things stand; when the game is over, what decided it."""
        return Overlay()

    def focus(self, state: "State", cell: int) -> Overlay:
        """What there is to know about a cell: by default the moves that start from it."""
        marks, arrows = [Mark(cell, SELECTED)], []
        occupied = state.scene().pieces
        for move in state.legal_moves():
            start, *rest = state.path(move)
            if rest and start == self.board.names[cell]:
                if rest[0] in self.board.index:
                    goal = self.board.index[rest[0]]
                    marks.append(Mark(goal, CAPTURE if goal in occupied else TARGET))
                else:
                    arrows.append(Arrow(cell, rest[0], state.to_move))
        return Overlay(marks=tuple(marks), arrows=tuple(arrows))

    def guide(self) -> Overlay:
        """What the pieces mean, where that has to be known by heart."""
        return Overlay()

    @property
    def happening_table(self) -> tuple[Happening, ...]:
        """All that ``happenings`` may name."""
        return ()

    def happenings(self, before: "State", action: int, after: "State") -> tuple[str, ...]:
        """What rules brought about with an action, by names of ``happening_table``."""
        return ()
