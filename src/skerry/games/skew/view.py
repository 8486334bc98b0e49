"""What there is to see in Skew: scoring pegs, what a lean turns, and how a game ended."""

from functools import cached_property

import numpy as np

from skerry.board import OFF_BOARD
from skerry.core import bits
from skerry.core.kernels import kernel
from skerry.core.rules import States, TablesArray
from skerry.core.scene import COUNTS, PASSED, SELECTED, Chain, Mark, Overlay, Piece
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.core.view import Happening, View
from skerry.games.skew.rules import DIRECTIONS, SCORING, find_all_scoring


@kernel
def mark_scoring(tables: TablesArray, states: States, tied: bool) -> None:
    """Find the scoring pegs of ``states[0]``, before or after the tie-break."""
    find_all_scoring(tables[0], states[0], tied)


HAPPENINGS = (
    Happening("turns a peg", "skew.5", "the new peg's lean spreads to at least one other peg"),
    Happening("turns a rival", "skew.5", "the lean spreads to a peg of the other seat"),
    Happening("goes through", "skew.5", "the lean spreads through the black peg"),
    Happening("pass", "skew.6", "a seat cannot place and passes"),
    Happening("pegs left over", "skew.6", "the game ends although not all pegs are placed"),
    Happening("tie-break", "skew.8", "a tie is decided by leaning pegs at the black peg"),
    Happening("draw", "skew.8", "still a tie after that"),
)


