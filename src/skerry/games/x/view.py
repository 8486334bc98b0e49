"""What there is to see in X: corners, the paths that own them, and how a game ended."""

import numpy as np
from numpy.typing import NDArray

from skerry.board import groups, joining_lines
from skerry.core.bits import WORD
from skerry.core.kernels import kernel
from skerry.core.rules import States, TablesArray
from skerry.core.scene import COUNTS, Chain, Flag, Mark, Overlay
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.core.view import Happening, View
from skerry.games.x.rules import CORNERS, OPEN, SEATS, base_of, outermost, settled_owner

CORNER_NAMES = (N_("left corner"), N_("top corner"), N_("right corner"), N_("bottom corner"))


@kernel
def see_corners(
    tables: TablesArray,
    states: States,
    owners: NDArray[np.int8],
    settled: NDArray[np.bool_],
    ends: NDArray[np.int16],
) -> None:
    """Who owns each corner of ``states[0]`` as it stands, or OPEN, and whether that is settled.

    ``ends`` are the cells where the outermost paths touch the side that they are measured on.
    """
    t, s = tables[0], states[0]
    for corner in range(CORNERS):
        settled[corner] = settled_owner(t, s, corner) != OPEN
        owners[corner], far = outermost(t, s, corner)
        ends[corner] = t.cell_at[far - 1 if base_of(corner) == 0 else s.work.shape[1] * WORD - far]


class XView(View):
    """What X shows."""

    signs = (
        "Rings show the paths that own corners. The stone beside a corner is its owner's, in a "
        "dashed circle while that may change."
    )
    counting = "the paths that own corners"
    goal = (
        "Own corners: each belongs to the outermost path between its two sides. Most corners win, "
        "but where two players have two each, the third wins."
    )
    happening_table = (
        Happening("early end", "x.4", "all corners are settled while cells are empty"),
        Happening("4-0-0", "x.5", "one seat owns all corners"),
        Happening("3-1-0", "x.5", "the winner owns three corners"),
        Happening("2-1-1", "x.5", "the winner owns two corners, each other seat one"),
        Happening("2-2-0", "x.5", "two seats own two corners each, and the third wins"),
    )

    def standing(self, state: State) -> Overlay:
        """Who owns each corner as it stands, by which path, and whether that is settled."""
        owners, settled = np.empty(CORNERS, np.int8), np.empty(CORNERS, np.bool_)
        ends = np.empty(CORNERS, np.int16)
        see_corners(self.game.tables, np.array([state.raw]), owners, settled, ends)
        total, words = Overlay(), []
        tally = [0] * SEATS
        for corner, name in enumerate(CORNER_NAMES):
            seat, final = int(owners[corner]), bool(settled[corner])
            if seat == OPEN:
                continue
            path = self._trace(state, corner, seat, int(ends[corner]))
            tally[seat] += 1
            total += Overlay(
                marks=tuple(Mark(cell, COUNTS, seat) for cell in path),
                chains=(Chain(path, seat),),
                flags=(Flag(self._corner_cell(corner), seat, final),),
            )
            owner = self.game.seats[seat]
            words.append(N_(f"{owner} {'owns' if final else 'is ahead in'} the {name}"))
        return total + Overlay(tally=tuple(tally), words=tuple(words))

    def prompts(self, state: State) -> tuple[str, ...]:
        return (N_("put a stone on any empty hex"),)

    def holdings(self, state: State) -> tuple[str, ...]:
        tally = self.standing(state).tally
        return tuple(N_(f"{n} {'corner' if n == 1 else 'corners'}") for n in tally)

    def _corner_cell(self, corner: int) -> int:
        last = self.game.options["size"] - 1
        return self.board.cell_at[((0, 0), (last, 0), (last, last), (0, last))[corner]]

    def _trace(self, state: State, corner: int, seat: int, end: int) -> tuple[int, ...]:
        """The cells of a path around a corner that ends on this cell of the measured side."""
        points = self.board.points
        letter, number = points[self._corner_cell(corner)]
        stones = [cell for cell, piece in state.scene().pieces.items() if piece.seat == seat]
        group = next(group for group in groups(self.board, stones) if end in group)
        base = {c: abs(points[c][1] - number) for c in group if points[c][0] == letter}
        start = max(base, key=base.__getitem__)
        return joining_lines(self.board, group, [[start], [end]])[0]

    def happenings(self, before: State, action: int, after: State) -> tuple[str, ...]:
        if after.outcome is None or after.outcome.score is None:
            return ()
        score = "-".join(map(str, sorted(after.outcome.score, reverse=True)))
        return ("early end", score) if "." in after.cells else (score,)

    def explain(self, state: State, returns: tuple[float, ...], score: tuple[int, ...]) -> str:
        winner = returns.index(max(returns))
        others = sorted((n for seat, n in enumerate(score) if seat != winner), reverse=True)
        return N_(f"{self.game.seats[winner]} wins {score[winner]}-{others[0]}-{others[1]}")