class SkewView(View):
    """What Skew shows."""

    surface = "holes"
    goal = (
        "Have more scoring pegs at the end. A peg scores if it leans at the black peg in the "
        "middle, or at a peg that scores."
    )
    signs = (
        "Dots show where a peg may go, rings the pegs that score now. Moves are written like "
        "d4-ne: a peg on d4 that leans north-east."
    )
    counting = "scoring pegs"

    @cached_property
    def bonus(self) -> float:
        """The points that First is given, in a variant."""
        return self.game.all_options["bonus"] / 2

    @property
    def happening_table(self) -> tuple[Happening, ...]:
        given = Happening("bonus", "skew.7", "what First is given decides who wins")
        return (*HAPPENINGS, given) if self.bonus else HAPPENINGS

    def legend(self) -> tuple[tuple[Piece, str], ...]:
        black = self.game.piece(self.game.fixtures[self.centre])
        return *super().legend(), (black, N_("The black peg, which never moves"))

    def prompts(self, state: State) -> tuple[str, ...]:
        if state.legal_actions()[0] == self.game.notation.pass_action:
            return (N_("no peg can be placed: pass"),)
        return N_("choose a hole"), N_("choose where the peg leans")

    def holdings(self, state: State) -> tuple[str, ...]:
        tally = self._count(state, tied=False)
        left = state.raw["left"].tolist()
        return tuple(N_(f"{n} scoring, {more} left") for n, more in zip(tally, left, strict=True))

    @property
    def centre(self) -> int:
        """Where the black peg stands."""
        return len(self.board) // 2

    def standing(self, state: State) -> Overlay:
        tally = self._count(state, tied=False)
        tied = state.is_over and self._lead(tally) == 0
        if tied:
            tally = self._count(state, tied)
        before = self._find_scoring(state, tied=False)
        marks, chains = [], []
        for hole in sorted(self._find_scoring(state, tied)):
            seat, goal = self._owner_and_goal(state, hole)
            if hole not in before and self.centre in self.board.adjacent(hole):
                goal = self.centre  # skew.8
            marks.append(Mark(hole, COUNTS, seat))
            chains.append(Chain((hole, goal), seat, leads=True))
        score = ", ".join(f"{name} {n}" for name, n in zip(self.game.seats, tally, strict=True))
        words = N_(f"Scoring pegs{' after the tie-break' if tied else ''}: {score}")
        return Overlay(marks=tuple(marks), chains=tuple(chains), tally=tally, words=(words,))

    def happenings(self, before: State, action: int, after: State) -> tuple[str, ...]:
        found = []
        if action == self.game.notation.pass_action:
            found.append("pass")
        else:
            found += self._turned(before, action, after)
        if after.outcome is not None:
            if any(after.raw["left"]):
                found.append("pegs left over")
            if after.outcome.winner is None:
                found.append("draw")
            elif after.outcome.score is not None:
                lead, winner = self._lead(after.outcome.score), after.outcome.winner
                tally = self._count(after, tied=lead == 0)
                found += ["tie-break"] if lead == 0 else []
                found += ["bonus"] if self.bonus and tally[winner] <= tally[1 - winner] else []
        return tuple(found)

    def _turned(self, before: State, action: int, after: State) -> list[str]:
        """What the lean of a new peg did to others."""
        old, new = before.cells, after.cells
        line = list(self.board.ray(*divmod(action, DIRECTIONS)))
        turned = [place for place, hole in enumerate(line) if old[hole] != new[hole]]
        beyond = line.index(self.centre) if self.centre in line else len(line)
        pieces = after.scene().pieces
        signs = (
            ("turns a peg", bool(turned)),
            ("turns a rival", any(pieces[line[place]].seat != before.turn for place in turned)),
            ("goes through", any(place > beyond for place in turned)),
        )
        return [name for name, holds in signs if holds]

    def _owner_and_goal(self, state: State, hole: int) -> tuple[int | None, int]:
        """Whose peg stands in a hole, and the hole it leans at, or OFF_BOARD."""
        piece = state.scene().pieces[hole]
        lean = self.board.direction_names.index(piece.facing or "")
        return piece.seat, int(self.board.neighbours[hole, lean])

    def focus(self, state: State, cell: int) -> Overlay:
        """For a hole, which pegs would lean over; for a peg, what it leans at in the end."""
        pieces = state.scene().pieces
        piece = pieces.get(cell)
        if piece is not None:
            return super().focus(state, cell) if piece.facing is None else self._follow(state, cell)
        found = super().focus(state, cell)
        moved = set()
        for move in state.legal_moves():
            if state.path(move)[0] == self.board.names[cell]:
                after = state.play(move).scene().pieces
                moved |= {hole for hole in pieces if after[hole] != pieces[hole]}
        return found + Overlay(marks=tuple(Mark(hole, PASSED) for hole in sorted(moved)))

    def _follow(self, state: State, hole: int) -> Overlay:
        """From peg to peg, as each leans at the next."""
        pieces, line = state.scene().pieces, [hole]
        seat = pieces[hole].seat
        while line[-1] in pieces and pieces[line[-1]].facing is not None:
            _, goal = self._owner_and_goal(state, line[-1])
            if goal == OFF_BOARD or goal in line:
                break
            line.append(goal)
        scores = hole in self._find_scoring(state, tied=False)
        word = N_(f"{self.board.names[hole]} {'scores' if scores else 'does not score'}")
        chains = (Chain(tuple(line), seat, leads=True),) if len(line) > 1 else ()
        return Overlay(marks=(Mark(hole, SELECTED),), chains=chains, words=(word,))

    def _lead(self, tally: tuple[int, ...]) -> float:
        """By how many points First is ahead."""
        return tally[0] + self.bonus - tally[1]

    def _count(self, state: State, tied: bool) -> tuple[int, ...]:
        scoring = self._find_scoring(state, tied)
        return tuple(len(scoring & bits.members(pegs)) for pegs in state.raw["pegs"])

    def _find_scoring(self, state: State, tied: bool) -> set[int]:
        states = np.array([state.raw])
        mark_scoring(self.game.tables, states, tied)
        return bits.members(states[0]["work"][SCORING])

    def explain(self, state: State, returns: tuple[float, ...], score: tuple[int, ...]) -> str:
        if self.bonus:
            return self._explain_variant(state, score)
        first, second = score
        if first != second:
            winner = self.game.seats[first < second]
            return N_(f"{winner} wins {max(first, second)}-{min(first, second)}")
        again = self._count(state, tied=True)
        recount = f"{max(again)}-{min(again)}"
        if again[0] == again[1]:
            return N_(
                f"{first}-{second} is a tie; with the pegs around the black peg leaned at it, "
                f"still {recount}: stalemate"
            )
        return N_(
            f"{first}-{second} is a tie; with the pegs around the black peg leaned at it, "
            f"{self.game.seats[again[0] < again[1]]} wins {recount}"
        )

    def _explain_variant(self, state: State, score: tuple[int, ...]) -> str:
        """How a game ended in which First is given something."""
        given, tally = f"{self.bonus:g}", score
        if tied := self._lead(score) == 0:
            tally = self._count(state, tied)
        result = f"{tally[0] + self.bonus:g}-{tally[1]}"
        lead = self._lead(tally)
        if lead == 0:
            return N_(f"{result} with the {given} of First, also after the tie-break: stalemate")
        winner = self.game.seats[lead < 0]
        if tied:
            return N_(f"{winner} wins: {result} with the {given} of First, after the tie-break")
        return N_(f"{winner} wins: {result} with the {given} of First")
